/** A file of ours that is no database any more: no restart cures it, an operator does. */
import { StartRefused } from "../lifecycle.ts";

/**
 * Opens `what`, the words that name it to the operator.
 *
 * @throws StartRefused when SQLite finds that it is damaged; other errors as they are.
 */
export function openingFile<T>(what: string, open: () => T): T {
  try {
    return open();
  } catch (cause) {
    const { code, message } = cause as Error & { readonly code?: unknown };
    if (code !== "SQLITE_NOTADB" && code !== "SQLITE_CORRUPT") throw cause;
    throw new StartRefused(`${what} is damaged (${message}): restore it`, { cause });
  }
}
