/** Things that are made once: for another thing that they follow from, or for a time. */

/** `build` for each key once; what it made is kept as long as the key. */
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
 * What `look` sees, which looks once for all who ask while it does and for `everyMs` after that:
 * how often it is asked does not say how often it looks.
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
