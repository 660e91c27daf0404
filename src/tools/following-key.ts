/** The idempotency key of a call that an answer offers ready to be made. */
import { createHash } from "node:crypto";
import { canonicalJson } from "../../engine/core/canonical.ts";

/**
 * One key per intent: the same offer has the same key wherever it is read again, after a lost
 * answer too, and what follows a refused call has another one than the call (`spent`) that was
 * refused. Keys are their agent's own (rules §1), so nobody gains by knowing how they are made.
 */
export function followingKey(
  tool: string,
  input: Readonly<Record<string, unknown>>,
  spent: string | null,
): string {
  const intent = canonicalJson([tool, input, spent]);
  return createHash("sha256").update(intent).digest("hex").slice(0, 32);
}
