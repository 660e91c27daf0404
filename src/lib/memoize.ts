/** Memoization by key and by time. */

/** Calls `build` once per key; the value lives as long as the key. */
export function memoizeByKey<K extends object, V>(build: (key: K) => V): (key: K) => V {
  const made = new WeakMap<K, { readonly value: V }>();
  return (key) => {
    let kept = made.get(key);
    if (!kept) {
      kept = { value: build(key) };
      made.set(key, kept);
    }
    return kept.value;
  };
}

/**
 * Shares one result of `look` among all callers while it runs and for `everyMs` afterwards.
 */
export function throttled<V>(everyMs: number, look: () => Promise<V>): () => Promise<V> {
  let seen: Promise<V> | null = null;
  const forget = () => {
    setTimeout(() => {
      seen = null;
    }, everyMs).unref();
  };
  return () => {
    if (seen === null) {
      seen = look();
      seen.then(forget, forget);
    }
    return seen;
  };
}
