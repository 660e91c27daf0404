/**
 * Idempotency keys of the calls that answers offer. A key is made of ids alone: an answer that is
 * rendered again offers the same key, so a call that is made twice has one effect. Keys belong to
 * their agent, method and path (rules §1), so a key that can be guessed helps no other caller.
 */

/** `nth` tells offers of the same call apart: a counter, an id, or the instant of a read in ms. */
export function offeredKey(call: string, id: string, nth: number | string): string {
  return `${call}-${id}-${nth}`;
}

const KEY_CHARS_MAX = 240;

/** The key after one whose outcome is decided: `k` → `k~2` → `k~3`. */
export function nextKey(spent: string): string {
  const [, base = spent, count = "1"] = /^(.*)~(\d{1,9})$/.exec(spent) ?? [];
  return `${base.slice(0, KEY_CHARS_MAX)}~${Number(count) + 1}`;
}
