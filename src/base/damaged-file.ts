/** A file of ours that this version cannot go on with: no restart cures it, an operator does. */
import { OtherFormat } from "../../jobs/store-file.ts";
import { refusedStart } from "./refused-starts.ts";

/**
 * Opens `what`, the words that name it to the operator.
 *
 * @throws StartRefused when it is damaged or of another format; other errors as they are.
 */
export function openingFile<T>(what: string, open: () => T): T {
  try {
    return open();
  } catch (cause) {
    throw refusalOf(what, cause);
  }
}

/** The same of a start that reads `what`: damage may lie where opening does not come by. */
export async function startingOn(what: string, start: () => Promise<void>): Promise<void> {
  try {
    await start();
  } catch (cause) {
    throw refusalOf(what, cause);
  }
}

function refusalOf(what: string, cause: unknown): unknown {
  if (cause instanceof OtherFormat) {
    const { path: file, format, known } = cause;
    return refusedStart("file_of_other_format", { file, format, known }, cause);
  }
  const { code, message } = cause as Error & { readonly code?: unknown };
  const isDamaged = code === "SQLITE_NOTADB" || String(code).startsWith("SQLITE_CORRUPT");
  return isDamaged ? refusedStart("file_damaged", { file: what, problem: message }, cause) : cause;
}
