/**
 * A real engine on a real journal in a directory of its own, without Redis: commands go in and
 * groups run when the test says so. Time can be moved forward.
 */
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { instantIso } from "../../engine/core/calendar.ts";
import type { Command } from "../../engine/core/commands.ts";
import type { Outcome } from "../../engine/core/outcomes.ts";
import { EngineClock } from "../../engine/log/clock.ts";
import { Journal, type JournalOptions } from "../../engine/log/journal.ts";
import { RecordReaderOn } from "../../engine/log/record-reader.ts";
import { recordStoreOf } from "../../engine/log/record-store.ts";
import { recover } from "../../engine/log/recover.ts";
import { SYSTEM_TIME } from "../../engine/log/system-time.ts";
import { TimeLineFile } from "../../engine/log/time-line.ts";
import { Engine } from "../../engine/writer/engine.ts";
import type { Group, Reply } from "../../engine/writer/group.ts";
import { signReceipt } from "../../engine/writer/receipts.ts";
import { keyVersionsOf, receiptKeysOf } from "../../src/access/privacy/keychain.ts";
import { loadSecrets, type Secrets } from "../../src/access/privacy/secrets.ts";
import { claimInstallation } from "../../src/lib/installation.ts";
import { logger } from "../../src/lib/log.ts";

export const RIG_LANES = 2;

/** Real time that can be moved forward; wall and monotonic time move together. */
class MovableTime {
  aheadMs = 0;
  readonly wallMs = (): number => SYSTEM_TIME.wallMs() + this.aheadMs;
  readonly monotonicMs = (): number => SYSTEM_TIME.monotonicMs() + this.aheadMs;
}

export class LoneEngine {
  /** Holds `engine/0.db` and `secrets.json`, as a `DATA_DIR` does. */
  readonly dataDir = mkdtempSync(join(tmpdir(), "engine-rig-"));
  readonly journalPath = join(this.dataDir, "engine", "0.db");
  readonly #time = new MovableTime();
  readonly #timeLine: TimeLineFile;
  readonly #clock: EngineClock;
  readonly installationId = claimInstallation(this.dataDir).installationId;
  readonly secrets: Secrets = loadSecrets(this.dataDir, {});
  readonly journal: Journal;
  readonly engine: Engine;
  /** Reads the projections as other processes do. */
  readonly records: RecordReaderOn;
  /** What was logged, one JSON line each. */
  readonly logged: string[] = [];
  /** Called after every commit, before the answers. */
  onCommitted: (group: Group) => void = () => {};
  readonly #looks = new Set<() => void>();
  readonly logger = logger("rig", { logLevel: "debug" }, (line) => void this.logged.push(line));

  /** `options` are the journal's. */
  constructor(options: Omit<JournalOptions, "lanes"> = {}) {
    mkdirSync(join(this.dataDir, "engine"));
    this.journal = new Journal(this.journalPath, { lanes: RIG_LANES, ...options });
    this.journal.takeEpoch();
    this.#timeLine = new TimeLineFile(this.journalPath);
    const { publish } = this.#timeLine;
    this.#clock = new EngineClock(this.#time, { lastStampMs: 0, publish });
    this.records = new RecordReaderOn(this.journal.db);
    const keys = receiptKeysOf(keyVersionsOf(this.secrets, "receipts"));
    const recovery = { path: this.journalPath, journalId: this.journal.id, tracksExpiry: true };
    const reload = () => recover(this.journal.db, recovery).state;
    this.engine = new Engine({
      journal: this.journal,
      records: recordStoreOf(this.journal),
      state: reload(),
      clock: this.#clock,
      sign: (kind, issuedAtMs, subject) =>
        signReceipt(keys, { kind, issuer: "rig", issued_at: instantIso(issuedAtMs), subject }),
      reload,
      onCommitted: (group) => {
        this.onCommitted(group);
        for (const look of this.#looks) look();
      },
      onFatal: (error) => {
        throw error;
      },
      log: this.log,
    });
    this.engine.tick();
    this.engine.runGroup();
  }

  /** The rig's log in the shape that engine and jobs take. */
  readonly log = (level: "info" | "warn" | "error", message: string, fields?: object): void =>
    this.logger[level](message, { ...fields });

  /** Runs groups until all commands are decided; returns what each came to. */
  decide(commands: readonly Command[]): Outcome[] {
    const outcomes: Outcome[] = [];
    const send = ({ rendered }: Reply) => outcomes.push(JSON.parse(rendered?.json ?? "null"));
    for (const command of commands) this.engine.submit({ command, isLapsed: false, send });
    while (this.engine.queued > 0) this.engine.runGroup();
    return outcomes;
  }

  /** The wall clock, epoch milliseconds; the engine's stamps agree with it. */
  readonly now = (): number => this.#time.wallMs();

  /** Moves time forward for the engine and for everybody who asks `now`. */
  advance(durationMs: number): void {
    this.#time.aheadMs += durationMs;
  }

  /** Resolves at the first commit, or now, at which the condition holds. */
  until(isSo: () => boolean): Promise<void> {
    return new Promise((resolve) => {
      const look = () => {
        if (!isSo()) return;
        this.#looks.delete(look);
        resolve();
      };
      this.#looks.add(look);
      look();
    });
  }

  /** Ends the engine and removes its directory. */
  close(): void {
    this.engine.stop();
    this.#timeLine.stop();
    this.journal.close();
    rmSync(this.dataDir, { recursive: true });
  }
}
