/** The clock for the expiry of credentials, tokens and consent. */

/** Limit of the remembered wall clock ahead of engine time. */
const LEAD_MS_MAX = 60_000;

/**
 * The later of wall clock and engine time, epoch milliseconds. It remembers its latest result, up
 * to a minute ahead of engine time, which never goes back. So a wall clock that is set back revives
 * nothing, and one that was years ahead for a while expires nothing permanently.
 */
export function expiryClock(wallMs: () => number, engineMs: () => number): () => number {
  let latestMs = 0;
  return () => {
    const [wall, engine] = [wallMs(), engineMs()];
    latestMs = Math.max(latestMs, engine, Math.min(wall, engine + LEAD_MS_MAX));
    return Math.max(wall, latestMs);
  };
}
