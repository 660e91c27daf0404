/** The clock that credentials, tokens and consent expire by. */

/** How far ahead of engine time the wall clock is remembered: one set wrong is not, for long. */
const LEAD_MS_MAX = 60_000;

/**
 * The later of wall clock and engine time, epoch milliseconds. It remembers the latest instant that
 * it has told, up to a minute ahead of engine time, which never goes back itself: a wall clock that
 * is set back revives nothing, one that ran years ahead for a while ends nothing for good.
 */
export function expiryClock(wallMs: () => number, engineMs: () => number): () => number {
  let latestMs = 0;
  return () => {
    const [wall, engine] = [wallMs(), engineMs()];
    latestMs = Math.max(latestMs, engine, Math.min(wall, engine + LEAD_MS_MAX));
    return Math.max(wall, latestMs);
  };
}
