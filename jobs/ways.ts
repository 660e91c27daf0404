/** The ways of one process into the lanes: what waits for each, and how many envelopes are sent. */
import { LaneQueue } from "./lane-queue.ts";
import type { NativeRedis } from "./native-redis.ts";
import { laneName, queuePlace } from "./queues.ts";

const ENVELOPE_BYTES_MAX = 1024 * 1024;
/** What changes supply is large: the engine must not read much of it at once. */
const BULK_ENVELOPE_BYTES_MAX = 128 * 1024;
/** So many that wait are worth another envelope while one is under way. */
const SECOND_COMMANDS_MIN = 24;

/** An envelope that was sent. */
export interface UnderWay {
  /** Commands of it that have no reply yet. */
  unanswered: number;
}

export interface Way<Waiting> {
  readonly queue: LaneQueue;
  /** What MACs of its envelopes are bound to. */
  readonly place: string;
  readonly bytesMax: number;
  /** Envelopes that may be under way at once. */
  readonly underWayMax: number;
  pending: Waiting[];
  /** Envelopes with commands that have no reply yet. */
  underWay: number;
  isFlushDue: boolean;
  /** Size of the last envelope: how busy the lane is. */
  lastCommands: number;
}

/**
 * The two ways into a lane. What changes supply has its own, so that nobody else's command waits
 * for an envelope of it to be answered.
 */
export type WaysInto<Waiting> = Readonly<Record<"swift" | "bulk", Way<Waiting>>>;

/** Both ways into a lane, with nothing on them. */
export function waysInto<Waiting>(
  lane: number,
  { hot: redis, prefix }: { readonly hot: NativeRedis; readonly prefix: string },
): WaysInto<Waiting> {
  const name = laneName(lane);
  const queue = new LaneQueue({ redis, prefix, name });
  const place = queuePlace(prefix, name);
  const idle = { queue, place, underWay: 0, isFlushDue: false, lastCommands: 0 };
  return {
    swift: { ...idle, bytesMax: ENVELOPE_BYTES_MAX, underWayMax: 2, pending: [] },
    bulk: { ...idle, bytesMax: BULK_ENVELOPE_BYTES_MAX, underWayMax: 1, pending: [] },
  };
}

/** Whether what waits for a lane may go: alone on its way, or with enough behind one other. */
export function mayGo({ underWay, underWayMax, pending }: Way<unknown>): boolean {
  if (underWay === 0) return true;
  return underWay < underWayMax && pending.length >= SECOND_COMMANDS_MIN;
}
