/** The key figures of a worker process: counts the journal into `kpi.db` as it grows. */
import { setImmediate as nextTurn } from "node:timers/promises";
import type { Replica } from "../../engine/log/replica.ts";
import { every, type Log, type Role, roleOf, type Service } from "../../src/lib/service.ts";
import { KpiFollower } from "./follower.ts";
import type { KpiStore } from "./store.ts";

/** Rarely, because an api process folds missing rows itself. */
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

/** Counts after its start. Closes the store when it stops. */
export function kpisOf({ store, replica, log }: KpisOptions): Kpis {
  const follower = new KpiFollower(store, replica);
  let isRunning = false;
  let isEnding = false;
  let hasFailed = false;
  const run = async () => {
    if (isRunning) return;
    isRunning = true;
    try {
      // One slice per turn keeps the process responsive after a long absence.
      while (!isEnding && follower.readSlice()) await nextTurn();
      hasFailed = false;
    } catch (error) {
      // A damaged record or a full disk: logged once and retried.
      if (!hasFailed) log("error", "cannot count key figures", { error: String(error) });
      hasFailed = true;
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
