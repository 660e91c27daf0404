/** What an engine is given. */
import type { Context } from "../core/decision.ts";
import type { State } from "../core/state/state.ts";
import type { EngineClock } from "../log/clock.ts";
import type { JournalWriter } from "../log/journal-port.ts";
import type { RecordStore } from "../log/record-store.ts";
import type { Group } from "./group.ts";

export interface EngineOptions {
  readonly journal: JournalWriter;
  /** The records written beside the journal's rows. */
  readonly records: RecordStore;
  readonly state: State;
  readonly clock: EngineClock;
  readonly sign: Context["sign"];
  /** Journal bytes of supply changes per tenant and day; absent means unlimited. */
  readonly supplyBytesPerDay?: number;
  /** Folds the journal again after a failed group. */
  readonly reload: () => State;
  /** Called after every commit, before the answers. */
  readonly onCommitted: (group: Group) => void;
  /** The process must end: fenced, or a disk error that needs a fresh start. */
  readonly onFatal: (error: unknown) => void;
  readonly log: (level: "info" | "warn" | "error", message: string, fields?: object) => void;
}
