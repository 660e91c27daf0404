/**
 * Compact text of `PlaceHold` and of its outcome, by far the most frequent messages. The quote is
 * passed on as stored in Redis. `engine/README.md` has the grammar.
 */
import type { AgentLimits, PlaceHold } from "../commands.ts";
import { PlacedHold, PlacedOutcome } from "../holds/placed-hold.ts";
import type { Outcome } from "../outcomes.ts";
import type { Actor } from "../parties.ts";
import { isQuoteOf, readQuote } from "../price/quote-codec.ts";
import type { Mode } from "../supply.ts";
import { Fields, fromField, toField, toListField } from "../text-fields.ts";

const MARK = "place|";

/** The command with its quote as text. */
export type PackedHold = Omit<PlaceHold, "quote"> & { readonly quote: string | null };

/** The command as text; null for one with unusual members, which is sent as JSON. */
export function placeHoldText(command: PackedHold, timeLeftMs: number): string | null {
  const { quote, quote_id, key, body_hash, tenant_id, mode, actor, property_ids } = command;
  const isWhole = key !== undefined && body_hash !== undefined && !command.is_anonymous;
  if (actor.person_id !== undefined) return null;
  if (!isWhole || quote === null || !isQuoteOf(quote, quote_id)) return null;
  const { max_open_holds, max_booking_amount: most } = command.limits;
  return (
    `${MARK}${toField(tenant_id)}|${mode}|${actor.kind}|${toField(actor.id)}|` +
    `${property_ids ? `=${toListField(property_ids)}` : ""}|${toField(command.trace_id)}|` +
    `${toField(command.docs)}|${toField(command.random)}|${toField(key)}|` +
    `${toField(body_hash)}|${timeLeftMs}|` +
    `${command.ttl_ms}|${max_open_holds ?? ""}|` +
    `${most ? `${most.amount},${toField(most.currency)}` : ""}|${quote}`
  );
}

/** Parses a text of `placeHoldText`. */
export function readPlaceHold(text: string): PlaceHold {
  const fields = new Fields(text, MARK.length);
  const tenant_id = fields.text();
  const mode = fields.text() as Mode;
  const actor = { kind: fields.text() as Actor["kind"], id: fields.text() };
  const [first, ...more] = fields.list();
  const property_ids = first === undefined ? null : [first.slice(1), ...more].filter(Boolean);
  const trace_id = fields.text();
  const docs = fields.text();
  const random = fields.text();
  const key = fields.text();
  const body_hash = fields.text();
  const time_left_ms = fields.number();
  const ttl_ms = fields.number();
  const limits = readLimits(fields);
  const quote = readQuote(fields.rest(), tenant_id, mode);
  return {
    type: "PlaceHold",
    ...{ tenant_id, mode, actor, trace_id, docs, random, key, body_hash, time_left_ms },
    ...(property_ids && { property_ids }),
    ...{ quote_id: quote.quote_id, quote, ttl_ms, limits },
  };
}

/** Trace id and docs of a text, even if its quote is unreadable. */
export function placeHoldSender(text: string): Pick<PlaceHold, "trace_id" | "docs"> {
  const [, , , , , trace_id, docs] = text.slice(MARK.length).split("|", 7).map(fromField);
  return { trace_id: trace_id!, docs: docs! };
}

function readLimits(fields: Fields): AgentLimits {
  const open = fields.text();
  const [amount, currency = ""] = fields.list();
  return {
    max_open_holds: open === "" ? null : Number(open),
    max_booking_amount: amount === undefined ? null : { amount: Number(amount), currency },
  };
}

/** The outcome of a new hold as a JSON array. */
export type PlacedItem = readonly [
  i: number,
  row: number,
  holdId: string,
  seq: number,
  expiresAtMs: number,
  otherLiveHolds: readonly string[],
];

/** The array for a fresh reply to command `i`. */
export function placedItem(i: number, row: number, { hold, seq, others }: PlacedOutcome): string {
  const rest = others.length === 0 ? "[]" : JSON.stringify(others);
  return `[${i},${row},"${hold.hold_id}",${seq},${PlacedHold.expiresAtMs(hold)},${rest}]`;
}

/** The outcome of an array, made with the command that it answers. */
export function placedBy(command: PackedHold, item: PlacedItem): Outcome {
  const { trace_id, tenant_id, mode, quote } = command;
  const [, , holdId, seq, expiresAtMs, others] = item;
  if (quote === null) throw new Error("a hold was placed without a quote");
  const hold = new PlacedHold(holdId, readQuote(quote, tenant_id, mode), expiresAtMs);
  return new PlacedOutcome(trace_id, hold, seq, others).toJSON();
}
