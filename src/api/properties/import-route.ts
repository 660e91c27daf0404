/**
 * Bulk import: NDJSON, one property tree per line, each line all or nothing (rules §5). The stream
 * is read line by line; what a line came to is told in its item, and the next lines go on.
 */
import { Type } from "@sinclair/typebox";
import type { Outcome } from "../../../engine/core/outcomes.ts";
import { NoOutcome } from "../../../jobs/submitter.ts";
import { parseJson } from "../../base/json.ts";
import { randomHex } from "../../base/trace.ts";
import { invalid, type Refusal, type Success } from "../../http/answer.ts";
import { type Call, commandMeta } from "../../http/call.ts";
import { DEADLINE_MS, unavailable } from "../../http/execute.ts";
import { route } from "../../http/route.ts";
import { json } from "../../http/validate.ts";
import { commandId } from "../../privacy/personal-data.ts";
import { ImportResult } from "./admin-answers.ts";
import { completeTree } from "./complete-tree.ts";
import { NEW_PROPERTY_ADMIN } from "./parameters.ts";
import { PropertyBody } from "./schemas.ts";
import { treeProblems } from "./tree-problems.ts";

const LINE_BYTES_MAX = 512 * 1024;
const STREAM_BYTES_MAX = 256 * 1024 * 1024;
const PROPERTY = json(PropertyBody);

interface ItemError {
  readonly code: string;
  readonly detail: unknown;
}

interface Item {
  readonly line: number;
  readonly property_id?: string;
  readonly error?: ItemError;
}

/** What is over a limit, and the limit. */
interface Excess {
  readonly message: string;
  readonly bytesMax: number;
}

const LONG_LINE: Excess = { message: "is too large", bytesMax: LINE_BYTES_MAX };
const LONG_STREAM: Excess = {
  message: "and all that follow lie beyond what one stream may have",
  bytesMax: STREAM_BYTES_MAX,
};

const tooLarge = ({ message, bytesMax }: Excess): ItemError => ({
  code: "validation_failed",
  detail: { field_errors: [{ path: "", message, expected: `≤ ${bytesMax} bytes` }] },
});

/**
 * The lines of a stream. One over the limit is yielded as excess and skipped to its end; where the
 * stream itself is, that is the last of them.
 */
async function* linesOf(stream: AsyncIterable<Uint8Array>): AsyncGenerator<string | Excess> {
  const decoder = new TextDecoder();
  let rest = "";
  let total = 0;
  let isSkipping = false;
  for await (const chunk of stream) {
    total += chunk.byteLength;
    if (total > STREAM_BYTES_MAX) {
      yield LONG_STREAM;
      return;
    }
    rest += decoder.decode(chunk, { stream: true });
    for (let end = rest.indexOf("\n"); end >= 0; end = rest.indexOf("\n")) {
      const line = rest.slice(0, end);
      rest = rest.slice(end + 1);
      if (!isSkipping) yield Buffer.byteLength(line) > LINE_BYTES_MAX ? LONG_LINE : line;
      isSkipping = false;
    }
    if (rest.length > LINE_BYTES_MAX) {
      if (!isSkipping) yield LONG_LINE;
      isSkipping = true;
      rest = "";
    }
  }
  if (!isSkipping && rest.trim() !== "") yield rest;
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
  let body: unknown;
  try {
    body = parseJson(text);
  } catch {
    const problem = { path: "", message: "is not well-formed JSON", expected: "a property tree" };
    const detail = { field_errors: [problem] };
    return { line, error: { code: "validation_failed", detail } };
  }
  const reading = PROPERTY.read(body, call.context.engineNow());
  if (!reading.ok) {
    const detail = { field_errors: reading.errors };
    return { line, error: { code: "validation_failed", detail } };
  }
  const tree = completeTree(reading.value, uuidsFor(call, line));
  const semantic = treeProblems(tree);
  if (semantic.length > 0) {
    return { line, error: { code: "validation_failed", detail: { field_errors: semantic } } };
  }
  const meta = commandMeta({ ...call, key: call.key && `${call.key}#${line}`, sent: body });
  const command = { ...meta, random: randomHex(16), type: "CreateProperty" as const, tree };
  const options = { deadlineMs: DEADLINE_MS, bytes: text.length + 1_000 };
  const { outcome } = await call.context.submitter.submit(command, options);
  return itemOf(line, outcome);
}

function itemOf(line: number, outcome: Outcome): Item {
  if (!outcome.ok) return { line, error: { code: outcome.code, detail: outcome.detail } };
  if (outcome.kind !== "property") throw new Error(`${outcome.kind} is no answer here`);
  return { line, property_id: outcome.data.property_id };
}

async function importAll(call: Call): Promise<Success | Refusal> {
  const type = call.request.headers.get("content-type") ?? "";
  if (!/^application\/(x-)?ndjson\b/i.test(type) || !call.request.body) {
    const expected = "application/x-ndjson, one property per line";
    return invalid([{ path: "Content-Type", message: "is not NDJSON", expected }]);
  }
  const items: Item[] = [];
  let line = 0;
  try {
    for await (const text of linesOf(call.request.body)) {
      line += 1;
      if (typeof text === "object") items.push({ line, error: tooLarge(text) });
      else if (text.trim() !== "") items.push(await importLine(call, line, text));
    }
  } catch (error) {
    if (error instanceof NoOutcome) return unavailable(error);
    throw error;
  }
  const failed = items.filter((item) => item.error).length;
  return { ok: true, data: { imported: items.length - failed, failed, items } };
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
      "came to. A line has at most 512 KiB, the stream 256 MiB.",
    key: "accepted",
    reads: "stream",
    bodyBytesMax: STREAM_BYTES_MAX,
    accepts: { "application/x-ndjson": Type.String({ description: "One property per line." }) },
    success: { status: 200, description: "What each line came to.", data: ImportResult },
    errors: [],
    handle: importAll,
  }),
];
