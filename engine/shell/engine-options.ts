/** What an engine is given: where it writes, what time it is, and whom it tells. */
import type { Context } from "../core/decide/context.ts";
import type { State } from "../core/state.ts";
import type { EngineClock } from "./clock.ts";
import type { Group } from "./group.ts";
import type { JournalWriter } from "./journal-port.ts";
import type { RecordStore } from "./record-store.ts";

export interface EngineOptions {
  readonly journal: JournalWriter;
  /** Those that are written beside the journal's rows. */
  readonly records: RecordStore;
  readonly state: State;
  readonly clock: EngineClock;
  readonly sign: Context["sign"];
  /** Journal bytes that a tenant's changes of supply may take in a day; without it no limit. */
  readonly supplyBytesPerDay?: number;
  /** Folds the journal again after a group that did not commit. */
  readonly reload: () => State;
  /** After every commit, before the answers: keys answered, work made due. */
  readonly onCommitted: (group: Group) => void;
  /** The process must end: fenced, or a disk error that only a fresh start can judge. */
  readonly onFatal: (error: unknown) => void;
  readonly log: (level: "info" | "warn" | "error", message: string, fields?: object) => void;
}
