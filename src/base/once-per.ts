/** Things that follow from another and are made once for it. */

/** `build` for each key once; what it made is kept as long as the key. */
export function oncePer<K extends object, V>(build: (key: K) => V): (key: K) => V {
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
