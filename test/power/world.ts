/**
 * The real engine on real files under a clock that the test moves. Opening does what the engine
 * process does at its start: take the epoch, recover, then serve.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { instantIso } from "../../engine/core/calendar.ts";
import type { Command } from "../../engine/core/commands.ts";
import type { Outcome } from "../../engine/core/outcomes.ts";
import { EngineClock } from "../../engine/log/clock.ts";
import { Journal } from "../../engine/log/journal.ts";
import { recordStoreOf } from "../../engine/log/record-store.ts";
import { type Recovered, recover } from "../../engine/log/recover.ts";
import type { TimeSource } from "../../engine/log/system-time.ts";
import type { EngineOptions } from "../../engine/writer/engine.ts";
import { Engine } from "../../engine/writer/engine.ts";
import type { Group, Reply } from "../../engine/writer/group.ts";
import { signReceipt } from "../../engine/writer/receipts.ts";
import { PACKED_FROM_BYTES } from "../support/packed-from.ts";
import { START_MS } from "./commands.ts";

export const LANES = 4;
const RECEIPT_KEYS = { active: "v1", keys: { v1: Buffer.alloc(32, 7) } };

/** A clock that stands still unless it is moved. */
export class ManualTime implements TimeSource {
  wall = START_MS;
  monotonic = 0;
  readonly wallMs = () => this.wall;
  readonly monotonicMs = () => this.monotonic;

  /** Real time passes: both clocks move. */
  pass(ms: number): void {
    this.wall += ms;
    this.monotonic += ms;
  }
}

/** A folder that is gone when the test ends. */
export class Scratch implements Disposable {
  readonly folder = mkdtempSync(join(tmpdir(), "innkeep-"));
  readonly path = join(this.folder, "0.db");

  [Symbol.dispose](): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

export class World implements Disposable {
  readonly path: string;
  readonly time: ManualTime;
  readonly journal: Journal;
  readonly recovered: Recovered;
  readonly engine: Engine;
  readonly fatals: unknown[] = [];
  readonly groups: Group[] = [];
  readonly warnings: string[] = [];

  /** @throws Damage as a start of the engine does. */
  constructor(
    path: string,
    time = new ManualTime(),
    limits: Pick<EngineOptions, "supplyBytesPerDay"> = {},
  ) {
    this.path = path;
    this.time = time;
    this.journal = new Journal(path, { lanes: LANES, packedFromBytes: PACKED_FROM_BYTES });
    try {
      this.journal.takeEpoch();
      this.recovered = this.#recover();
      const { state } = this.recovered;
      const clock = new EngineClock(time, { lastStampMs: state.stamp });
      this.engine = new Engine({
        journal: this.journal,
        records: recordStoreOf(this.journal),
        state,
        clock,
        sign: (kind, atMs, subject) =>
          signReceipt(RECEIPT_KEYS, { kind, issuer: "test", issued_at: instantIso(atMs), subject }),
        reload: () => this.#recover().state,
        onCommitted: (group) => {
          this.groups.push(group);
          this.onGroup();
        },
        ...limits,
        onFatal: (error) => this.fatals.push(error),
        log: () => {},
      });
    } catch (error) {
      this.journal.close();
      throw error;
    }
  }

  #recover(): Recovered {
    return recover(this.journal.db, {
      path: this.path,
      journalId: this.journal.id,
      tracksExpiry: true,
      keys: this.journal.keys,
      warn: (message) => this.warnings.push(message),
    });
  }

  /** Called when a group is durable. */
  onGroup: () => void = () => {};

  /** Submits all at once and runs groups until none waits; replies in the order they came. */
  ask(...commands: readonly Command[]): Reply[] {
    const replies: Reply[] = [];
    for (const command of commands) {
      this.engine.submit({ command, isLapsed: false, send: (reply) => replies.push(reply) });
    }
    do this.engine.runGroup();
    while (this.engine.queued > 0 && this.fatals.length === 0);
    return replies;
  }

  /** Does what time alone makes due. */
  tick(): void {
    this.engine.tick();
    this.engine.runGroup();
  }

  [Symbol.dispose](): void {
    this.engine.stop();
    this.journal.close();
  }
}

/** The outcome a reply carries, or null. */
export function outcomeOf(reply: Reply | undefined): Outcome | null {
  return reply?.rendered ? (JSON.parse(reply.rendered.json) as Outcome) : null;
}
