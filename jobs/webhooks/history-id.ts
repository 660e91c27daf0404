/** The public id of a journal's history. */
import { createHash } from "node:crypto";

/**
 * `journal_id` of pulls and streams, 32 hex digits. It changes after a restore or a loss of rows,
 * because event numbers may then be used again for other events.
 */
export function historyId(installationId: string, journalId: string): string {
  const digest = createHash("sha256").update(`${installationId}:${journalId}`).digest("hex");
  return digest.slice(0, 32);
}
