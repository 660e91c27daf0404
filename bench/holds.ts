/** The load this project is measured by: `POST /v1/holds`, each with a key of its own. */

import { journalPath } from "../src/roles/engine.ts";
import { QUOTES } from "./baselines/peer2-seed.ts";
import type { RunningPeer } from "./baselines/peers.ts";
import type { Fixture } from "./fixture.ts";
import type { Installation } from "./installation.ts";
import { Ledger } from "./ledger.ts";
import { type Measurement, measure, type Served } from "./measure.ts";
import type { Crowd } from "./tenant.ts";

/** Length of a run. */
export interface Timing {
  readonly seconds: number;
  readonly warmupSeconds: number;
}

/** What a hold is sent to. */
interface HoldTarget extends Served {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly quoteIds: readonly string[];
}

/** A measured run, and how many commands the engine put into one transaction on average. */
export interface HoldRun extends Measurement {
  /** Null for a peer. */
  readonly groupSize: number | null;
}

export interface HoldLoad extends Timing {
  readonly connections: number;
  readonly crowd: Crowd;
}

const KEY_PREFIX = "k";

async function place(target: HoldTarget, load: HoldLoad): Promise<Measurement> {
  const { url, headers, quoteIds } = target;
  const { connections, seconds, warmupSeconds } = load;
  const bodies = quoteIds.map((quote_id) => JSON.stringify({ quote_id }));
  const timing = { connections, seconds, warmupSeconds };
  const options = { url, headers, bodies, method: "POST", keyPrefix: KEY_PREFIX } as const;
  const result = await measure(target, { ...options, ...timing });
  const refused = Object.keys(result.statusCounts).filter((status) => !status.startsWith("2"));
  if (refused.length > 0 || result.errors > 0) {
    throw new Error(
      `holds failed: ${JSON.stringify(result.statusCounts)}, ${result.errors} errors`,
    );
  }
  return result;
}

/** Loads a fresh copy of the installation and checks that everything acknowledged is conserved. */
export function holdOurs(fixture: Fixture, load: HoldLoad): Promise<HoldRun> {
  return fixture.withCopy(load.crowd, async (copy) => {
    const before = await copy.counts();
    const result = await place(targetOf(fixture, copy, load.crowd), load);
    checkConservation(fixture, copy, result);
    const after = await copy.counts();
    const groupSize = (after.commands - before.commands) / (after.groups - before.groups);
    return { ...result, groupSize };
  });
}

function targetOf(fixture: Fixture, copy: Installation, crowd: Crowd): HoldTarget {
  return {
    url: `${copy.baseUrl}/v1/holds`,
    headers: { authorization: `Bearer ${copy.demo.agent.secret}` },
    quoteIds: fixture.quotes[crowd].map(({ quote_id }) => quote_id),
    get pids() {
      return copy.pids;
    },
  };
}

function checkConservation(fixture: Fixture, copy: Installation, result: Measurement): void {
  const ledger = new Ledger(journalPath(copy.dataDir));
  try {
    ledger.read();
    ledger.checkCells();
    const open = new Set(result.unacknowledged);
    const sent = Array.from({ length: result.sent }, (_, n) => n);
    const acknowledged = sent.filter((n) => !open.has(n));
    ledger.checkHolds(acknowledged.map((n) => fixture.holdCommandId(`${KEY_PREFIX}${n}`)));
  } finally {
    ledger.close();
  }
}

/** The same load on a peer; its spread crowd only. */
export async function holdPeer(peer: RunningPeer, load: HoldLoad): Promise<HoldRun> {
  const quoteIds = Array.from({ length: QUOTES }, (_, i) => peer.quoteId(i));
  const { url, headers } = peer;
  const target: HoldTarget = {
    ...{ url, headers, quoteIds },
    get pids() {
      return peer.pids;
    },
  };
  return { ...(await place(target, load)), groupSize: null };
}
