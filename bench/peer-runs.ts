/** Runs of the peers: each on a store of its own that is seeded anew, as our runs are. */
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { type PeerOptions, type RunningPeer, startPeer1, startPeer2 } from "./baselines/peers.ts";
import { type HoldLoad, holdPeer } from "./holds.ts";
import type { Run } from "./measure.ts";
import { onInterrupt } from "./teardown.ts";

/** 1a: several statements per hold; 1b: one PL/pgSQL call; 2: one Redis script. */
export type PeerName = "peer 1a" | "peer 1b" | "peer 2";

function start(name: PeerName, options: PeerOptions): Promise<RunningPeer | null> {
  if (name === "peer 2") return startPeer2(options);
  return startPeer1({ ...options, mode: name === "peer 1b" ? "fn" : "txn" });
}

interface PeerPlace extends Pick<PeerOptions, "storeWrapper"> {
  /** On the disk that is measured. */
  readonly directory: string;
}

/** One run on a fresh copy of the peer; null when the peer cannot run on this machine. */
export async function runPeer(
  name: PeerName,
  { directory, storeWrapper = [] }: PeerPlace,
  load: HoldLoad,
): Promise<Run | null> {
  const workDir = join(directory, "peer");
  mkdirSync(workDir);
  try {
    const peer = await start(name, { workDir, storeWrapper });
    if (peer === null) return null;
    const isStopped = onInterrupt(() => peer.stop());
    try {
      return await holdPeer(peer, load);
    } finally {
      await peer.stop();
      isStopped();
    }
  } finally {
    rmSync(workDir, { recursive: true });
  }
}
