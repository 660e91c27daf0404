/**
 * Sends commands to the engine and waits for their outcomes. Commands that arrive while a lane's
 * envelope is unanswered share the next one; a lone command is sent at once. With many waiting, a
 * second envelope is sent before that answer, so that the engine never waits for the sender.
 *
 * Pub/sub is only the fast path. After 100 ms the outcomes of all waiting commands are looked up in
 * the journal, every 100 ms; after 1 s the commands are sent again, which is safe because the
 * engine knows them by key. So a lost message costs time, never a result.
 */
import { isBulk } from "../../engine/core/commands.ts";
import type { Row } from "../../engine/core/events/event.ts";
import type { KeyPhase, Outcome } from "../../engine/core/outcomes.ts";
import { every, type Service } from "../../src/lib/service.ts";
import type { MessageMacs } from "../redis/message-macs.ts";
import type { NativeRedis } from "../redis/native-redis.ts";
import {
  type Addressed,
  addressed,
  answeredChannel,
  answeredId,
  type Envelope,
  laneKeyOf,
  laneOf,
  type OthersAnswers,
  type Packed,
  type ReplyItem,
  replyChannel,
  type SentItem,
  wholeItem,
} from "./queues.ts";
import {
  maySend,
  type SendQueue,
  type SendQueues,
  type SentEnvelope,
  sendQueuesOf,
} from "./send-queues.ts";

const ENVELOPE_COMMANDS_MAX = 512;
/** After an envelope of this size the lane is busy: the next one gathers for a moment. */
const BUSY_COMMANDS = 4;
const GATHER_MS = 1;
/** Longer, because the engine is still busy with the first envelope. */
const SECOND_GATHER_MS = 2;
const PENDING_MAX = 20_000;
const POLL_EVERY_MS = 100;
const RESEND_AFTER_MS = 1_000;
/** Typical upper size of a command; large supply bodies state their own size. */
const COMMAND_BYTES_GUESS = 1_500;
/** Tolerance for engine time as read in different processes. */
const CLOCK_SLACK_MS = 100;
const SHUTTING_DOWN = "shutting down";

export interface Answered {
  readonly phase: KeyPhase;
  readonly replayed: boolean;
  /** Row with the outcome; 0 when nothing was journaled. */
  readonly row: number;
  readonly outcome: Outcome;
}

/** No outcome is known: the caller answers 503, or 504 for bookings. */
export class NoOutcome extends Error {
  override readonly name = "NoOutcome";
  readonly upstream: "redis" | "engine" | "journal";

  constructor(upstream: NoOutcome["upstream"], message: string) {
    super(message);
    this.upstream = upstream;
  }
}

type Queue = SendQueue<Waiting>;

interface Waiting {
  readonly id: number;
  readonly command: Packed;
  readonly bytes: number;
  readonly queue: Queue;
  readonly sentAtMs: number;
  /** Engine time. An earlier answer belongs to another attempt. */
  readonly askedAt: number;
  readonly deadlineMs: number;
  lastSentMs: number;
  /** The first envelope with this command. */
  envelope: SentEnvelope | null;
  /** True after the first reply; a running key sends its outcome later. */
  isAcknowledged: boolean;
  /** The running key, as the engine names it. */
  awaitedKey: string | null;
  readonly resolve: (answered: Answered) => void;
  readonly reject: (error: NoOutcome) => void;
}

export interface SubmitterOptions {
  /** Sends commands; fails fast. */
  readonly hot: NativeRedis;
  readonly subscriber: Pick<NativeRedis, "subscribe" | "unsubscribe">;
  readonly prefix: string;
  readonly macs: MessageMacs;
  readonly lanes: number;
  /** Unique per process start. */
  readonly instance: string;
  /** Last known row of a key; null where no command has a key. */
  readonly byKey: ((key: string) => Row | null) | null;
  /** Engine time, the clock that measures how long an envelope waited. */
  readonly now: () => number;
  readonly onError: (error: unknown) => void;
}

export interface SubmitOptions {
  readonly deadlineMs: number;
  /** Size of the command's JSON, if it may be large. */
  readonly bytes?: number;
}

/** A process's access to the engine. */
export class Submitter implements Service {
  readonly id = "submitter";
  readonly #options: SubmitterOptions;
  readonly #lanes: readonly SendQueues<Waiting>[];
  readonly #waiting = new Map<number, Waiting>();
  /** Commands that wait for a running key, by that key. */
  readonly #byAwaitedKey = new Map<string, Set<Waiting>>();
  readonly #replyChannel: string;
  readonly #answeredChannel: string;
  readonly #timer = every(this.id, POLL_EVERY_MS, () => this.#watch());
  readonly #onReplies = (text: string) => {
    const items = this.#options.macs.read("replies", this.#replyChannel, text);
    for (const item of JSON.parse(items ?? "[]") as SentItem[]) this.#onReply(item);
  };
  readonly #onOthersAnswers = (text: string) => {
    const answers = this.#options.macs.read("replies", this.#answeredChannel, text);
    if (answers === null) return;
    const { t, items } = JSON.parse(answers) as OthersAnswers;
    for (const item of items) this.#onAnswered(item, t);
  };
  #isEnding = false;
  /** Totals; their ratio is the commands per envelope. */
  readonly sent = { envelopes: 0, commands: 0 };
  #nextId = 1;

  constructor(options: SubmitterOptions) {
    this.#options = options;
    this.#replyChannel = replyChannel(options.prefix, options.instance);
    this.#answeredChannel = answeredChannel(options.prefix);
    this.#lanes = Array.from({ length: options.lanes }, (_, lane) => sendQueuesOf(lane, options));
  }

  /** Resolves when replies can be received; call it before the first command. */
  async start(): Promise<void> {
    const { subscriber } = this.#options;
    await subscriber.subscribe(this.#replyChannel, this.#onReplies);
    if (this.#options.byKey !== null) {
      await subscriber.subscribe(this.#answeredChannel, this.#onOthersAnswers);
    }
    this.#timer.start();
  }

  /** Fails all waiting commands. The outcome can be found later with the same key. */
  drain(): void {
    this.#isEnding = true;
    for (const waiting of this.#waiting.values()) this.#fail(waiting, "engine", SHUTTING_DOWN);
  }

  stop(): void {
    this.drain();
    this.#timer.stop();
    const { subscriber } = this.#options;
    subscriber.unsubscribe(this.#replyChannel, this.#onReplies);
    subscriber.unsubscribe(this.#answeredChannel, this.#onOthersAnswers);
  }

  /** Commands without a final outcome. */
  get waiting(): number {
    return this.#waiting.size;
  }

  /**
   * Sends a command and resolves with its durable outcome.
   *
   * @throws NoOutcome when none is known in time; sending the same key again is always safe.
   */
  submit(command: Packed, options: SubmitOptions): Promise<Answered> {
    if (this.#isEnding) return Promise.reject(new NoOutcome("engine", SHUTTING_DOWN));
    if (this.#waiting.size >= PENDING_MAX) {
      return Promise.reject(new NoOutcome("engine", "too many commands are waiting"));
    }
    const queue = this.#queueFor(command);
    const now = performance.now();
    return new Promise<Answered>((resolve, reject) => {
      const waiting: Waiting = {
        id: this.#nextId++,
        command,
        bytes: options.bytes ?? COMMAND_BYTES_GUESS,
        queue,
        sentAtMs: now,
        askedAt: this.#options.now(),
        deadlineMs: now + options.deadlineMs,
        lastSentMs: now,
        envelope: null,
        isAcknowledged: false,
        awaitedKey: null,
        resolve,
        reject,
      };
      this.#waiting.set(waiting.id, waiting);
      queue.pending.push(waiting);
      this.#flushSoon(queue);
    });
  }

  /**
   * Sends at the end of this turn of the loop, or a moment later on a busy lane. One answered
   * envelope releases many clients, whose next requests arrive together; sent at the first of them,
   * every second envelope would have one command, and an envelope costs as much as 20 commands.
   */
  #flushSoon(queue: Queue): void {
    if (queue.isFlushDue || !maySend(queue)) return;
    queue.isFlushDue = true;
    const flush = () => {
      queue.isFlushDue = false;
      this.#flush(queue);
    };
    if (queue.inFlight > 0) setTimeout(flush, SECOND_GATHER_MS);
    else if (queue.lastCommands < BUSY_COMMANDS) setImmediate(flush);
    else setTimeout(flush, GATHER_MS);
  }

  #queueFor(command: Packed): Queue {
    const { length } = this.#lanes;
    const queues = this.#lanes[length === 1 ? 0 : laneOf(laneKeyOf(command), length)]!;
    return isBulk(command) ? queues.bulk : queues.swift;
  }

  #flush(queue: Queue): void {
    if (!maySend(queue)) return;
    // A command that was answered with a timeout must not be executed later.
    queue.pending = queue.pending.filter((waiting) => this.#waiting.has(waiting.id));
    if (queue.pending.length === 0) return;
    const batch: Waiting[] = [];
    let bytes = 0;
    for (const waiting of queue.pending) {
      bytes += waiting.bytes;
      const isFull = batch.length >= ENVELOPE_COMMANDS_MAX || bytes > queue.bytesMax;
      if (isFull && batch.length > 0) break;
      batch.push(waiting);
    }
    queue.pending = queue.pending.slice(batch.length);
    queue.inFlight += 1;
    const envelope = { unanswered: batch.length };
    for (const waiting of batch) waiting.envelope = envelope;
    queue.lastCommands = batch.length;
    this.#send(queue, batch);
  }

  #send(queue: Queue, batch: readonly Waiting[]): void {
    const now = performance.now();
    const cs: Addressed[] = batch.map((waiting) => {
      waiting.lastSentMs = now;
      const { id, command, deadlineMs } = waiting;
      return addressed(id, command, Math.max(0, Math.round(deadlineMs - now)));
    });
    this.sent.envelopes += 1;
    this.sent.commands += batch.length;
    const { macs, now: engineNow } = this.#options;
    const envelope: Envelope = { a: this.#replyChannel, t: engineNow(), cs };
    const message = macs.write("commands", queue.address, JSON.stringify(envelope));
    queue.jobs.add(message).catch((error: unknown) => {
      this.#options.onError(error);
      // It may have been executed all the same; a retry with the same key finds out.
      for (const waiting of batch) this.#fail(waiting, "redis", "redis did not take the envelope");
    });
  }

  #acknowledge(waiting: Waiting): void {
    if (waiting.isAcknowledged) return;
    waiting.isAcknowledged = true;
    const { envelope, queue } = waiting;
    if (envelope !== null) {
      envelope.unanswered -= 1;
      if (envelope.unanswered === 0) queue.inFlight -= 1;
    }
    this.#flushSoon(queue);
  }

  #onReply(sent: SentItem): void {
    const waiting = this.#waiting.get(answeredId(sent));
    if (!waiting) return;
    const item = wholeItem(sent, waiting.command);
    this.#acknowledge(waiting);
    if (item.p === "running") {
      this.#await(waiting, item.k);
      return;
    }
    if (item.o === null) return this.#fail(waiting, "journal", "the journal takes no writes");
    this.#finish(waiting, { phase: item.p, replayed: item.x, row: item.r, outcome: item.o });
  }

  #onAnswered({ k: key, p: phase, r: row, o: outcome }: ReplyItem, t: number): void {
    const awaiting = key === null ? undefined : this.#byAwaitedKey.get(key);
    if (!awaiting || !outcome) return;
    for (const waiting of awaiting) {
      if (t < waiting.askedAt - CLOCK_SLACK_MS) continue;
      this.#finish(waiting, { phase, replayed: isOthers(waiting, outcome), row, outcome });
    }
  }

  #await(waiting: Waiting, key: string | null): void {
    if (key === null || waiting.awaitedKey !== null) return;
    waiting.awaitedKey = key;
    const awaiting = this.#byAwaitedKey.get(key);
    if (awaiting) awaiting.add(waiting);
    else this.#byAwaitedKey.set(key, new Set([waiting]));
  }

  #finish(waiting: Waiting, answered: Answered): void {
    if (this.#leave(waiting)) waiting.resolve(answered);
  }

  #fail(waiting: Waiting, upstream: NoOutcome["upstream"], message: string): void {
    if (this.#leave(waiting)) waiting.reject(new NoOutcome(upstream, message));
  }

  /** Stops waiting for a command; false when it was not waiting. */
  #leave(waiting: Waiting): boolean {
    if (!this.#waiting.delete(waiting.id)) return false;
    const { awaitedKey } = waiting;
    const awaiting = awaitedKey === null ? undefined : this.#byAwaitedKey.get(awaitedKey);
    awaiting?.delete(waiting);
    if (awaiting?.size === 0) this.#byAwaitedKey.delete(awaitedKey!);
    this.#acknowledge(waiting);
    return true;
  }

  /** The slow path: deadlines, outcomes with a lost message, commands to send again. */
  #watch(): void {
    const now = performance.now();
    const again = new Map<Queue, Waiting[]>();
    for (const waiting of this.#waiting.values()) {
      if (now >= waiting.deadlineMs) this.#fail(waiting, "engine", "no outcome in time");
      else if (now - waiting.sentAtMs >= POLL_EVERY_MS && !this.#findStored(waiting)) {
        const isDue = waiting.envelope !== null && now - waiting.lastSentMs >= RESEND_AFTER_MS;
        if (!isDue || waiting.isAcknowledged) continue;
        const batch = again.get(waiting.queue);
        if (batch && batch.length < ENVELOPE_COMMANDS_MAX) batch.push(waiting);
        else if (!batch) again.set(waiting.queue, [waiting]);
      }
    }
    for (const [queue, batch] of again) this.#send(queue, batch);
  }

  #findStored(waiting: Waiting): boolean {
    const { key, body_hash, actor } = waiting.command;
    const { byKey } = this.#options;
    const row = byKey && key ? byKey(key) : null;
    if (!row?.outcome || row.phase !== "sealed") return false;
    if (row.key?.body_hash !== body_hash || row.key?.agent_id !== actor.id) return false;
    const { outcome } = row;
    const replayed = isOthers(waiting, outcome);
    this.#finish(waiting, { phase: "sealed", replayed, row: row.row, outcome });
    return true;
  }
}

/** True for an outcome of another request, by its trace id. */
function isOthers(waiting: Waiting, outcome: Outcome): boolean {
  return outcome.trace_id !== waiting.command.trace_id;
}
