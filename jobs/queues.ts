/**
 * Names and shapes on Redis. The prefix carries the installation id, so two installations can share
 * a Redis even when one is a copy of the other, and the journal id, so that a journal that starts
 * anew never sees the old one's jobs.
 */
import type { Command, PlaceHold } from "../engine/core/commands.ts";
import type { KeyPhase, Outcome } from "../engine/core/outcomes.ts";
import { propertyIdOf, readQuote } from "../engine/core/quote-codec.ts";
import {
  type PackedHold,
  type PlacedItem,
  placedBy,
  placeHoldSender,
  placeHoldText,
  readPlaceHold,
} from "./place-hold-text.ts";

/** A command that is to be sent: the quote of a hold as its text, see `quote-codec.ts`. */
export type Packed = Exclude<Command, PlaceHold> | PackedHold;

/** A command on its way, with the number its reply is matched by. */
export interface Addressed {
  readonly i: number;
  /** A `PlaceHold` as its text, anything else as it is. */
  readonly c: Packed | string;
}

/** The command as it is sent now, with the time that is left for it. */
export function addressed(i: number, command: Packed, timeLeftMs: number): Addressed {
  if (command.time_left_ms === undefined) return { i, c: command };
  const text = command.type === "PlaceHold" ? placeHoldText(command, timeLeftMs) : null;
  return { i, c: text ?? { ...command, time_left_ms: timeLeftMs } };
}

/** The command that has travelled. */
export function unpack(sent: Packed | string): Command {
  if (typeof sent === "string") return readPlaceHold(sent);
  if (sent.type !== "PlaceHold") return sent;
  const { quote, tenant_id, mode } = sent;
  return { ...sent, quote: quote === null ? null : readQuote(quote, tenant_id, mode) };
}

/** What an answer needs to know of a command that `unpack` cannot read. */
export function senderOf(sent: Packed | string): Pick<Command, "trace_id" | "docs"> {
  return typeof sent === "string" ? placeHoldSender(sent) : sent;
}

/** One job = one batch of commands from one process to one lane; travels with a MAC. */
export interface Envelope {
  /** The sender's reply channel. */
  readonly a: string;
  /** Engine time at which it was sent: an envelope that is sent again by others has lapsed. */
  readonly t: number;
  readonly cs: readonly Addressed[];
}

/** The answer to a command (`i`) or to a key that waited (`k`). */
export interface ReplyItem {
  readonly i?: number;
  readonly k: string | null;
  readonly p: KeyPhase;
  readonly x: boolean;
  /** The journal row that holds the answer, 0 when none does. */
  readonly r: number;
  /** Null while the key runs, or when the engine could not take the command. */
  readonly o: Outcome | null;
}

/** An answer as it is sent: a hold that was just placed as the few fields that it follows from. */
export type SentItem = ReplyItem | PlacedItem;

/** The number of the command that is answered, or -1. */
export function answeredId(item: SentItem): number {
  return ("0" in item ? item[0] : item.i) ?? -1;
}

/** The answer in full, to the command that it answers. */
export function wholeItem(item: SentItem, command: Packed): ReplyItem {
  if (!("0" in item)) return item;
  if (command.type !== "PlaceHold") throw new Error(`${command.type} was answered with a hold`);
  const [i, r] = item;
  return { i, k: command.key ?? null, p: "sealed", x: false, r, o: placedBy(command, item) };
}

/** Answers to keys that several processes may wait for; travels with a MAC. */
export interface OthersAnswers {
  /** Engine time at which they were sent. */
  readonly t: number;
  readonly items: readonly ReplyItem[];
}

/**
 * Prefix of everything that an installation has on Redis for a journal. Its last number goes up
 * with the format of messages: those of a former version are not looked at.
 */
export function queuePrefix(installationId: string, journalId: string): string {
  return `ik-${installationId}-${journalId}-1`;
}

/** Where a queue's messages lie, which their MAC is bound to. */
export function queuePlace(prefix: string, name: string): string {
  return `${prefix}:${name}`;
}

/** Name of a lane's queue: `inventory-00` … */
export function laneName(lane: number): string {
  return `inventory-${String(lane).padStart(2, "0")}`;
}

export const PAYMENTS_QUEUE = "payments";
export const FEEDS_QUEUE = "feeds";

/** Pub/sub channel of one process's replies. */
export function replyChannel(prefix: string, instance: string): string {
  return `${prefix}:reply:${instance}`;
}

/** Pub/sub channel of keys that were answered by somebody else's command. */
export function answeredChannel(prefix: string): string {
  return `${prefix}:answered`;
}

/** FNV-1a over the text: the same lane for the same property in every process. */
export function laneOf(laneKey: string, lanes: number): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < laneKey.length; i += 1) {
    hash = Math.imul(hash ^ laneKey.charCodeAt(i), 0x01000193);
  }
  return (hash >>> 0) % lanes;
}

/** Lanes follow the property; commands that name none follow the tenant. */
export function laneKeyOf(command: Packed): string {
  switch (command.type) {
    case "PlaceHold":
      return command.quote === null ? command.tenant_id : propertyIdOf(command.quote);
    case "CreateProperty":
      return command.tree.id;
    case "ReplaceProperty":
    case "DeleteProperty":
    case "PromoteProperty":
    case "SuspendProperty":
    case "ArchiveProperty":
    case "UpdateAri":
      return command.property_id;
    default:
      return command.tenant_id;
  }
}
