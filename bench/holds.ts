/** The load by which this project is measured: `POST /v1/holds`, each with its own key. */
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { journalPath } from "../src/config.ts";
import { QUOTES } from "./baselines/peer2-seed.ts";
import { type PeerOptions, startPeer1, startPeer2 } from "./baselines/peers.ts";
import type { Bench } from "./bench.ts";
import type { Fixture } from "./fixture.ts";
import type { Installation } from "./installation.ts";
import { Ledger } from "./ledger.ts";
import type { LoadOptions } from "./load.ts";
import { measureLoad, type Run } from "./measure.ts";
import type { Round } from "./progress.ts";
import { shown } from "./result.ts";
import { type Samples, sampleOf } from "./samples.ts";
import { onInterrupt } from "./teardown.ts";
import type { Crowd } from "./tenant.ts";
import { type Timing, warmedUpBy } from "./timing.ts";

export interface HoldLoad extends Timing {
  readonly connections: number;
  /** Of the idempotency keys; no two loads of one copy have the same. */
  readonly keyPrefix?: string;
}

/** 1b: one PL/pgSQL call per hold; 2: one Redis script. */
export type PeerName = "peer 1b" | "peer 2";

/** A run, and the keys of the acknowledged holds. */
export interface HoldRun extends Run {
  readonly keys: readonly string[];
}

function optionsOf(quoteIds: readonly string[], load: HoldLoad) {
  const bodies = quoteIds.map((quote_id) => JSON.stringify({ quote_id }));
  return { method: "POST", keyPrefix: "k", ...load, bodies } as const;
}

/** Loads a copy. Throws when a hold is refused. */
export async function holdOn(
  { quotes }: Fixture,
  copy: Installation,
  { crowd, ...load }: HoldLoad & { readonly crowd: Crowd },
): Promise<HoldRun> {
  const ids = quotes[crowd].map(({ quote_id }) => quote_id);
  const options: LoadOptions & { readonly keyPrefix: string } = {
    ...{ url: `${copy.baseUrl}/v1/holds`, ...optionsOf(ids, load) },
    headers: { authorization: `Bearer ${copy.demo.agent.secret}` },
  };
  const run = await measureLoad(copy, options);
  const open = new Set(run.unacknowledged);
  const sent = Array.from({ length: run.sent }, (_, n) => n);
  const keys = sent.filter((n) => !open.has(n)).map((n) => `${options.keyPrefix}${n}`);
  return { ...run, keys };
}

/**
 * Loads a fresh copy of the installation, behind a command that starts it if there is one, and
 * checks that everything acknowledged is conserved.
 */
export function holdOurs(
  fixture: Fixture,
  load: HoldLoad & { readonly crowd: Crowd },
  wrapper: readonly string[] = [],
): Promise<Run> {
  const hold = async (copy: Installation) => {
    const { keys, ...run } = await holdOn(fixture, copy, load);
    checkConservation(fixture, copy, keys);
    return run;
  };
  return fixture.withCopy(load.crowd, hold, wrapper);
}

/** Throws NotConserved or Damage; `keys` are the clients' keys of the acknowledged holds. */
export function checkConservation(
  fixture: Fixture,
  copy: Installation,
  keys: readonly string[],
): void {
  const ledger = new Ledger(journalPath(copy.dataDir));
  try {
    ledger.read();
    ledger.checkCells();
    ledger.checkHolds(keys.map((key) => fixture.holdCommandId(key)));
  } finally {
    ledger.close();
  }
}

/**
 * The same load on a peer with a freshly seeded store under `directory`, on the disk that is
 * measured; null when the peer cannot run on this machine.
 */
export async function holdPeer(
  name: PeerName,
  { directory, storeWrapper }: Pick<PeerOptions, "storeWrapper"> & { readonly directory: string },
  load: HoldLoad,
): Promise<Run | null> {
  const workDir = join(directory, "peer");
  mkdirSync(workDir);
  const options = { workDir, ...(storeWrapper && { storeWrapper }) };
  try {
    const peer = await (name === "peer 2" ? startPeer2(options) : startPeer1(options));
    if (peer === null) return null;
    const isStopped = onInterrupt(() => peer.stop());
    try {
      const quoteIds = Array.from({ length: QUOTES }, (_, i) => peer.quoteId(i));
      const { headers, origin } = peer;
      const url = `${origin}/v1/holds`;
      return await measureLoad(peer, { url, headers, ...optionsOf(quoteIds, load) });
    } finally {
      await peer.stop();
      isStopped();
    }
  } finally {
    rmSync(workDir, { recursive: true });
  }
}

/** Something that goes on beside holds. */
export interface Disturbance {
  /** Ends it; a remark on what it did. Throws what it met. */
  stop(): Promise<string>;
}

export interface HoldTurn {
  /** Of its line. */
  readonly name: string;
  readonly start?: (copy: Installation) => Promise<Disturbance>;
}

interface Turns extends Round {
  /** Of the progress. */
  readonly stage: string;
  readonly turns: readonly HoldTurn[];
  readonly samples: Samples;
  readonly hold: (copy: Installation, keyPrefix: string) => Promise<HoldRun>;
}

/** Holds at full speed, as `Turns.hold`. */
export function fullSpeed(fixture: Fixture, { timing }: Bench, connections: number) {
  return (copy: Installation, keyPrefix: string): Promise<HoldRun> => {
    const load = { connections, crowd: "spread", keyPrefix } as const;
    return holdOn(fixture, copy, { ...load, ...warmedUpBy(timing, 1 / 4) });
  };
}

/** Quiet at both ends: processes are slow while they are new, and collect more garbage later. */
export function quietAround(quiet: string, others: readonly HoldTurn[]): HoldTurn[] {
  return [{ name: quiet }, ...others, { name: quiet }];
}

/**
 * Holds without and with something beside them, in turns on one copy, as the group `holds`. Throws
 * when a hold is refused or not conserved.
 */
export async function holdInTurns(
  fixture: Fixture,
  copy: Installation,
  { progress }: Pick<Bench, "progress">,
  { stage, turns, samples, hold, ...at }: Turns,
): Promise<void> {
  const keys: string[][] = [];
  for (const [n, { name, start }] of turns.entries()) {
    const disturbance = await start?.(copy);
    const work = () => hold(copy, `turn-${n}-`);
    const run = await progress.run(stage, { what: `holds, ${name}`, ...at }, work);
    const remark = await disturbance?.stop();
    if (remark !== undefined) progress.note(`${remark} beside ${shown(run.answers, 0)} holds.`);
    samples.add("holds", name, sampleOf(run));
    keys.push([...run.keys]);
  }
  checkConservation(fixture, copy, keys.flat());
}
