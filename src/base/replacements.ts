/**
 * What the supervisor had to replace, and why. It counts and tells the worker, which shows it with
 * the metrics of all processes.
 */
import type { ChildRole } from "../lifecycle.ts";
import type { Family } from "./metrics.ts";

export interface Replacement {
  readonly role: ChildRole | "redis";
  /** It ended, or it was killed because it did not get on. */
  readonly reason: "died" | "silent";
  readonly count: number;
}

/** What the supervisor sends: everything it has replaced so far. */
export interface ReplacementsMessage {
  readonly replacements: readonly Replacement[];
}

let told: readonly Replacement[] = [];

/** Takes what the supervisor tells this process from now on. */
export function hearReplacements(): void {
  process.on("message", (message: unknown) => {
    const { replacements } = (message ?? {}) as Partial<ReplacementsMessage>;
    if (replacements) told = replacements;
  });
}

/** The replacements that this process was told of. */
export function replacementsFamily(replacements = told): Family {
  return {
    name: "innkeep_process_replacements_total",
    type: "counter",
    help: "Processes started again, by role and by why.",
    samples: replacements.map(({ role, reason, count }) => {
      return { labels: `role="${role}",reason="${reason}"`, value: count };
    }),
  };
}
