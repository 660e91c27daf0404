/**
 * Common parts of requests with a table (`text/csv`) or lines of JSON: the format, and faults of
 * the column names.
 */
import { encodingFault } from "./body.ts";
import { STREAM_BYTES_MAX } from "./lines.ts";
import type { FieldError } from "./validate.ts";

const NDJSON: readonly string[] = ["application/x-ndjson", "application/ndjson"];
const CSV = "text/csv";
/** UTF-8 and its subset. */
const UTF8: readonly string[] = ["utf-8", "utf8", "us-ascii"];

/** A body of lines in the format of `Content-Type`. */
export interface LinesBody {
  readonly form: "csv" | "ndjson";
  readonly body: ReadableStream<Uint8Array>;
}

/** The lines of a request, or the fault of its headers. */
export function linesIn(request: Request): LinesBody | FieldError {
  const { headers, body } = request;
  const [type = "", ...parameters] = (headers.get("content-type") ?? "").toLowerCase().split(";");
  const media = type.trim();
  const form = media === CSV ? "csv" : NDJSON.includes(media) ? "ndjson" : null;
  if (form === null) return typeFault("is not supported", `${CSV} or ${NDJSON[0]}`);
  const said = new Map(parameters.map((each) => parameterOf(each)));
  if (!UTF8.includes(said.get("charset") ?? "utf-8")) {
    return typeFault("has another charset", "charset=utf-8");
  }
  if (form === "csv" && said.get("header") === "absent") {
    return typeFault("declares a missing header line", "header=present");
  }
  const encoded = encodingFault(request);
  if (encoded) return encoded;
  const bytes = headers.get("content-length");
  if (Number(bytes) > STREAM_BYTES_MAX) {
    return { path: "", message: "is too large", expected: `≤ ${STREAM_BYTES_MAX} bytes` };
  }
  if (body === null || bytes === "0") {
    return { path: "", message: "is empty", expected: EXPECTED[form] };
  }
  return { form, body };
}

function typeFault(message: string, expected: string): FieldError {
  return { path: "Content-Type", message, expected };
}

const EXPECTED: Readonly<Record<LinesBody["form"], string>> = {
  csv: "a header line with the columns, then lines of cells",
  ndjson: "lines of JSON",
};

/** Name and value of a parameter, which may be quoted. */
function parameterOf(text: string): [string, string] {
  const [name = "", value = ""] = text.split("=", 2).map((part) => part.trim());
  return [name, value.replace(/^"(.*)"$/, "$1")];
}

const NAME_CHARS_MAX = 64;

/** Faults of unknown and repeated columns, by position and name. */
export function columnFaults(
  names: readonly string[],
  known: ReadonlySet<string>,
  { line, taken }: { readonly line: number; readonly taken: readonly string[] },
): FieldError[] {
  return names.flatMap((name, i) => {
    const path = `/line/${line}/${i + 1}`;
    const shown = JSON.stringify(name.slice(0, NAME_CHARS_MAX));
    if (name === "") return [];
    if (!known.has(name)) {
      const expected = `some of ${taken.join(", ")}`;
      return [{ path, message: `${shown} is not a known column`, expected }];
    }
    if (names.indexOf(name) === i) return [];
    return [{ path, message: `${shown} is repeated`, expected: "each column once" }];
  });
}
