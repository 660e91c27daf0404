/**
 * Lists as comma-separated values, by `Accept: text/csv` or `format=csv` for browsers. Columns are
 * the members of the list's items in schema order, nested ones with a dot; nested lists are JSON.
 * `Link` names the next page (RFC 8288).
 */
import { type TProperties, type TSchema, Type } from "@sinclair/typebox";
import { type Cell, csvLine } from "../lib/csv.ts";
import type { Success } from "./answer.ts";
import type { Asked } from "./call.ts";
import { coded } from "./compress.ts";
import type { DocumentedSuccess, QueryParameter } from "./contract.ts";
import { renderSuccess } from "./render-envelope.ts";

const FORMATS: readonly string[] = ["json", "csv"];

/** Takes precedence over `Accept`. */
export const FORMAT: QueryParameter = {
  schema: Type.Unsafe<string>({ type: "string", enum: FORMATS }),
  description: "`csv` answers as `Accept: text/csv` does.",
  isValid: (value: string) => FORMATS.includes(value),
  fault: { message: "is not a format", expected: "json or csv" },
};

/** Other media types of routes with the renderer `table`. */
export const AS_TABLE = {
  "text/csv": Type.String({
    description:
      "Comma-separated values (RFC 4180). The first line names the columns; members of an object " +
      "are named with a dot, lists stand as JSON. Text that a spreadsheet would take for a formula " +
      "begins with an apostrophe.",
  }),
};

/** Whether the caller asks for CSV: by the query, else by `Accept`. */
export function wantsCsv({ query, request }: Pick<Asked, "query" | "request">): boolean {
  const format = query.get("format");
  if (format !== undefined) return format === "csv";
  return /(^|,)\s*text\/csv\b/i.test(request.headers.get("accept") ?? "");
}

/** Headers of a table with a file name; private to the caller. */
export function csvHeaders(name: string, traceId: string) {
  return {
    "content-type": "text/csv; charset=utf-8; header=present",
    "content-disposition": `attachment; filename="${name}.csv"`,
    "cache-control": "no-store",
    vary: "Accept",
    "x-trace-id": traceId,
  };
}

/** The list as CSV if requested, else in the envelope. */
export function renderTable(call: Asked, answer: Success): Response | Promise<Response> {
  const { route, request, traceId } = call;
  // What is not ready has no rows.
  if (!route || !wantsCsv(call) || answer.status === 202) return renderSuccess(call, answer);
  const columns = columnsOf(itemsOf(route.success));
  const rows = answer.rows ?? (answer.data.items as readonly object[]);
  const lines = rows.map((row) => csvLine(columns.map((path) => cellAt(row, path))));
  const body = csvLine(columns.map((path) => path.join("."))) + lines.join("");
  const headers = new Headers(csvHeaders(route.id, traceId));
  const next = answer.actions?.find(({ rel, href }) => {
    return rel === "get" && href.split("?")[0] === route.path;
  });
  if (next) headers.set("link", `<${next.href}>; rel="next"`);
  return coded(request, body, { status: 200, headers });
}

function itemsOf({ rows, data }: DocumentedSuccess): TSchema {
  return rows ?? (data!.properties as TProperties).items!.items;
}

type Path = readonly string[];

/** Every scalar member, in schema order. */
function columnsOf(schema: TSchema, above: Path = []): Path[] {
  return Object.entries(schema.properties as TProperties).flatMap(([name, member]) => {
    const path = [...above, name];
    const within = withoutNull(member);
    const isObject = within.type === "object" && Object.keys(within.properties ?? {}).length > 0;
    return isObject ? columnsOf(within, path) : [path];
  });
}

function withoutNull(schema: TSchema): TSchema {
  const some = (schema.anyOf as TSchema[] | undefined)?.filter(({ type }) => type !== "null");
  return some?.length === 1 ? some[0]! : schema;
}

function cellAt(row: object, path: Path): Cell {
  const value = path.reduce<unknown>((at, name) => {
    return (at as Readonly<Record<string, unknown>> | null | undefined)?.[name];
  }, row);
  return typeof value === "object" && value !== null ? JSON.stringify(value) : (value as Cell);
}
