/**
 * Journal rows as text. A hold that was placed, by far the most frequent row, is stored by
 * position, and its outcome, which follows from the event, is not stored at all; every other row is
 * plain JSON. Both decode to the same `Row` that was encoded.
 */
import { instantIso } from "./calendar.ts";
import type { HoldCreated, KeyRef, Row } from "./events.ts";
import { type Outcome, placedOutcome } from "./outcomes.ts";
import { decodeQuote, type QuoteTuple, quoteText } from "./quote-codec.ts";
import { readStored } from "./stored-words.ts";
import type { Mode } from "./supply.ts";

type Head = readonly [
  version: 1,
  row: number,
  stamp: number,
  tenantId: string,
  mode: Mode,
  actorKind: Row["actor"]["kind"],
  actorId: string,
  traceId: string,
  key: string,
  bodyHash: string,
  seq: number,
  holdId: string,
  expiresAt: number,
];
type HoldTuple = readonly [...Head, quote: QuoteTuple, otherLiveHolds: readonly string[]];

/** The payload of a row; `outcomeJson` is its outcome, already encoded. */
export function encodeRow(
  row: Omit<Row, "outcome">,
  outcome: Outcome,
  outcomeJson: string,
): string {
  const { key, events } = row;
  const event = events[0];
  const isPlacedHold =
    event?.type === "hold.created" &&
    events.length === 1 &&
    row.phase === "sealed" &&
    key?.agent_id === row.actor.id &&
    outcome.ok &&
    outcome.kind === "hold";
  if (isPlacedHold) return holdText(row, key, event, outcome.data.other_live_holds);
  const head = JSON.stringify(row);
  return `${head.slice(0, -1)},"outcome":${key ? outcomeJson : "null"}}`;
}

function holdText(
  row: Omit<Row, "outcome">,
  key: KeyRef,
  { data, seq }: HoldCreated,
  others: readonly string[],
): string {
  const { hold_id, quote, expires_at } = data;
  const head: Head = [
    ...([1, row.row, row.stamp, row.tenant_id, row.mode] as const),
    ...([row.actor.kind, row.actor.id, row.trace_id] as const),
    ...([key.key, key.body_hash, seq, hold_id, Date.parse(expires_at)] as const),
  ];
  return `${JSON.stringify(head).slice(0, -1)},${quoteText(quote)},${JSON.stringify(others)}]`;
}

/** What begins the text of a hold that is stored by position, and names no event. */
const HOLD_TEXT = "[1,";

/** The payload of every row with an event of the type has one of these in its text. */
export function textsOf(type: string): readonly string[] {
  const named = JSON.stringify(type);
  return type === "hold.created" ? [HOLD_TEXT, named] : [named];
}

/** The row of a payload. */
export function decodeRow(payload: string): Row {
  const json = parse(payload);
  return isHoldTuple(json) ? decodeHold(json, true) : json;
}

/** The row of a payload for a fold, which asks for no outcome: that of a hold is not made. */
export function decodeForFold(payload: string): Row {
  const json = parse(payload);
  return isHoldTuple(json) ? decodeHold(json, false) : json;
}

/** A tuple has no names, and so none of an earlier version. */
function parse(payload: string): Row | HoldTuple {
  return payload.startsWith("[") ? (JSON.parse(payload) as HoldTuple) : readStored<Row>(payload);
}

function isHoldTuple(json: Row | HoldTuple): json is HoldTuple {
  return Array.isArray(json);
}

function decodeHold(tuple: HoldTuple, withOutcome: boolean): Row {
  const [, row, stamp, tenant_id, mode, kind, id, trace_id, key, body_hash, seq, hold_id] = tuple;
  const [, , , , , , , , , , , , expiresAt, quoteTuple, others] = tuple;
  const quote = decodeQuote(quoteTuple, tenant_id, mode);
  const expires_at = instantIso(expiresAt);
  return {
    row,
    stamp,
    tenant_id,
    mode,
    actor: { kind, id },
    trace_id,
    key: { key, body_hash, agent_id: id },
    phase: "sealed",
    events: [{ type: "hold.created", data: { hold_id, quote, expires_at }, seq }],
    outcome: withOutcome
      ? placedOutcome(trace_id, { hold_id, quote, expires_at, seq }, others)
      : null,
  };
}
