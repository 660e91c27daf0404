/** The load this project is measured by: `POST /v1/holds`, each with a key of its own. */

import { journalPath } from "../src/config.ts";
import { QUOTES } from "./baselines/peer2-seed.ts";
import type { RunningPeer } from "./baselines/peers.ts";
import type { Fixture } from "./fixture.ts";
import type { Installation } from "./installation.ts";
import { Ledger } from "./ledger.ts";
import { assertAllGood, drive, type LoadResult } from "./load.ts";
import { measure, type Run, type Served } from "./measure.ts";
import type { Crowd } from "./tenant.ts";
import type { Timing } from "./timing.ts";

/** What a hold is sent to. */
interface HoldTarget extends Served {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly quoteIds: readonly string[];
}

export interface HoldLoad extends Timing {
  readonly connections: number;
  readonly crowd: Crowd;
  /** Of the idempotency keys; no two loads of one copy have the same. */
  readonly keyPrefix?: string;
}

const KEY_PREFIX = "k";

async function place(target: HoldTarget, load: HoldLoad): Promise<LoadResult & Run> {
  const { url, headers, quoteIds } = target;
  const { connections, seconds, warmupRequests, keyPrefix = KEY_PREFIX } = load;
  const bodies = quoteIds.map((quote_id) => JSON.stringify({ quote_id }));
  const request = { url, headers, bodies, method: "POST", keyPrefix } as const;
  const options = { ...request, connections, seconds, warmupRequests };
  const run = await measure(target, (onMeasuring) => drive(options, onMeasuring));
  assertAllGood("holds", run);
  return run;
}

/** A run, and the keys of the holds that were acknowledged. */
interface HoldRun extends LoadResult, Run {
  readonly keys: readonly string[];
}

/** Loads a copy. */
export async function holdOn(
  fixture: Fixture,
  copy: Installation,
  load: HoldLoad,
): Promise<HoldRun> {
  const target: HoldTarget = {
    url: `${copy.baseUrl}/v1/holds`,
    headers: { authorization: `Bearer ${copy.demo.agent.secret}` },
    quoteIds: fixture.quotes[load.crowd].map(({ quote_id }) => quote_id),
    get pids() {
      return copy.pids;
    },
    counts: () => copy.counts(),
  };
  const run = await place(target, load);
  const open = new Set(run.unacknowledged);
  const sent = Array.from({ length: run.sent }, (_, n) => n);
  const { keyPrefix = KEY_PREFIX } = load;
  const keys = sent.filter((n) => !open.has(n)).map((n) => `${keyPrefix}${n}`);
  return { ...run, keys };
}

/**
 * Loads a fresh copy of the installation, behind a command that starts it if there is one, and
 * checks that everything acknowledged is conserved.
 */
export function holdOurs(
  fixture: Fixture,
  load: HoldLoad,
  wrapper: readonly string[] = [],
): Promise<Run> {
  const hold = async (copy: Installation) => {
    const { keys, ...run } = await holdOn(fixture, copy, load);
    checkConservation(fixture, copy, keys);
    return run;
  };
  return fixture.withCopy(load.crowd, hold, wrapper);
}

/** Throws NotConserved or Damage; `keys` are the clients' of the holds that were acknowledged. */
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

/** The same load on a peer; its spread crowd only. */
export function holdPeer(peer: RunningPeer, load: HoldLoad): Promise<Run> {
  const quoteIds = Array.from({ length: QUOTES }, (_, i) => peer.quoteId(i));
  const { headers } = peer;
  const url = `${peer.origin}/v1/holds`;
  const target: HoldTarget = {
    ...{ url, headers, quoteIds },
    get pids() {
      return peer.pids;
    },
  };
  return place(target, load);
}
