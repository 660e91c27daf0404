/** The key figures of a worker process: it counts the journal into `kpi.db` as it grows. */
import { setImmediate as nextTurn } from "node:timers/promises";
import type { Replica } from "../../engine/shell/replica.ts";
import { every, type Log, type Role, roleOf, type Service } from "../../engine/shell/service.ts";
import { KpiFollower } from "./follower.ts";
import type { KpiStore } from "./store.ts";

/** Nobody waits for it: an api process folds by itself what the file does not have yet. */
const RUN_EVERY_MS = 2_000;

export interface KpisOptions {
  readonly store: KpiStore;
  readonly replica: Replica;
  readonly log: Log;
}

export interface Kpis extends Role {
  /** Rows of the journal that are not counted yet. */
  readonly lagRows: () => number;
}

/** Counts from its start on. The store is closed with it. */
export function kpisOf({ store, replica, log }: KpisOptions): Kpis {
  const follower = new KpiFollower(store, replica);
  let isRunning = false;
  let isEnding = false;
  let isHeldUp = false;
  const run = async () => {
    if (isRunning) return;
    isRunning = true;
    try {
      // One slice a turn: whoever was away for long holds nobody up.
      while (!isEnding && follower.readSlice()) await nextTurn();
      isHeldUp = false;
    } catch (error) {
      // A damaged record or a full disk: told once, tried until it passes.
      if (!isHeldUp) log("error", "key figures are held up", { error: String(error) });
      isHeldUp = true;
    } finally {
      isRunning = false;
    }
  };
  const file: Service = { id: "key figures file", stop: () => store.close() };
  const timer = every("key figures timer", RUN_EVERY_MS, () => void run());
  const end = () => {
    isEnding = true;
    timer.stop();
  };
  const role = roleOf("key figures", [file, { ...timer, drain: end, stop: end }], log);
  return { ...role, lagRows: () => replica.head.row - follower.row };
}
