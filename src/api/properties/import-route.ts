/**
 * Bulk import: NDJSON, one property tree per line, or a table with a line per rate plan, each
 * property all or nothing. The stream is read line by line; the result of each line is
 * an item, and the import continues.
 */
import { Type } from "@sinclair/typebox";
import { NoOutcome } from "../../../jobs/lanes/submitter.ts";
import { faultDetail, invalid, type Refusal, refuse, type Success } from "../../http/answer.ts";
import type { Call } from "../../http/call.ts";
import { unavailable } from "../../http/execute.ts";
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
import type { FieldError } from "../../http/validate.ts";
import { csvRows } from "../../lib/csv-reader.ts";
import { parseJson } from "../../lib/json.ts";
import { ImportResult } from "./admin-responses.ts";
import { PROPERTY_COLUMNS } from "./import-columns.ts";
import { faulty, type Item, type ItemError, importProperty, isTried } from "./import-line.ts";
import { ImportedNames } from "./import-names.ts";
import { type TableProperty, tableProperties } from "./import-table.ts";
import { DRY_RUN, NEW_PROPERTY_ADMIN } from "./parameters.ts";

/** More invalid lines than this mean a wrong file. */
const FAILURES_MAX = 1_000;

/** Errors of unreadable lines. */
const UNREADABLE: Readonly<Record<"line_too_long" | "not_utf8", ItemError>> = {
  line_too_long: fault("is too large", `≤ ${LINE_BYTES_MAX} bytes`),
  not_utf8: fault("is not UTF-8", "UTF-8"),
};

function fault(message: string, expected: string): ItemError {
  return faulty([{ path: "", message, expected }]);
}

/** A running import: its call and the properties named so far. */
interface Run {
  readonly call: Call;
  readonly names: ImportedNames;
  readonly hasFailed: () => boolean;
}

async function importLine({ call, names }: Run, line: number, text: string): Promise<Item> {
  let body: unknown;
  try {
    body = parseJson(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return { line, error: fault("is not well-formed JSON", "a property tree") };
  }
  const asItIs = {
    placed: (at: string) => at,
    errorsWith: (errors: readonly FieldError[]) => errors,
  };
  return importProperty(call, { line, body, chars: text.length, ...asItIs }, names);
}

/** A property of a table, with all its errors at their cells. */
function importRows({ call, names }: Run, property: TableProperty): Promise<Item> {
  const { line, body } = property;
  const chars = JSON.stringify(body).length;
  const errorsWith = (errors: readonly FieldError[]) => property.errorsWith(errors);
  const placed = (at: string) => property.placed(at);
  return importProperty(call, { line, body, chars, errorsWith, placed }, names);
}

/** Resolves on the next turn of the loop. */
function othersFirst(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** The refusal of a stopped import: the first line that was not read, and the results so far. */
function stopped(line: number, items: readonly Item[], faults: readonly FieldError[]): Refusal {
  const rest = `; the lines before ${line} are imported, the others are not`;
  const told = items.length > 0 ? rest : "";
  const errors = faults.map((fault) => ({ ...fault, message: `${fault.message}${told}` }));
  const detail = { ...faultDetail(errors), stopped_at_line: line, ...resultOf(items) };
  return refuse("validation_failed", detail);
}

function resultOf(items: readonly Item[]) {
  const failed = items.filter((item) => item.error).length;
  const count = (result: Item["result"]) => items.filter((item) => item.result === result).length;
  const isHeldUp = ({ warnings = [] }: Item) => warnings.some((each) => each.severity === "error");
  return {
    ...{ imported: items.length - failed, failed },
    ...{ created: count("created"), updated: count("updated"), unchanged: count("unchanged") },
    not_promotable: items.filter(isHeldUp).length,
    items,
  };
}

/** The import stops at this line, and why. */
interface Stop {
  readonly line: number;
  readonly stop: readonly FieldError[];
}

const TOO_LARGE = [
  { path: "", message: "is too large", expected: `≤ ${STREAM_BYTES_MAX} bytes` },
] as const;
const TOO_MANY_BAD = [
  { path: "", message: "has too many invalid lines", expected: `< ${FAILURES_MAX}` },
] as const;

/** The results of lines or properties, one by one; a refusal when reading stops. */
async function* imported(
  run: Run,
  stream: AsyncIterable<Uint8Array>,
  isTable: boolean,
): AsyncGenerator<Item | Stop> {
  const { hasFailed } = run;
  if (isTable) {
    for await (const read of tableProperties(csvRows(limited(stream)))) {
      const { line } = read;
      if ("faults" in read || hasFailed()) {
        yield { line, stop: "faults" in read ? read.faults : TOO_MANY_BAD };
        return;
      }
      yield await importRows(run, read);
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
    else if (read.text.trim() !== "") yield await importLine(run, line, read.text);
  }
}

async function importAll(call: Call): Promise<Success | Refusal> {
  const sent = linesIn(call.request);
  if ("path" in sent) return invalid([sent]);
  const items: Item[] = [];
  let failed = 0;
  let line = 1;
  try {
    const hasFailed = () => failed === FAILURES_MAX;
    const run = { call, names: new ImportedNames(), hasFailed };
    for await (const found of imported(run, received(sent.body), sent.form === "csv")) {
      line = found.line;
      if ("stop" in found) return stopped(found.line, items, found.stop);
      items.push(found);
      if (!found.error) continue;
      failed += 1;
      // Lines that come to nothing wait for nobody: other requests get their turn in between.
      await othersFirst();
    }
  } catch (error) {
    if (error instanceof NoOutcome) return unavailable(error);
    if (error instanceof StreamTooLong) return stopped(line, items, TOO_LARGE);
    throw error;
  }
  return { ok: true, data: { ...(isTried(call) && { dry_run: true }), ...resultOf(items) } };
}

export const importRoutes = [
  route({
    ...NEW_PROPERTY_ADMIN,
    id: "admin_import_properties",
    method: "POST",
    path: "/v1/admin/properties/import",
    summary: "Import properties",
    description:
      "NDJSON, one property per line, each line all or nothing; the answer has the result of " +
      "each line, with the `warnings` of a promotion. A line has at most 512 KiB, the stream 256 " +
      "MiB; a longer stream, or one with 1,000 invalid lines, is refused and names the line " +
      "where it stopped. Or CSV (`text/csv`), one line per rate plan; consecutive lines with one " +
      "`slug` are one property, whose cells need not be repeated after its first line. An " +
      "existing property, found by `id`, else by `external_code`, else by `slug`, is updated: " +
      "the line's values are set, everything else stays, and a line without changes is " +
      "`unchanged`. With `dry_run=true` nothing is changed and each line has its expected " +
      `result. Columns: ${PROPERTY_COLUMNS.join(", ")}. Amounts are minor units, lists are ` +
      "separated by |. An error or warning names its line and column, such as `/line/3/currency`.",
    query: { dry_run: DRY_RUN },
    key: "accepted",
    readsReplica: true,
    reads: "stream",
    bodyBytesMax: STREAM_BYTES_MAX,
    accepts: {
      "application/x-ndjson": Type.String({ description: "One property per line." }),
      "text/csv": Type.String({ description: "One rate plan per line." }),
    },
    success: { status: 200, description: "The result of each line.", data: ImportResult },
    errors: [],
    handle: importAll,
  }),
];
