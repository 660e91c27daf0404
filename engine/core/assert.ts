/**
 * Assertions: what a decision relies on and can be true only while the program is. One that fails
 * is a bug or damaged state; while deciding it costs its command alone (`internal_error`), while
 * folding the group. Never for what a caller can bring about: that is a refusal.
 */

class AssertionFailed extends Error {
  override readonly name = "AssertionFailed";
}

/**
 * Requires `condition`; `message` says what should be true, in words that need no values.
 *
 * @throws AssertionFailed when it does not hold.
 */
export function assert(condition: boolean, message: string): asserts condition {
  if (!condition) throw new AssertionFailed(message);
}
