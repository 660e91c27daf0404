/** A process's send queues to a lane: waiting commands, and envelopes in flight. */

import type { NativeRedis } from "../redis/native-redis.ts";
import { JobQueue } from "./job-queue.ts";
import { laneName, queueAddress } from "./queues.ts";

const ENVELOPE_BYTES_MAX = 1024 * 1024;
/** Supply changes are large: small envelopes, so that the engine never reads much at once. */
const BULK_ENVELOPE_BYTES_MAX = 128 * 1024;
/** Waiting commands that justify a second envelope in flight. */
const SECOND_COMMANDS_MIN = 24;

/** An envelope that was sent. */
export interface SentEnvelope {
  /** Commands without a reply. */
  unanswered: number;
}

export interface SendQueue<Waiting> {
  readonly jobs: JobQueue;
  /** The MACs of its envelopes are bound to it. */
  readonly address: string;
  readonly bytesMax: number;
  /** Maximum of envelopes in flight. */
  readonly inFlightMax: number;
  pending: Waiting[];
  /** Envelopes with commands without a reply. */
  inFlight: number;
  isFlushDue: boolean;
  /** Size of the last envelope, a measure of load. */
  lastCommands: number;
}

/** Supply changes have their own send queue, so that other commands never wait for them. */
export type SendQueues<Waiting> = Readonly<Record<"swift" | "bulk", SendQueue<Waiting>>>;

/** Both send queues of a lane, empty. */
export function sendQueuesOf<Waiting>(
  lane: number,
  { hot: redis, prefix }: { readonly hot: NativeRedis; readonly prefix: string },
): SendQueues<Waiting> {
  const name = laneName(lane);
  const jobs = new JobQueue({ redis, prefix, name });
  const address = queueAddress(prefix, name);
  const idle = { jobs, address, inFlight: 0, isFlushDue: false, lastCommands: 0 };
  return {
    swift: { ...idle, bytesMax: ENVELOPE_BYTES_MAX, inFlightMax: 2, pending: [] },
    bulk: { ...idle, bytesMax: BULK_ENVELOPE_BYTES_MAX, inFlightMax: 1, pending: [] },
  };
}

/** Whether an envelope may be sent: none is in flight, or enough commands wait for another. */
export function maySend({ inFlight, inFlightMax, pending }: SendQueue<unknown>): boolean {
  if (inFlight === 0) return true;
  return inFlight < inFlightMax && pending.length >= SECOND_COMMANDS_MIN;
}
