/**
 * Reports of damaged records by processes that only read: logged once, and sent to the engine,
 * which checks and quarantines the record. Repeated once a minute in case the engine was away.
 */
import { randomBytes } from "node:crypto";
import type { RecordDamaged } from "../../engine/core/record-damage.ts";
import type { Log } from "../../src/lib/service.ts";
import { NoOutcome, type Submitter } from "./submitter.ts";

const REPEAT_AFTER_MS = 60_000;
const SUBMIT_MS_MAX = 10_000;

export class DamageReports {
  readonly #submitter: Pick<Submitter, "submit">;
  readonly #log: Log;
  readonly #reportedAtMs = new Map<string, number>();

  constructor(submitter: Pick<Submitter, "submit">, log: Log) {
    this.#submitter = submitter;
    this.#log = log;
  }

  /** Reports a damaged record; returns at once. */
  report({ kind, id, problem }: RecordDamaged): void {
    const name = `${kind}:${id}`;
    const reportedAtMs = this.#reportedAtMs.get(name);
    const nowMs = performance.now();
    if (reportedAtMs !== undefined && nowMs - reportedAtMs < REPEAT_AFTER_MS) return;
    this.#reportedAtMs.set(name, nowMs);
    if (reportedAtMs === undefined)
      this.#log("error", "a record is damaged", { kind, id, problem });
    const random = randomBytes(16).toString("hex");
    const meta = { tenant_id: "", mode: "live", trace_id: random, docs: "", random } as const;
    const actor = { kind: "system", id: "records" } as const;
    this.#submitter
      .submit({ ...meta, actor, type: "CheckRecord", kind, id }, { deadlineMs: SUBMIT_MS_MAX })
      .catch((error: unknown) => {
        if (!(error instanceof NoOutcome)) throw error;
      });
  }
}
