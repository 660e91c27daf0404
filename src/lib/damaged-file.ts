/** Refused starts for files that are damaged or have another format. */

import { refusedStart } from "./refused-starts.ts";
import { OtherFormat } from "./store-file.ts";

/**
 * Runs `open`; `what` names the file in the message.
 *
 * @throws StartRefused when the file is damaged or has another format; rethrows other errors.
 */
export function openingFile<T>(what: string, open: () => T): T {
  try {
    return open();
  } catch (cause) {
    throw refusalOf(what, cause);
  }
}

/** The same for a start that reads the file and may find damage that opening does not. */
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
