/**
 * Journal rows as text. A placed hold, by far the most frequent row, is a text of fields that ends
 * in its quote; its outcome follows from the event and is not stored. Every other row is plain
 * JSON. Both decode to the same `Row` that was encoded.
 */
import type { Event, EventOf, KeyRef, Row } from "../events/event.ts";
import { PlacedHold, PlacedOutcome } from "../holds/placed-hold.ts";
import type { Outcome, Receipt, RenderedOutcome, SuccessOf } from "../outcomes.ts";
import { quoteText, readQuote } from "../price/quote-codec.ts";
import type { Mode } from "../supply.ts";
import { Fields, toField, toListField } from "../text-fields.ts";

/**
 * Separates the events of a row from its outcome, which ends it. No JSON string contains bare
 * quotes, and no outcome has a member of that name after a list.
 */
const OUTCOME = '],"outcome":';

const STRING = '"([^"\\\\]*)"';
/** The members before the events of a plain row, if no text is escaped and numbers are short. */
const PLAIN_HEAD = new RegExp(
  `^\\{"row":(\\d{1,15}),"stamp":(\\d{1,15}),"tenant_id":${STRING},"mode":${STRING},` +
    `"actor":\\{"kind":${STRING},"id":${STRING}\\},"trace_id":${STRING},` +
    `"key":(?:null|\\{"key":${STRING},"body_hash":${STRING},"agent_id":${STRING}\\}),` +
    `"phase":(?:null|${STRING}),"events":(?=\\[)`,
);

/** Precedes an outcome's receipt, which ends it and occurs nowhere else in it. */
const RECEIPT = ',"receipt":';

/** The first characters of a placed hold's row; no JSON begins so. */
export const HOLD_MARK = "hold|";
/** The content of a placed hold's row. */
interface HoldRow {
  readonly row: number;
  readonly stamp: number;
  readonly tenantId: string;
  readonly mode: Mode;
  readonly actor: Row["actor"];
  readonly traceId: string;
  readonly key: string;
  readonly bodyHash: string;
  readonly seq: number;
  readonly others: readonly string[];
  readonly placed: PlacedHold;
}

/** The payload of a row and its outcome. */
export function encodeRow(row: Omit<Row, "outcome">, rendered: RenderedOutcome): string {
  const { key, events } = row;
  const event = events[0];
  const { outcome } = rendered;
  const isPlacedHold =
    event?.type === "hold.created" &&
    row.clock_offset_ms === undefined &&
    events.length === 1 &&
    row.phase === "sealed" &&
    key?.agent_id === row.actor.id &&
    row.actor.person_id === undefined &&
    outcome.ok &&
    outcome.kind === "hold";
  if (isPlacedHold) return holdText(row, key, event, outcome);
  const head = JSON.stringify(row);
  return `${head.slice(0, -1)},"outcome":${key ? outcomeText(rendered, events) : "null"}}`;
}

/** An outcome's JSON; a receipt that an event has too is stored as the event's index. */
function outcomeText({ outcome, json }: RenderedOutcome, events: readonly Event[]): string {
  const receipt = receiptOf(outcome);
  const at = receipt ? events.findIndex((event) => receiptIn(event) === receipt) : -1;
  return at < 0 ? json : `${json.slice(0, json.lastIndexOf(RECEIPT))}${RECEIPT}${at}}`;
}

function readPlain(payload: string): Row {
  const row = JSON.parse(payload) as Row;
  const at: unknown = row.outcome && receiptOf(row.outcome);
  if (typeof at !== "number") return row;
  const event = row.events[at];
  const receipt = event && receiptIn(event);
  if (!receipt) throw new Error(`row ${row.row}: event ${at} has no receipt`);
  return { ...row, outcome: { ...row.outcome, receipt } as Outcome };
}

function receiptOf(outcome: Outcome): Receipt | null {
  return outcome.ok && "receipt" in outcome ? outcome.receipt : null;
}

function receiptIn({ data }: Event): Receipt | null {
  return "receipt" in data ? data.receipt : null;
}

function holdText(
  row: Omit<Row, "outcome">,
  key: KeyRef,
  { data, seq }: EventOf<"hold.created">,
  outcome: SuccessOf<"hold">,
): string {
  const { hold_id, quote } = data;
  const { tenant_id, mode, actor, trace_id } = row;
  const others = outcome instanceof PlacedOutcome ? outcome.others : outcome.data.other_live_holds;
  return (
    `${HOLD_MARK}${row.row}|${row.stamp}|${toField(tenant_id)}|${mode}|` +
    `${actor.kind}|${toField(actor.id)}|${toField(trace_id)}|${toField(key.key)}|` +
    `${toField(key.body_hash)}|${seq}|${toField(hold_id)}|${PlacedHold.expiresAtMs(data)}|` +
    `${toListField(others)}|${quoteText(quote)}`
  );
}

/** Every row with an event of the type contains one of these texts. */
export function textsOf(type: string): readonly string[] {
  const named = JSON.stringify(type);
  return type === "hold.created" ? [HOLD_MARK, named] : [named];
}

/** The row of a payload. */
export function decodeRow(payload: string): Row {
  const hold = readHold(payload);
  return hold ? wholeRowOf(hold) : readPlain(payload);
}

/**
 * The row of a payload for a fold, which needs no outcome: a hold's is not made, and any other,
 * which is half of a booking's row, is not parsed. What the fold keeps of a hold is a part of its
 * payload.
 */
export function decodeForFold(payload: string): Row {
  const hold = readHold(payload);
  return hold ? rowOf(hold) : readForFold(payload);
}

/** Members before the events are read in place if they are as `encodeRow` writes them. */
function readForFold(payload: string): Row {
  const end = outcomeIn(payload);
  const head = end < 0 ? null : PLAIN_HEAD.exec(payload);
  if (!head) {
    const text = end < 0 ? payload : `${payload.slice(0, end)}]}`;
    return { ...(JSON.parse(text) as Row), outcome: null };
  }
  const [, row, stamp, tenantId, mode, kind, id, traceId, key, bodyHash, agentId, phase] = head;
  return {
    row: Number(row),
    stamp: Number(stamp),
    tenant_id: tenantId!,
    mode: mode as Mode,
    actor: { kind: kind as Row["actor"]["kind"], id: id! },
    trace_id: traceId!,
    key: key === undefined ? null : { key, body_hash: bodyHash!, agent_id: agentId! },
    phase: (phase as Row["phase"] | undefined) ?? null,
    events: JSON.parse(payload.slice(head[0].length, end + 1)) as Event[],
    outcome: null,
  };
}

/** The offset of the last `OUTCOME`, -1 for none; searching forwards is faster. */
function outcomeIn(payload: string): number {
  let last = payload.indexOf(OUTCOME);
  for (let at = last; at >= 0; at = payload.indexOf(OUTCOME, at + 1)) last = at;
  return last;
}

function readHold(payload: string): HoldRow | null {
  if (!payload.startsWith(HOLD_MARK)) return null;
  const fields = new Fields(payload, HOLD_MARK.length);
  const row = fields.number();
  const stamp = fields.number();
  const tenantId = fields.text();
  const mode = fields.text() as Mode;
  const actor = { kind: fields.text() as Row["actor"]["kind"], id: fields.text() };
  const traceId = fields.text();
  const key = fields.text();
  const bodyHash = fields.text();
  const seq = fields.number();
  const holdId = fields.text();
  const expiresAt = fields.number();
  const others = fields.list();
  const placed = new PlacedHold(holdId, readQuote(fields.rest(), tenantId, mode), expiresAt);
  return { row, stamp, tenantId, mode, actor, traceId, key, bodyHash, seq, others, placed };
}

function rowOf(hold: HoldRow): Row {
  return {
    row: hold.row,
    stamp: hold.stamp,
    tenant_id: hold.tenantId,
    mode: hold.mode,
    actor: hold.actor,
    trace_id: hold.traceId,
    key: { key: hold.key, body_hash: hold.bodyHash, agent_id: hold.actor.id },
    phase: "sealed",
    events: [{ type: "hold.created", data: hold.placed, seq: hold.seq }],
    outcome: null,
  };
}

function wholeRowOf(hold: HoldRow): Row {
  const { traceId, placed, seq, others } = hold;
  const events = [{ type: "hold.created", data: placed.toJSON(), seq }] as const;
  const outcome = new PlacedOutcome(traceId, placed, seq, others).toJSON();
  return { ...rowOf(hold), events, outcome };
}
