/**
 * Scrubs the checked rows of `control.db` in the worker: at start, every ten minutes, and every
 * minute while there is damage, so that a repaired file is noticed soon. Other processes are
 * notified of a damaged row and deny it too.
 */

import { runInSlices } from "../../lib/run-in-slices.ts";
import { every, type Log, type Service } from "../../lib/service.ts";
import { type CheckedTable, checkingRows, type DamagedRow } from "./checked-rows.ts";
import type { ControlStore } from "./store.ts";

const LOOK_EVERY_MS = 60_000;
/** One look in ten reads everything while all is sound. */
const LOOKS_PER_PASS = 10;

export type ControlDamage = "control_row_damaged" | "control_file_damaged";
export const CONTROL_REMEDY =
  "run `npm run admin -- damaged-rows drop`: what they allowed is then revoked; issue it anew";

/** Damaged rows, and SQLite's check of the file. */
export interface ControlFindings {
  readonly rows: readonly DamagedRow[];
  /** SQLite's message; null when sound. */
  readonly file: string | null;
}

/** Reads the whole file in steps of a few milliseconds; writes nothing. */
export function* scrubbingControl(db: ControlStore["db"]): Generator<void, ControlFindings> {
  const check = db.query<{ quick_check: string }, []>("PRAGMA quick_check(1)").get();
  const file = check?.quick_check === "ok" ? null : (check?.quick_check ?? "no answer");
  yield;
  return { rows: yield* checkingRows(db), file };
}

export class ControlScrubber implements Service {
  readonly id = "control scrubber";
  readonly #store: ControlStore;
  readonly #log: Log;
  readonly #timer = every(this.id, LOOK_EVERY_MS, () => void this.#look());
  #looks = 0;
  #isRunning = false;
  #isStopped = false;
  #endedAtMs = 0;
  #findings: ControlFindings = { rows: [], file: null };

  constructor(store: ControlStore, log: Log) {
    this.#store = store;
    this.#log = log;
  }

  start(): void {
    this.#timer.start();
  }

  stop(): void {
    this.#isStopped = true;
    this.#timer.stop();
  }

  /** Findings of the last pass. */
  get findings(): ControlFindings {
    return this.#findings;
  }

  /** End of the last pass, epoch milliseconds; 0 before the first. */
  get endedAtMs(): number {
    return this.#endedAtMs;
  }

  /** Names of the damage. */
  get damage(): readonly ControlDamage[] {
    const { rows, file } = this.#findings;
    return [
      ...(rows.length > 0 ? (["control_row_damaged"] as const) : []),
      ...(file !== null ? (["control_file_damaged"] as const) : []),
    ];
  }

  /** Runs a pass now. */
  async run(): Promise<void> {
    if (this.#isRunning || this.#isStopped) return;
    this.#isRunning = true;
    try {
      const steps = scrubbingControl(this.#store.db);
      const found = await runInSlices(steps, () => this.#isStopped);
      if (found !== null) this.#note(found);
    } catch (error) {
      const { rows } = this.#findings;
      this.#note({ rows, file: String(error) });
    } finally {
      this.#isRunning = false;
    }
  }

  #look(): Promise<void> | undefined {
    const isDue = this.#looks % LOOKS_PER_PASS === 0 || this.damage.length > 0;
    this.#looks += 1;
    return isDue ? this.run() : undefined;
  }

  #note(found: ControlFindings): void {
    const known = new Set(this.#findings.rows.map(nameOf));
    const isFileNews = found.file !== null && found.file !== this.#findings.file;
    this.#findings = found;
    this.#endedAtMs = Date.now();
    if (isFileNews) {
      const fields = { damage: "control_file_damaged", problem: found.file };
      this.#log("error", "control.db is damaged", { ...fields, remedy: "restore a back-up" });
    }
    for (const each of found.rows.filter((row) => !known.has(nameOf(row)))) {
      this.#log("error", "control.db is damaged", {
        damage: "control_row_damaged",
        ...each,
        remedy: CONTROL_REMEDY,
      });
      this.#tellViews(each);
    }
  }

  /** Best effort: without it, views keep the sound row they have. */
  #tellViews(row: DamagedRow): void {
    try {
      announceRow(this.#store, row.table, row.id);
    } catch (error) {
      this.#log("warn", "cannot notify other processes of a damaged row", { error: String(error) });
    }
  }
}

function nameOf({ table, id }: DamagedRow): string {
  return `${table} ${id}`;
}

/** Makes every view read the row again; the row is unchanged. */
function announceRow({ db, write }: ControlStore, table: CheckedTable, id: string): void {
  write(() => {
    if (table === "agent" || table === "credential" || table === "issuer" || table === "person") {
      db.query("DELETE FROM news WHERE id = ?").run(id);
      db.query("INSERT INTO news (id, kind) VALUES (?, ?)").run(id, table);
    }
    if (table === "webhook_endpoint") {
      db.run(`UPDATE meta SET value = CAST(value AS INTEGER) + 1
        WHERE name = 'webhook_endpoint_changes'`);
    }
  });
}
