/**
 * Bulk import: NDJSON, one property tree per line, each line all or nothing (rules §5). The stream
 * is read line by line; what a line came to is told in its item, and the next lines go on.
 */
import { Type } from "@sinclair/typebox";
import type { Outcome } from "../../../engine/core/outcomes.ts";
import { NoOutcome } from "../../../jobs/submitter.ts";
import { csvRows } from "../../base/csv-reader.ts";
import { parseJson } from "../../base/json.ts";
import { randomHex } from "../../base/trace.ts";
import { faultDetail, invalid, type Refusal, refuse, type Success } from "../../http/answer.ts";
import { encodingFault } from "../../http/body.ts";
import { type Call, commandMeta } from "../../http/call.ts";
import { DEADLINE_MS, unavailable } from "../../http/execute.ts";
import {
  LINE_BYTES_MAX,
  limited,
  linesOf,
  received,
  STREAM_BYTES_MAX,
  StreamTooLong,
} from "../../http/lines.ts";
import { route } from "../../http/route.ts";
import { type FieldError, json } from "../../http/validate.ts";
import { commandId } from "../../privacy/personal-data.ts";
import { ImportResult } from "./admin-answers.ts";
import { completeTree } from "./complete-tree.ts";
import { PROPERTY_COLUMNS, type TableProperty, tableProperties } from "./import-table.ts";
import { ImportTrial } from "./import-trial.ts";
import { DRY_RUN, NEW_PROPERTY_ADMIN } from "./parameters.ts";
import { PropertyBody } from "./schemas.ts";
import { treeProblems } from "./tree-problems.ts";

/** Who sends so many has sent the wrong file, and each of them makes the answer longer. */
const FAILURES_MAX = 1_000;
const PROPERTY = json(PropertyBody);

interface ItemError {
  readonly code: string;
  readonly detail: unknown;
}

interface Item {
  readonly line: number;
  readonly property_id?: string;
  /** Of a dry run. */
  readonly slug?: string;
  readonly error?: ItemError;
}

/** Of a line that cannot be read; such a line stands for itself alone. */
const UNREADABLE: Readonly<Record<"line_too_long" | "not_utf8", ItemError>> = {
  line_too_long: fault("is too large", `≤ ${LINE_BYTES_MAX} bytes`),
  not_utf8: fault("is not UTF-8", "UTF-8"),
};

function fault(message: string, expected: string): ItemError {
  return { code: "validation_failed", detail: { field_errors: [{ path: "", message, expected }] } };
}

/** Ids of a line that names none follow from the request's key, so that a retry meets itself. */
function uuidsFor(call: Call, line: number): () => string {
  if (call.key === null) return () => crypto.randomUUID();
  const { tenant_id, agent_id } = call.principal;
  let count = 0;
  return () => {
    const scope = `import-id ${agent_id} ${line} ${count++}`;
    const hex = commandId(call.context.keys.hmac, tenant_id, scope, call.key!);
    const parts = [hex.slice(0, 8), hex.slice(8, 12), `5${hex.slice(13, 16)}`];
    return [...parts, `8${hex.slice(17, 20)}`, hex.slice(20, 32)].join("-");
  };
}

async function importLine(call: Call, line: number, text: string): Promise<Item> {
  try {
    return await importBody(call, line, parseJson(text), text.length);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return { line, error: fault("is not well-formed JSON", "a property tree") };
  }
}

async function importBody(call: Call, line: number, body: unknown, chars: number): Promise<Item> {
  const reading = PROPERTY.read(body, call.context.engineNow());
  if (!reading.ok) {
    return { line, error: { code: "validation_failed", detail: faultDetail(reading.errors) } };
  }
  const tree = completeTree(reading.value, uuidsFor(call, line));
  const semantic = treeProblems(tree);
  if (semantic.length > 0) {
    return { line, error: { code: "validation_failed", detail: faultDetail(semantic) } };
  }
  const meta = commandMeta({ ...call, key: call.key && `${call.key}#${line}`, sent: body });
  const command = { ...meta, random: randomHex(16), type: "CreateProperty" as const, tree };
  const options = { deadlineMs: DEADLINE_MS, bytes: chars + 1_000 };
  const asked = isTried(call) ? { ...command, dry_run: true } : command;
  const { outcome } = await call.context.submitter.submit(asked, options);
  return itemOf(line, outcome);
}

function itemOf(line: number, outcome: Outcome): Item {
  if (!outcome.ok) return { line, error: { code: outcome.code, detail: outcome.detail } };
  if (outcome.kind !== "property") throw new Error(`${outcome.kind} is no answer here`);
  const { property_id, slug, dry_run } = outcome.data;
  return dry_run ? { line, property_id, slug } : { line, property_id };
}

function isTried({ query }: Call): boolean {
  return query.get("dry_run") === "true";
}

/** Resolves on the next turn of the loop. */
function othersFirst(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** Refused, and nothing cut silently: which line is the first that was not read, and the rest. */
function stopped(line: number, items: readonly Item[], message: string, expected: string) {
  const rest = `lines before ${line} are done, that one and all after it are not`;
  const field_errors = [{ path: "", message: `${message}; ${rest}`, expected }];
  const detail = { field_errors, stopped_at_line: line, ...resultOf(items) };
  return refuse("validation_failed", detail);
}

function streamTooLong(line: number, items: readonly Item[]): Refusal {
  return stopped(line, items, ...TOO_LARGE);
}

function resultOf(items: readonly Item[]) {
  const failed = items.filter((item) => item.error).length;
  return { imported: items.length - failed, failed, items };
}

/** A property of a table, with its faults where they were said. */
async function importProperty(call: Call, property: TableProperty): Promise<Item> {
  const { line, body, errors } = property;
  if (errors.length > 0) {
    return { line, error: { code: "validation_failed", detail: faultDetail(errors) } };
  }
  const item = await importBody(call, line, body, JSON.stringify(body).length);
  const { field_errors } = (item.error?.detail ?? {}) as { field_errors?: readonly FieldError[] };
  if (!item.error || !field_errors) return item;
  const placed = field_errors.map((each) => property.placed(each));
  return {
    line,
    error: { ...item.error, detail: { ...item.error.detail!, field_errors: placed } },
  };
}

/** From this line on nothing is done, and why. */
interface Stop {
  readonly line: number;
  readonly stop: readonly [message: string, expected: string];
}

const TOO_LARGE = ["is too large", `≤ ${STREAM_BYTES_MAX} bytes`] as const;
const TOO_MANY_BAD = ["has too many bad lines", `< ${FAILURES_MAX} of them`] as const;

/** What each line or property comes to, one by one; a refusal when nothing more can be read. */
async function* imported(
  call: Call,
  stream: AsyncIterable<Uint8Array>,
  isTable: boolean,
  hasFailed: () => boolean,
): AsyncGenerator<Item | Stop> {
  if (isTable) {
    for await (const read of tableProperties(csvRows(limited(stream)))) {
      const { line } = read;
      if ("message" in read || hasFailed()) {
        yield { line, stop: "message" in read ? [read.message, read.expected] : TOO_MANY_BAD };
        return;
      }
      yield await importProperty(call, read);
    }
    return;
  }
  for await (const { line, read } of linesOf(stream)) {
    if (read === "stream_too_long") {
      yield { line, stop: TOO_LARGE };
      return;
    }
    if (hasFailed()) {
      yield { line, stop: TOO_MANY_BAD };
      return;
    }
    if (typeof read === "string") yield { line, error: UNREADABLE[read] };
    else if (read.text.trim() !== "") yield await importLine(call, line, read.text);
  }
}

async function importAll(call: Call): Promise<Success | Refusal> {
  const { headers, body } = call.request;
  const type = headers.get("content-type") ?? "";
  const isTable = /^text\/csv\b/i.test(type);
  if ((!isTable && !/^application\/(x-)?ndjson\b/i.test(type)) || !body) {
    const expected = "application/x-ndjson, one property per line, or text/csv";
    return invalid([{ path: "Content-Type", message: "is not NDJSON", expected }]);
  }
  const encoded = encodingFault(call.request);
  if (encoded) return invalid([encoded]);
  // Nothing is begun of what is known to be too long.
  if (Number(headers.get("content-length")) > STREAM_BYTES_MAX) return streamTooLong(1, []);
  const items: Item[] = [];
  const trial = isTried(call) ? new ImportTrial() : null;
  let failed = 0;
  let line = 1;
  try {
    const hasFailed = () => failed === FAILURES_MAX;
    for await (const found of imported(call, received(body), isTable, hasFailed)) {
      line = found.line;
      if ("stop" in found) return stopped(found.line, items, ...found.stop);
      const item = trial ? trial.judged(found) : found;
      items.push(item);
      if (!item.error) continue;
      failed += 1;
      // Lines that come to nothing wait for nobody: other requests get their turn in between.
      await othersFirst();
    }
  } catch (error) {
    if (error instanceof NoOutcome) return unavailable(error);
    if (error instanceof StreamTooLong) return streamTooLong(line, items);
    throw error;
  }
  return { ok: true, data: { ...(trial && { dry_run: true }), ...resultOf(items) } };
}

export const importRoutes = [
  route({
    ...NEW_PROPERTY_ADMIN,
    id: "admin_import_properties",
    method: "POST",
    path: "/v1/admin/properties/import",
    summary: "Import properties",
    description:
      "NDJSON, one property per line, each line all or nothing; the answer tells what each line " +
      "came to. A line has at most 512 KiB, the stream 256 MiB; a longer one, or one with 1,000 bad " +
      "lines, is refused and says where it stopped. Or CSV (`text/csv`), one line for each rate plan; " +
      "lines that follow each other with one `slug` are one property, of which the first tells what " +
      "the others need not. With `dry_run=true` nothing is made, and each line says what it would " +
      `come to. Columns: ${PROPERTY_COLUMNS.join(", ")}. Amounts are minor units, ` +
      "lists are parted by |. A fault is told of its line and column, as `/line/3/currency`.",
    query: { dry_run: DRY_RUN },
    key: "accepted",
    reads: "stream",
    bodyBytesMax: STREAM_BYTES_MAX,
    accepts: {
      "application/x-ndjson": Type.String({ description: "One property per line." }),
      "text/csv": Type.String({ description: "One rate plan per line." }),
    },
    success: { status: 200, description: "What each line came to.", data: ImportResult },
    errors: [],
    handle: importAll,
  }),
];
