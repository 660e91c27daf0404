/** Runs long work piece by piece, so that whoever runs it does something else in between. */

/** Long enough to be worth a pause, short enough that nobody waits for its end. */
const PIECE_MS = 50;

/**
 * Runs the work and returns what it does. After every piece it says how far it is, and goes on when
 * that was heard.
 */
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
