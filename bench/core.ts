/**
 * `core.ts <directory> <events>`: the engine alone. Prints as JSON the commands a second that it
 * decides, and makes durable with 10 M keys present; the events a second that a start replays; the
 * length of a start; and the bytes of a hold in the journal (T5 and T7).
 */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { decide } from "../engine/core/decide.ts";
import { evolve } from "../engine/core/evolve.ts";
import { quoteText } from "../engine/core/price/quote-codec.ts";
import { SqliteJournalReader } from "../engine/log/journal-reader.ts";
import { KeyRunKeeper } from "../engine/log/keys/key-run-keeper.ts";
import { recover } from "../engine/log/recover.ts";
import { openForReading } from "../engine/log/schema.ts";
import { writeSnapshot } from "../engine/log/snapshot.ts";
import { QUOTES } from "./baselines/peer2-seed.ts";
import {
  type Arrival,
  CoreRig,
  commandOf,
  freshMeta,
  neverSign,
  placeHold,
  TENANT,
} from "./core-rig.ts";
import { addKeys } from "./filler.ts";
import { shown, type Verdict } from "./result.ts";
import { summarize } from "./samples.ts";

const ROUNDS = 5;
const COMMANDS_PER_ROUND = 40_000;
/** The group that T5 names. */
const GROUP = 128;
const KEYS = 10_000_000;

/** Output of this program. */
export interface CoreFigures {
  readonly verdicts: readonly Verdict[];
  /** `engine_per_s=…` and the others, for programs. */
  readonly ratioLines: readonly string[];
}

const perSecond = (count: number, sinceMs: number) =>
  (count * 1000) / (performance.now() - sinceMs);

/** Median commands per second of `round` over all rounds, the first one being a warm-up. */
function rateOf(round: () => number): number {
  const rates = Array.from({ length: ROUNDS + 1 }, round);
  return summarize(rates.slice(1)).median;
}

/** Holds of one quote after the other. */
function arrivals(quotes: readonly string[], from: number, count: number): Arrival[] {
  return Array.from({ length: count }, (_, i) => {
    return { meta: freshMeta(), quote: quotes[(from + i) % quotes.length]! };
  });
}

/** Decide and evolve in memory alone: no quote is read, no journal, no rows, no replies. */
function coreRate(rig: CoreRig, quotes: readonly string[]): number {
  const { state, records } = rig.engine;
  return rateOf(() => {
    const commands = arrivals(quotes, 0, COMMANDS_PER_ROUND).map(commandOf);
    const stamp = Date.now();
    const startedMs = performance.now();
    for (const command of commands) {
      const row = state.row + 1;
      const { events, phase } = decide(command, {
        state,
        records,
        stamp,
        now: stamp,
        row,
        sign: neverSign,
      });
      const { tenant_id, mode, actor, trace_id } = command;
      const about = { tenant_id, mode, actor, trace_id, key: null, phase };
      evolve(state, { ...about, row, stamp, events, outcome: null }, null);
    }
    return perSecond(commands.length, startedMs);
  });
}

/**
 * The real engine and the real journal, one transaction and one fsync per 128 commands, whose
 * quotes it reads. They are held in turns over all rounds, as those of the holds by HTTP are.
 */
function journaledRate(rig: CoreRig, quotes: readonly string[]): number {
  let held = 0;
  return rateOf(() => {
    const groups = Array.from({ length: Math.ceil(COMMANDS_PER_ROUND / GROUP) }, () => {
      held += GROUP;
      return arrivals(quotes, held, GROUP);
    });
    const startedMs = performance.now();
    for (const group of groups) rig.submit(group.map(commandOf), () => {});
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
      outcomes.map((outcome) => {
        const hold_id = outcome.ok && outcome.kind === "hold" ? outcome.data.hold_id : "";
        return { ...freshMeta(), type: "ReleaseHold", hold_id };
      }),
    );
  }
  rig.close();
  return rig.path;
}

/** Events per second of a fold from the first row. */
function replayRate(path: string): number {
  const db = openForReading(path);
  const { value: journalId } = db
    .query<{ value: string }, []>("SELECT value FROM meta WHERE name = 'journal_id'")
    .get()!;
  const startedMs = performance.now();
  const { head } = recover(db, { path, journalId, tracksExpiry: true, ignoreSnapshots: true });
  const rate = perSecond(head.row, startedMs);
  db.close();
  return rate;
}

/** Bytes of the pages of the journal's table. */
function bytesOf(journalPath: string): number {
  using db = openForReading(journalPath);
  const sql = "SELECT sum(pgsize) AS bytes FROM dbstat WHERE name = 'journal'";
  return db.query<{ bytes: number }, []>(sql).get()!.bytes;
}

/** T5 without a key, and the bytes of a hold. */
function aloneFigures(directory: string): CoreFigures {
  mkdirSync(directory);
  const rig = new CoreRig(directory);
  const quotes = rig.seed(QUOTES).map(quoteText);
  const [before, { row }] = [bytesOf(rig.path), rig.journal.head];
  const measured = journaledRate(rig, quotes);
  const perHold = (bytesOf(rig.path) - before) / (rig.journal.head.row - row);
  const alone = coreRate(rig, quotes);
  rig.close();
  const text = `commands/s journaled in groups of ${GROUP}, no keys present`;
  const verdicts: Verdict[] = [
    { name: "T5", text, measured, target: 100_000, goal: 1_000_000, bound: "at least" },
    {
      ...{ name: "T5", text: "commands/s without journal", measured: alone },
      ...{ target: 5_000_000, bound: "at least" },
    },
    {
      ...{ name: "size", text: "bytes of the journal per hold", measured: perHold },
      ...{ target: 450, goal: 250, bound: "at most" },
    },
  ];
  return { verdicts, ratioLines: [`journal_bytes_per_hold=${perHold.toFixed(0)}`] };
}

/** As the worker does meanwhile: writes the keys in runs, and a snapshot. */
async function settle({ path, journal, engine }: CoreRig): Promise<void> {
  const { id: journalId, head } = journal;
  const reader = new SqliteJournalReader(journal.db);
  const of = { journalPath: path, journalId, journal: reader, keptDays: 7, nowMs: Date.now };
  await new KeyRunKeeper({ ...of, log: () => {} }).cover(head.row);
  const { state } = engine;
  // The rows that were added have no events: a fold of them changes this and nothing else.
  state.row = head.row;
  state.stamp = reader.row(head.row)!.stamp;
  writeSnapshot(path, journalId, head, state);
}

/** T5 with 10 M keys, and a start behind as many rows and a snapshot. */
async function keyFigures(directory: string): Promise<CoreFigures> {
  mkdirSync(directory);
  const made = new CoreRig(directory);
  const quotes = made.seed(QUOTES).map(quoteText);
  addKeys(made.journal, TENANT, KEYS);
  await settle(made);
  made.close();
  const startedMs = performance.now();
  const rig = new CoreRig(directory);
  const seconds = (performance.now() - startedMs) / 1000;
  if (rig.recovered.replayed > 0) throw new Error("the start did not go on from the snapshot");
  const measured = journaledRate(rig, quotes);
  rig.close();
  const count = shown(KEYS, 0);
  const text = `commands/s journaled in groups of ${GROUP}, ${count} keys present`;
  const verdicts: Verdict[] = [
    { name: "T5", text, measured, target: 100_000, goal: 1_000_000, bound: "at least" },
    {
      ...{ name: "T7", text: `start in s behind a snapshot, ${count} rows and keys` },
      ...{ measured: seconds, target: 5, goal: 1, bound: "at most" },
    },
  ];
  const ratioLines = [`engine_per_s=${measured.toFixed(0)}`, `restart_s=${seconds.toFixed(3)}`];
  return { verdicts, ratioLines };
}

function replayFigures(directory: string, events: number): CoreFigures {
  mkdirSync(directory);
  const measured = replayRate(writeHistory(directory, events));
  const text = `events replayed per second, of ${shown(events, 0)}`;
  const verdicts: Verdict[] = [
    { name: "T7", text, measured, target: 400_000, goal: 1_000_000, bound: "at least" },
  ];
  return { verdicts, ratioLines: [`replay_per_s=${measured.toFixed(0)}`] };
}

const [parent = "", events = ""] = process.argv.slice(2);
const all = [
  aloneFigures(join(parent, "core")),
  replayFigures(join(parent, "history"), Number(events)),
  await keyFigures(join(parent, "core-keys")),
];
const figures: CoreFigures = {
  verdicts: all.flatMap(({ verdicts }) => verdicts),
  ratioLines: all.flatMap(({ ratioLines }) => ratioLines),
};
console.log(JSON.stringify(figures));
