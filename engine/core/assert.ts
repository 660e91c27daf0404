/**
 * Assertions: conditions that are false only with a bug or damaged state. While deciding, a failed
 * one fails its command (`internal_error`), while folding, the group. Never for what a caller can
 * cause: that is a refusal.
 */

class AssertionFailed extends Error {
  override readonly name = "AssertionFailed";
}

/**
 * Requires `condition`; `message` says what should be true, without values.
 *
 * @throws AssertionFailed when it is false.
 */
export function assert(condition: boolean, message: string): asserts condition {
  if (!condition) throw new AssertionFailed(message);
}
