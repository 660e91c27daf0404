/**
 * `core.ts <directory> [--keys N] [--events N]`: the engine without anything around it. Prints how
 * many commands it decides, how many it makes durable, and how long a restart takes (T5 and T7), as
 * verdicts in JSON.
 */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { decide } from "../engine/core/decide.ts";
import { evolve } from "../engine/core/evolve.ts";
import type { FrozenQuote } from "../engine/core/quote.ts";
import { recover } from "../engine/shell/recover.ts";
import { openForReading } from "../engine/shell/schema.ts";
import { writeSnapshot } from "../engine/shell/snapshot.ts";
import { CoreRig, neverSign, placeHold, TENANT } from "./core-rig.ts";
import { addKeys } from "./filler.ts";
import type { Verdict } from "./result.ts";
import { summarize } from "./stats.ts";

const QUOTES = 20_000;
const ROUNDS = 5;
const COMMANDS_PER_ROUND = 40_000;
/** The group that T5 names. */
const GROUP = 128;
const FULL_EVENTS = 10_000_000;

const perSecond = (count: number, sinceMs: number) =>
  (count * 1000) / (performance.now() - sinceMs);

/** Median commands per second of `round` over all rounds, the first one being a warm-up. */
function rateOf(round: () => number): number {
  const rates = Array.from({ length: ROUNDS + 1 }, round);
  return summarize(rates.slice(1)).median;
}

/** Decide and evolve in memory alone: no journal, no rows, no replies. */
function coreRate(rig: CoreRig, quotes: readonly FrozenQuote[]): number {
  const { state, records } = rig.engine;
  return rateOf(() => {
    const commands = Array.from({ length: COMMANDS_PER_ROUND }, (_, i) =>
      placeHold(quotes[i % quotes.length]!),
    );
    const stamp = Date.now();
    const startedMs = performance.now();
    for (const command of commands) {
      const row = state.row + 1;
      const { events, phase } = decide(command, { state, records, stamp, row, sign: neverSign });
      const { tenant_id, mode, actor, trace_id } = command;
      const about = { tenant_id, mode, actor, trace_id, key: null, phase };
      evolve(state, { ...about, row, stamp, events, outcome: null }, null);
    }
    return perSecond(commands.length, startedMs);
  });
}

/** The real engine and the real journal, one transaction and one fsync per 128 commands. */
function journaledRate(rig: CoreRig, quotes: readonly FrozenQuote[]): number {
  return rateOf(() => {
    const groups = Array.from({ length: Math.ceil(COMMANDS_PER_ROUND / GROUP) }, (_, group) =>
      Array.from({ length: GROUP }, (_, i) =>
        placeHold(quotes[(group * GROUP + i) % quotes.length]!),
      ),
    );
    const startedMs = performance.now();
    for (const commands of groups) rig.submit(commands, () => {});
    return perSecond(groups.length * GROUP, startedMs);
  });
}

/** Holds that are placed and released: the history grows and the state does not. */
function writeHistory(directory: string, events: number): string {
  const rig = new CoreRig(directory);
  const quotes = rig.seed(QUOTES);
  for (let made = 0; made < events; made += 2 * GROUP) {
    const commands = Array.from({ length: GROUP }, (_, i) =>
      placeHold(quotes[(made / 2 + i) % quotes.length]!),
    );
    const outcomes = rig.decide(commands);
    rig.decide(
      outcomes.map((outcome, i) => {
        const {
          quote: _quote,
          quote_id: _id,
          limits: _limits,
          ttl_ms: _ttl,
          ...meta
        } = commands[i]!;
        const hold_id = outcome.ok && outcome.kind === "hold" ? outcome.data.hold_id : "";
        const key = `${meta.random.slice(16)}${meta.random.slice(0, 16)}`;
        return { ...meta, key, type: "ReleaseHold", hold_id };
      }),
    );
  }
  rig.close();
  return rig.path;
}

/** Events per second of a fold from the first row, and milliseconds of one behind a snapshot. */
function restart(path: string): { readonly replayRate: number; readonly snapshotMs: number } {
  const db = openForReading(path);
  const { value: journalId } = db
    .query<{ value: string }, []>("SELECT value FROM meta WHERE name = 'journal_id'")
    .get()!;
  const options = { path, journalId, tracksExpiry: true };
  const startedMs = performance.now();
  const { state, head } = recover(db, { ...options, ignoreSnapshots: true });
  const replayRate = perSecond(head.row, startedMs);
  writeSnapshot(path, journalId, head, state);
  const snapshotStartMs = performance.now();
  recover(db, options);
  const snapshotMs = performance.now() - snapshotStartMs;
  db.close();
  return { replayRate, snapshotMs };
}

function t5(directory: string, keys: number): Verdict[] {
  const present = keys > 0 ? `${keys} keys present` : "no keys present";
  mkdirSync(directory);
  if (keys > 0) {
    const rig = new CoreRig(directory);
    addKeys(rig.journal, TENANT, keys);
    rig.close();
  }
  const rig = new CoreRig(directory);
  const quotes = rig.seed(QUOTES);
  const measured = journaledRate(rig, quotes);
  const text = `commands/s journaled in groups of ${GROUP}, ${present}`;
  const verdicts: Verdict[] = [
    { name: "T5", text, measured, target: 100_000, goal: 1_000_000, bound: "at least" },
  ];
  if (keys === 0) {
    const alone = coreRate(rig, quotes);
    const without = { measured: alone, target: 5_000_000, bound: "at least" } as const;
    verdicts.push({ name: "T5", text: "commands/s without journal", ...without });
  }
  rig.close();
  return verdicts;
}

function t7(directory: string, events: number): Verdict[] {
  mkdirSync(directory);
  const { replayRate, snapshotMs } = restart(writeHistory(directory, events));
  const scale = FULL_EVENTS / events;
  const note = scale === 1 ? "" : `, extrapolated from ${events}`;
  const seconds = (snapshotMs * scale) / 1000;
  return [
    {
      ...{ name: "T7", text: "events replayed per second", bound: "at least" },
      ...{ measured: replayRate, target: 400_000, goal: 1_000_000 },
    },
    {
      ...{ name: "T7", text: `restart in s, 10 M events behind a snapshot${note}` },
      ...{ measured: seconds, target: 5, goal: 1, bound: "at most" },
    },
  ];
}

const { positionals, values } = parseArgs({
  options: {
    keys: { type: "string", default: "0" },
    events: { type: "string", default: "1000000" },
  },
  allowPositionals: true,
});
const [parent = ""] = positionals;
const keys = Number(values.keys);
const verdicts = [
  ...t5(join(parent, "core"), 0),
  ...(keys > 0 ? t5(join(parent, "core-keys"), keys) : []),
  ...t7(join(parent, "history"), Number(values.events)),
];
console.log(JSON.stringify(verdicts));
