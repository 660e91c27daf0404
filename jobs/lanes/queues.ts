/**
 * Names and formats on Redis. The prefix contains the installation id, so that a copied
 * installation can share a Redis with the original, and the journal id, so that a new journal does
 * not get the jobs of the old one.
 */

import {
  type PackedHold,
  type PlacedItem,
  placedBy,
  placeHoldSender,
  placeHoldText,
  readPlaceHold,
} from "../../engine/core/codec/place-hold-text.ts";
import type { Command, PlaceHold } from "../../engine/core/commands.ts";
import type { KeyPhase, Outcome } from "../../engine/core/outcomes.ts";
import { propertyIdOf, readQuote } from "../../engine/core/price/quote-codec.ts";

/** A command to send; a hold has its quote as text, see `quote-codec.ts`. */
export type Packed = Exclude<Command, PlaceHold> | PackedHold;

/** A command in an envelope, with the number that its reply has. */
export interface Addressed {
  readonly i: number;
  /** A `PlaceHold` as compact text, other commands as JSON. */
  readonly c: Packed | string;
}

/** A command as sent now, with its remaining time. */
export function addressed(i: number, command: Packed, timeLeftMs: number): Addressed {
  if (command.time_left_ms === undefined) return { i, c: command };
  const text = command.type === "PlaceHold" ? placeHoldText(command, timeLeftMs) : null;
  return { i, c: text ?? { ...command, time_left_ms: timeLeftMs } };
}

/** The command of a received item. */
export function unpack(sent: Packed | string): Command {
  if (typeof sent === "string") return readPlaceHold(sent);
  if (sent.type !== "PlaceHold") return sent;
  const { quote, tenant_id, mode } = sent;
  return { ...sent, quote: quote === null ? null : readQuote(quote, tenant_id, mode) };
}

/** The members needed to answer a command that `unpack` cannot read. */
export function senderOf(sent: Packed | string): Pick<Command, "trace_id" | "docs"> {
  return typeof sent === "string" ? placeHoldSender(sent) : sent;
}

/** A job: a batch of commands from one process to one lane, with a MAC. */
export interface Envelope {
  /** The sender's reply channel. */
  readonly a: string;
  /** Engine time of sending; an old envelope has lapsed. */
  readonly t: number;
  readonly cs: readonly Addressed[];
}

/** The answer to a command (`i`) or for a key that waited (`k`). */
export interface ReplyItem {
  readonly i?: number;
  readonly k: string | null;
  readonly p: KeyPhase;
  readonly x: boolean;
  /** Row with the answer; 0 without one. */
  readonly r: number;
  /** Null while the key runs, or when the journal takes no writes. */
  readonly o: Outcome | null;
}

/** An answer as sent; for a new hold only the fields that its outcome is made from. */
export type SentItem = ReplyItem | PlacedItem;

/** Number of the answered command, or -1. */
export function answeredId(item: SentItem): number {
  return ("0" in item ? item[0] : item.i) ?? -1;
}

/** The full answer, made with the command that it answers. */
export function wholeItem(item: SentItem, command: Packed): ReplyItem {
  if (!("0" in item)) return item;
  if (command.type !== "PlaceHold") throw new Error(`${command.type} was answered with a hold`);
  const [i, r] = item;
  return { i, k: command.key ?? null, p: "sealed", x: false, r, o: placedBy(command, item) };
}

/** Answers for keys that any process may wait for, with a MAC. */
export interface OthersAnswers {
  /** Engine time of sending. */
  readonly t: number;
  readonly items: readonly ReplyItem[];
}

/**
 * Prefix of everything that an installation stores on Redis for a journal. Its last number is the
 * message format; messages of other formats are ignored.
 */
export function queuePrefix(installationId: string, journalId: string): string {
  return `ik-${installationId}-${journalId}-1`;
}

/** Address of a queue; the MACs of its messages are bound to it. */
export function queueAddress(prefix: string, name: string): string {
  return `${prefix}:${name}`;
}

/** Name of a lane's queue: `inventory-00` … */
export function laneName(lane: number): string {
  return `inventory-${String(lane).padStart(2, "0")}`;
}

export const PAYMENTS_QUEUE = "payments";

/** Pub/sub channel of one process's replies. */
export function replyChannel(prefix: string, instance: string): string {
  return `${prefix}:reply:${instance}`;
}

/** Pub/sub channel of keys that were answered by another command. */
export function answeredChannel(prefix: string): string {
  return `${prefix}:answered`;
}

/** FNV-1a, so that every process maps a property to the same lane. */
export function laneOf(laneKey: string, lanes: number): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < laneKey.length; i += 1) {
    hash = Math.imul(hash ^ laneKey.charCodeAt(i), 0x01000193);
  }
  return (hash >>> 0) % lanes;
}

/** By property; commands without one by tenant. */
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
