/** Nothing that a benchmark started may outlive it, also when it is interrupted. */

const undoings = new Set<() => Promise<void> | void>();

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Registers what undoes a step; call the function it returns once that is done. */
export function onInterrupt(undo: () => Promise<void> | void): () => void {
  undoings.add(undo);
  return () => void undoings.delete(undo);
}

/** From here on a signal undoes every registered step, the last one first, and ends the process. */
export function undoOnSignals(): void {
  let isEnding = false;
  for (const signal of SIGNALS) {
    process.on(signal, async () => {
      if (isEnding) return;
      isEnding = true;
      for (const undo of [...undoings].reverse()) await undo();
      process.exit(130);
    });
  }
}
