/** Long work in a process that has something better to do. */

/** Others wait so long at most, and a step more. */
const SLICE_MS = 5;
/** It rests this many times as long as it works. */
const REST = 4;

/**
 * Takes the steps one after another, with rests between slices of them. Once `isStopped` it ends
 * them where they are, and the answer is null.
 *
 * @throws whatever a step throws.
 */
export async function runInSlices<R>(
  steps: Generator<unknown, R>,
  isStopped: () => boolean,
): Promise<R | null> {
  for (;;) {
    const startedMs = performance.now();
    do {
      if (isStopped()) {
        steps.return(undefined as never);
        return null;
      }
      const { done, value } = steps.next();
      if (done) return value;
    } while (performance.now() - startedMs < SLICE_MS);
    await Bun.sleep(REST * (performance.now() - startedMs));
  }
}
