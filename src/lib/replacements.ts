/**
 * Counts of restarted processes. The supervisor sends them to the worker, which serves the metrics.
 */
import type { ChildRole } from "./lifecycle.ts";
import type { Family } from "./metrics.ts";

export interface Replacement {
  readonly role: ChildRole | "redis";
  /** It ended, or it was killed because it hung. */
  readonly reason: "died" | "silent";
  readonly count: number;
}

/** All counts so far. */
export interface ReplacementsMessage {
  readonly replacements: readonly Replacement[];
}

let received: readonly Replacement[] = [];

/** Listens for the supervisor's counts. */
export function listenForReplacements(): void {
  process.on("message", (message: unknown) => {
    const { replacements } = (message ?? {}) as Partial<ReplacementsMessage>;
    if (replacements) received = replacements;
  });
}

/** The received counts as a metric. */
export function replacementsFamily(replacements = received): Family {
  return {
    name: "innkeep_process_replacements_total",
    type: "counter",
    help: "Restarted processes, by role and reason.",
    samples: replacements.map(({ role, reason, count }) => {
      return { labels: `role="${role}",reason="${reason}"`, value: count };
    }),
  };
}
