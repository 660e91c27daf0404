/** Which history events are of, as others see it. */
import { createHash } from "node:crypto";

/**
 * `journal_id` of pulls and streams, 32 hex digits: another one when an installation goes on from a
 * back-up, or without rows that were lost, for there may be other events of the same numbers then.
 */
export function historyId(installationId: string, journalId: string): string {
  const digest = createHash("sha256").update(`${installationId}:${journalId}`).digest("hex");
  return digest.slice(0, 32);
}
