/**
 * `traffic.db`: requests by minute, agent and route, written by every api process. Unlike `kpi.db`
 * it cannot be rebuilt.
 */
import type { Database } from "bun:sqlite";
import type { Realm } from "../../engine/core/supply.ts";
import { openStoreFile } from "../../src/lib/store-file.ts";

/** Upper bounds of latencies in milliseconds; the last column counts slower requests. */
export const BOUNDS_MS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000] as const;

const MINUTE_MS = 60_000;
const HOUR_MINUTES = 60;
const DAY_MINUTES = 24 * HOUR_MINUTES;
/** Older minutes become hours; older hours are deleted. */
const MINUTES_KEPT_DAYS = 2;
const HOURS_KEPT_DAYS = 400;

const FORMAT = 1;
/** Short, because the next minute can retry. */
const BUSY_TIMEOUT_MS = 20;

const LATENCIES = [...BOUNDS_MS, 0].map((_, nth) => `l${nth}`);
const COUNTS = ["answered", "refused", "failed", ...LATENCIES];
const KEY = ["tenant_id", "mode", "minute", "agent_id", "route"];
const TABLE = `CREATE TABLE traffic (
  tenant_id TEXT NOT NULL, mode TEXT NOT NULL, minute INTEGER NOT NULL,
  agent_id TEXT NOT NULL, route TEXT NOT NULL,
  ${COUNTS.map((count) => `${count} INTEGER NOT NULL`).join(", ")},
  PRIMARY KEY (${KEY.join(", ")})
) STRICT, WITHOUT ROWID;`;
const ADDED = `ON CONFLICT DO UPDATE SET
  ${COUNTS.map((count) => `${count} = ${count} + excluded.${count}`).join(", ")}`;

/** Requests of an agent to a route: answers below 400, below 500, others; and latencies. */
export interface Traffic extends Realm {
  readonly agent_id: string;
  /** The id of the route. */
  readonly route: string;
  answered: number;
  refused: number;
  failed: number;
  /** Requests by latency, one more than there are bounds. */
  readonly latencies: number[];
}

export class TrafficFile {
  readonly #db: Database;

  /**
   * Opens or creates the file at `path`, as `openStoreFile` does.
   *
   * @throws StartRefused when the file is damaged or has another format.
   */
  constructor(path: string) {
    const terms = {
      format: FORMAT,
      synchronous: "normal",
      busyTimeoutMs: BUSY_TIMEOUT_MS,
      isLocal: true,
    } as const;
    this.#db = openStoreFile(path, { tables: TABLE, ...terms });
  }

  /** Adds counts to a minute. Throws when another process writes for longer than `waitMs`. */
  add(counts: readonly Traffic[], nowMs: number, waitMs: number = BUSY_TIMEOUT_MS): void {
    this.#db.run(`PRAGMA busy_timeout = ${waitMs}`);
    const insert = this.#db.query(`INSERT INTO traffic (${[...KEY, ...COUNTS].join(", ")})
      VALUES (${[...KEY, ...COUNTS].map(() => "?").join(", ")}) ${ADDED}`);
    const minute = Math.floor(nowMs / MINUTE_MS);
    this.#db
      .transaction(() => {
        for (const { tenant_id, mode, agent_id, route, ...of } of counts) {
          const { answered, refused, failed, latencies } = of;
          const key = [tenant_id, mode, minute, agent_id, route];
          insert.run(...key, answered, refused, failed, ...latencies);
        }
      })
      .immediate();
  }

  /** Sums of a realm by agent and route, over days of UTC, both included. */
  sums({ tenant_id, mode }: Realm, firstDay: number, lastDay: number): Traffic[] {
    const select = `SELECT agent_id, route, ${COUNTS.map((each) => `SUM(${each}) AS ${each}`)}
      FROM traffic WHERE tenant_id = ? AND mode = ? AND minute >= ? AND minute < ?
      GROUP BY agent_id, route`;
    const rows = this.#db
      .query<Record<string, number> & { agent_id: string; route: string }, (string | number)[]>(
        select,
      )
      .all(tenant_id, mode, firstDay * DAY_MINUTES, (lastDay + 1) * DAY_MINUTES);
    return rows.map(({ agent_id, route, ...counts }) => {
      const { answered, refused, failed } = counts as Record<string, number>;
      const latencies = LATENCIES.map((name) => (counts as Record<string, number>)[name]!);
      const of = { answered: answered!, refused: refused!, failed: failed!, latencies };
      return { tenant_id, mode, agent_id, route, ...of };
    });
  }

  /** Merges old minutes into hours and deletes old hours. */
  tidy(nowMs: number): void {
    const today = Math.floor(nowMs / MINUTE_MS / DAY_MINUTES) * DAY_MINUTES;
    const old = `minute < ${today - MINUTES_KEPT_DAYS * DAY_MINUTES} AND minute % ${HOUR_MINUTES} <> 0`;
    const hour = `minute - minute % ${HOUR_MINUTES}`;
    const sums = COUNTS.map((count) => `SUM(${count})`).join(", ");
    this.#db
      .transaction(() => {
        this.#db.run(`INSERT INTO traffic (${[...KEY, ...COUNTS].join(", ")})
          SELECT tenant_id, mode, ${hour}, agent_id, route, ${sums} FROM traffic WHERE ${old}
          GROUP BY tenant_id, mode, ${hour}, agent_id, route ${ADDED}`);
        this.#db.run(`DELETE FROM traffic WHERE ${old}`);
        const forgotten = today - HOURS_KEPT_DAYS * DAY_MINUTES;
        this.#db.run(`DELETE FROM traffic WHERE minute < ${forgotten}`);
      })
      .immediate();
  }

  close(): void {
    this.#db.close();
  }
}
