/**
 * Bulk import: NDJSON, one property tree per line, each line all or nothing (rules §5). The stream
 * is read line by line; what a line came to is told in its item, and the next lines go on.
 */
import { Type } from "@sinclair/typebox";
import type { Outcome } from "../../../engine/core/outcomes.ts";
import type { PropertyTree } from "../../../engine/core/supply.ts";
import { NoOutcome } from "../../../jobs/submitter.ts";
import { csvRows } from "../../base/csv-reader.ts";
import { parseJson } from "../../base/json.ts";
import { randomHex } from "../../base/trace.ts";
import { faultDetail, invalid, type Refusal, refuse, type Success } from "../../http/answer.ts";
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
import { linesIn } from "../../http/table-body.ts";
import { type FieldError, json, type Reading } from "../../http/validate.ts";
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
/** Told of one property, so that a thousand bad ones make no answer that nobody can take. */
const ERRORS_MAX = 20;
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
  return faulty([{ path: "", message, expected }]);
}

/** Of a property; who has mended these is told the next. There may be a thousand of them. */
function faulty(errors: readonly FieldError[]): ItemError {
  const field_errors = errors.slice(0, ERRORS_MAX);
  const more = errors.length - field_errors.length;
  const detail = more > 0 ? { field_errors, more_field_errors: more } : { field_errors };
  return { code: "validation_failed", detail };
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

/** The tree that a body is, or all that is wrong with it. */
function readProperty(call: Call, line: number, body: unknown): Reading<PropertyTree> {
  const reading = PROPERTY.read(body, call.context.engineNow());
  if (!reading.ok) return reading;
  const tree = completeTree(reading.value, uuidsFor(call, line));
  const errors = treeProblems(tree);
  return errors.length > 0 ? { ok: false, errors } : { ok: true, value: tree };
}

async function importBody(call: Call, line: number, body: unknown, chars: number): Promise<Item> {
  const reading = readProperty(call, line, body);
  if (!reading.ok) return { line, error: faulty(reading.errors) };
  return create(call, line, { sent: body, tree: reading.value, chars });
}

interface Sent {
  readonly sent: unknown;
  readonly tree: PropertyTree;
  readonly chars: number;
}

async function create(call: Call, line: number, { sent, tree, chars }: Sent): Promise<Item> {
  const meta = commandMeta({ ...call, key: call.key && `${call.key}#${line}`, sent });
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
function stopped(line: number, items: readonly Item[], faults: readonly FieldError[]): Refusal {
  const rest = `; lines before ${line} are done, that one and all after it are not`;
  const told = items.length > 0 ? rest : "";
  const errors = faults.map((fault) => ({ ...fault, message: `${fault.message}${told}` }));
  const detail = { ...faultDetail(errors), stopped_at_line: line, ...resultOf(items) };
  return refuse("validation_failed", detail);
}

function resultOf(items: readonly Item[]) {
  const failed = items.filter((item) => item.error).length;
  return { imported: items.length - failed, failed, items };
}

/** A property of a table, with all its faults where they were said. */
async function importProperty(call: Call, property: TableProperty): Promise<Item> {
  const { line, body } = property;
  const reading = readProperty(call, line, body);
  const errors = property.errorsWith(reading.ok ? [] : reading.errors);
  if (!reading.ok || errors.length > 0) return { line, error: faulty(errors) };
  const chars = JSON.stringify(body).length;
  return create(call, line, { sent: body, tree: reading.value, chars });
}

/** From this line on nothing is done, and why. */
interface Stop {
  readonly line: number;
  readonly stop: readonly FieldError[];
}

const TOO_LARGE = [
  { path: "", message: "is too large", expected: `≤ ${STREAM_BYTES_MAX} bytes` },
] as const;
const TOO_MANY_BAD = [
  { path: "", message: "has too many bad lines", expected: `< ${FAILURES_MAX} of them` },
] as const;

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
      if ("faults" in read || hasFailed()) {
        yield { line, stop: "faults" in read ? read.faults : TOO_MANY_BAD };
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
  const sent = linesIn(call.request);
  if ("path" in sent) return invalid([sent]);
  const items: Item[] = [];
  const trial = isTried(call) ? new ImportTrial() : null;
  let failed = 0;
  let line = 1;
  try {
    const hasFailed = () => failed === FAILURES_MAX;
    const isTable = sent.form === "csv";
    for await (const found of imported(call, received(sent.body), isTable, hasFailed)) {
      line = found.line;
      if ("stop" in found) return stopped(found.line, items, found.stop);
      const item = trial ? trial.judged(found) : found;
      items.push(item);
      if (!item.error) continue;
      failed += 1;
      // Lines that come to nothing wait for nobody: other requests get their turn in between.
      await othersFirst();
    }
  } catch (error) {
    if (error instanceof NoOutcome) return unavailable(error);
    if (error instanceof StreamTooLong) return stopped(line, items, TOO_LARGE);
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
