/** Runs long work in slices, so that the caller can do other work in between. */

/** Long enough to amortize a pause, short enough not to block. */
const PIECE_MS = 50;

/** Runs the work and returns its result. Reports progress after every slice and awaits that. */
export async function inPieces<P, R>(
  work: Generator<P, R>,
  heard: (progress: P) => Promise<void>,
  now: () => number = () => performance.now(),
): Promise<R> {
  let begunAtMs = now();
  for (;;) {
    const { done, value } = work.next();
    if (done) return value;
    if (now() - begunAtMs < PIECE_MS) continue;
    await heard(value);
    begunAtMs = now();
  }
}
