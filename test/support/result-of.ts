/** What a generator returns, when nobody waits in between. */
export function resultOf<T>(slices: Generator<undefined, T, undefined>): T {
  for (;;) {
    const slice = slices.next();
    if (slice.done) return slice.value;
  }
}
