/** Work that goes on by itself and tells how far it has come: progress counts it in steps. */
import type { Progress } from "./progress.ts";

/** Does work of so many steps of a stage; it calls `onStep` whenever one more has ended. */
export async function inSteps<T>(
  progress: Pick<Progress, "step">,
  { stage, what, steps }: { stage: string; what: string; steps: number },
  work: (onStep: () => void) => Promise<T>,
): Promise<T> {
  const ends = Array.from({ length: steps }, () => Promise.withResolvers<void>());
  let ended = 0;
  const whole = work(() => ends[ended++]?.resolve());
  for (const [n, { promise }] of ends.entries()) {
    const isLast = n === steps - 1;
    await progress.step(stage, `${what}, ${n + 1} of ${steps}`, async () => {
      await (isLast ? whole : Promise.race([promise, whole]));
    });
  }
  return whole;
}
