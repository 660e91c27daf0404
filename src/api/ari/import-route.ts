/**
 * `POST /v1/admin/ari/import`: rates and inventory of many properties, as a table or as NDJSON.
 * The body is read as it comes; lines that follow each other and are of one property become one
 * update, which is applied as a whole or not at all.
 */
import { setImmediate as nextTurn } from "node:timers/promises";
import { Type } from "@sinclair/typebox";
import type { Outcome, SuccessOf } from "../../../engine/core/outcomes.ts";
import type { NamedAri } from "../../../engine/core/supply.ts";
import { NoOutcome } from "../../../jobs/lanes/submitter.ts";
import { faultDetail, invalid, type Refusal, refuse, type Success } from "../../http/answer.ts";
import { type Call, commandMeta } from "../../http/call.ts";
import { DEADLINE_MS, unavailable } from "../../http/execute.ts";
import { limited, linesOf, received, STREAM_BYTES_MAX, StreamTooLong } from "../../http/lines.ts";
import { route } from "../../http/route.ts";
import { linesIn } from "../../http/table-body.ts";
import type { FieldError } from "../../http/validate.ts";
import { type CsvFault, type CsvRow, csvRows } from "../../lib/csv-reader.ts";
import { parseJson } from "../../lib/json.ts";
import { DRY_RUN, PROPERTY_ADMIN } from "../properties/parameters.ts";
import { columnsOf, headerProblems, type ReadLine, readLine } from "./import-columns.ts";
import { Group, type LineItem } from "./import-groups.ts";
import { AriImportResult } from "./responses.ts";

/** Each line has its item in the answer. */
const LINES_MAX = 100_000;
/** More invalid lines than this mean a wrong file. */
const FAILURES_MAX = 1_000;

/** A line of either form, or why reading stops. */
type Sent = { readonly line: number } & (
  | { readonly read: ReadLine; readonly endsGroup: boolean }
  | { readonly stop: readonly FieldError[] }
);

/** The lines of a table after the first. */
async function* tableLines(rows: AsyncIterable<CsvRow | CsvFault>): AsyncGenerator<Sent> {
  let columns: readonly string[] | null = null;
  for await (const row of rows) {
    const { line } = row;
    if ("message" in row) {
      const { message, expected } = row;
      yield { line, stop: [{ path: `/line/${line}`, message, expected }] };
      return;
    }
    if (columns) {
      yield { line, read: readLine(columns, row.cells), endsGroup: false };
      continue;
    }
    columns = columnsOf(row.cells);
    const stop = headerProblems(columns, line);
    if (stop.length > 0) {
      yield { line, stop };
      return;
    }
  }
}

/** Each line of NDJSON is an update of its own. */
async function* updateLines(stream: AsyncIterable<Uint8Array>): AsyncGenerator<Sent> {
  for await (const { line, read } of linesOf(stream)) {
    if (read === "stream_too_long") {
      yield { line, stop: [tooLong(line)] };
      return;
    }
    if (typeof read !== "string" && read.text.trim() === "") continue;
    const told = typeof read === "string" ? unread(UNREADABLE[read]) : updateOf(read.text);
    yield { line, read: told, endsGroup: true };
  }
}

const UNREADABLE = { line_too_long: "is too long", not_utf8: "is not UTF-8" } as const;

function unread(message: string): ReadLine {
  const expected = '{"property":"…","rates":[…],"inventory":[…]}, at most 512 KiB of UTF-8';
  return {
    property: "",
    entries: [],
    errors: [{ column: "", message, expected }],
    isOneDate: false,
  };
}

const LISTS = ["inventory", "rates", "restrictions", "ceilings"] as const;

function updateOf(text: string): ReadLine {
  let sent: unknown;
  try {
    sent = parseJson(text);
  } catch {
    return unread("is not well-formed JSON");
  }
  if (typeof sent !== "object" || sent === null || Array.isArray(sent)) {
    return unread("is not an object");
  }
  const { property, ...lists } = sent as Record<string, unknown>;
  if (typeof property !== "string" || property === "") return unread("has no property");
  const strange = Object.keys(lists).filter((name) => !isList(name, lists[name]));
  const errors = strange.map((name) => {
    const told = JSON.stringify(name.slice(0, 64));
    const expected = `some of ${LISTS.join(", ")}, each a list`;
    return { column: "", message: `has an unknown member ${told}`, expected };
  });
  const entries = LISTS.flatMap((list) =>
    (isList(list, lists[list]) ? lists[list] : []).map((entry) => ({ list, entry: { ...entry } })),
  );
  return { property, entries, errors, isOneDate: false };
}

function isList(name: string, value: unknown): value is readonly object[] {
  return LISTS.some((known) => known === name) && Array.isArray(value);
}

function tooLong(line: number): FieldError {
  return {
    path: `/line/${line}`,
    message: "is too large",
    expected: `≤ ${STREAM_BYTES_MAX} bytes`,
  };
}

class Import {
  readonly items: LineItem[] = [];
  readonly #call: Call;
  readonly #isDry: boolean;
  #group: Group | null = null;
  #failed = 0;
  #oversoldNights = 0;

  constructor(call: Call) {
    this.#call = call;
    this.#isDry = call.query.get("dry_run") === "true";
  }

  /** Adds a line; returns the error that ends the import, if any. */
  async take(sent: Extract<Sent, { read: ReadLine }>): Promise<FieldError | null> {
    const { line, read, endsGroup } = sent;
    if (this.items.length >= LINES_MAX) {
      return { path: "", message: "has too many lines", expected: `≤ ${LINES_MAX} lines` };
    }
    if (this.#group?.takes(read.property) === false) await this.flush();
    if (this.#failed >= FAILURES_MAX) {
      return { path: "", message: "has too many invalid lines", expected: `< ${FAILURES_MAX}` };
    }
    this.#group ??= new Group(read.property);
    this.#group.add(line, read);
    if (endsGroup || this.#group.isFull) await this.flush();
    return null;
  }

  /** Sends the gathered lines. */
  async flush(): Promise<void> {
    const group = this.#group;
    this.#group = null;
    if (!group) return;
    const ari = group.update();
    if (ari) await this.#send(group, ari);
    // Invalid lines need no wait, so yield to other requests here.
    else await nextTurn();
    const items = group.items();
    this.#failed += items.filter(({ ok }) => !ok).length;
    this.items.push(...items);
  }

  async #send(group: Group, ari: NamedAri): Promise<void> {
    const { context, key } = this.#call;
    const sent = { property: group.property, ari };
    const meta = commandMeta({ ...this.#call, key: key && `${key}#${group.firstLine}`, sent });
    const dry = this.#isDry ? { dry_run: true } : {};
    const command = {
      ...meta,
      ...dry,
      type: "UpdateAri" as const,
      property_id: group.property,
      ari,
    };
    const bytes = JSON.stringify(ari).length + 1_000;
    const { outcome } = await context.submitter.submit(command, { deadlineMs: DEADLINE_MS, bytes });
    if (!outcome.ok) noteRefusal(group, outcome);
    else if (outcome.kind === "ari") {
      if (outcome.data.changed === false) group.unchanged();
      this.#noteOversold(group, outcome.data);
    }
  }

  #noteOversold(group: Group, { oversold, oversold_nights }: SuccessOf<"ari">["data"]): void {
    group.oversold(oversold ?? []);
    this.#oversoldNights += oversold_nights ?? 0;
  }

  /** The answer's data. */
  result() {
    const { items } = this;
    const failed = this.#failed;
    const unchanged = items.filter(({ changed }) => changed === false).length;
    const counts = { lines: items.length, applied: items.length - failed, unchanged, failed };
    const oversold_nights = this.#oversoldNights;
    const oversold = oversold_nights > 0 ? { oversold_nights } : {};
    return { dry_run: this.#isDry, ...counts, ...oversold, items };
  }
}

function noteRefusal(group: Group, { code, detail }: Extract<Outcome, { ok: false }>): void {
  const { field_errors } = detail as { readonly field_errors?: readonly FieldError[] };
  if (code === "validation_failed" && field_errors) group.refused(field_errors);
  else group.refusedWith("property", code, "the id or slug of a property that you may change");
}

async function importAll(call: Call): Promise<Success | Refusal> {
  const sent = linesIn(call.request);
  if ("path" in sent) return invalid([sent]);
  const bytes = received(sent.body);
  const run = new Import(call);
  let line = 1;
  try {
    const isTable = sent.form === "csv";
    for await (const each of isTable ? tableLines(csvRows(limited(bytes))) : updateLines(bytes)) {
      line = each.line;
      if ("stop" in each) {
        await run.flush();
        return stopped(line, run, each.stop);
      }
      const fault = await run.take(each);
      if (fault) return stopped(line, run, [fault]);
    }
    await run.flush();
  } catch (error) {
    if (error instanceof NoOutcome) return unavailable(error);
    if (error instanceof StreamTooLong) return stopped(line, run, [tooLong(line)]);
    throw error;
  }
  return { ok: true, data: run.result() };
}

/** The refusal of a stopped import: its results so far and the first line that was not read. */
function stopped(line: number, run: Import, faults: readonly FieldError[]): Refusal {
  const detail = { ...faultDetail(faults), stopped_at_line: line, ...run.result() };
  return refuse("validation_failed", detail);
}

export const ariImportRoutes = [
  route({
    ...PROPERTY_ADMIN,
    id: "admin_import_ari",
    method: "POST",
    path: "/v1/admin/ari/import",
    summary: "Import rates and inventory",
    description:
      "Many properties at once, as CSV (`text/csv`) or NDJSON. Consecutive CSV lines of one " +
      "property, at most 500, are applied together or not at all; so is each line of NDJSON, " +
      "which is an update with its `property`. The answer has the result of each line. Columns: " +
      "`property`, `room_type`, `rate_plan`, `agent_id` by id or code; `date`, or `from` and " +
      "`to`, as YYYY-MM-DD; `days_of_week` as `fri sat`; `capacity`, `out_of_order`, " +
      "`overbooking_limit`; `amount`, `extra_adult` in minor units, 12000 for 120.00 euros; " +
      "restrictions by their names; `ceiling`, and `ceiling_release` as a number of days or a " +
      "date. An empty cell keeps the value, `null` clears it. " +
      "The first line names the columns; cells are separated by commas, semicolons or tabs. The " +
      "CSV of `GET /v1/admin/properties/{id}/ari` can be sent back.",
    query: { dry_run: DRY_RUN },
    key: "accepted",
    reads: "stream",
    bodyBytesMax: STREAM_BYTES_MAX,
    accepts: {
      "text/csv": Type.String({ description: "The first line names the columns." }),
      "application/x-ndjson": Type.String({
        description: "One update per line: the body of an update with its `property`.",
      }),
    },
    success: { status: 200, description: "The result of each line.", data: AriImportResult },
    errors: [],
    handle: importAll,
  }),
];
