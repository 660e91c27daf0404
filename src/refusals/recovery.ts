/**
 * Recovery calls of a refusal: the catalogue's steps with ids and bodies of the case. Steps with
 * unknown ids are omitted, never sent as templates.
 */
import type { Hints } from "../../engine/core/outcomes.ts";
import type { QuoteRequest } from "../../engine/core/price/quote.ts";
import type { RefusalCode } from "../../engine/core/refusals.ts";
import {
  BOOKING_FILL_IN,
  blanksIn,
  bookingBody,
  CONSENT,
  changesOf,
  ELSEWHERE,
  offeredKey,
  quoteBody,
  stayBody,
} from "../actions/call-parts.ts";
import {
  type ActionParts,
  action,
  type May,
  type NextAction,
  permitted,
} from "../actions/next-action.ts";
import { type RecoveryStep, SAME_CALL } from "../actions/steps.ts";
import { REFUSALS } from "./catalogue.ts";

type Fields = Readonly<Record<string, unknown>>;

/** The refused call, as a source of ids. */
interface FailedCall {
  readonly route?: { readonly id: string } | undefined;
  readonly sent?: unknown;
  /** Realm of the caller, once known. */
  readonly realm?: { readonly tenant_id: string; readonly mode: string } | undefined;
}

/** Sources of ids and bodies. */
export interface Known {
  readonly code: RefusalCode;
  readonly trace_id: string;
  readonly detail: Fields;
  readonly hints?: Hints;
  readonly call: FailedCall;
  /** The same call again. */
  readonly again: (step: RecoveryStep, known: Known) => NextAction[];
}

/** A refusal with the sources of its recovery. */
export interface Failure extends Known {
  /** Replaces the catalogue's steps. */
  readonly recovery?: readonly RecoveryStep[] | undefined;
}

/** Next actions of an error envelope, most useful first. */
export function recoveryActions(failure: Failure, may?: May): NextAction[] {
  const steps = failure.recovery ?? REFUSALS[failure.code].recovery;
  const open = steps.filter(({ when }) => when?.(failure.detail) ?? true);
  return permitted(
    open.flatMap((step) => actionsOf(step, failure)),
    may,
  );
}

function actionsOf(step: RecoveryStep, known: Known): NextAction[] {
  if (step.href === SAME_CALL) return known.again(step, known);
  const href = hrefOf(step, known);
  if (href === null) return [];
  if (step.body === undefined) return [action(step.rel, step.method, href)];
  return partsOf(step, known).map((parts) => action(step.rel, step.method, href, parts));
}

function hrefOf(step: RecoveryStep, failure: Known): string | null {
  for (const template of [...(step.prefer ?? []), step.href]) {
    let isComplete = true;
    const href = template.replace(/\{(\w+)\}/g, (_, name: string) => {
      const id = idOf(name, failure);
      if (id === undefined) isComplete = false;
      return encodeURIComponent(id ?? "");
    });
    if (isComplete) return href;
  }
  return null;
}

function idOf(name: string, { detail, hints, call }: Known): string | undefined {
  const names = name === "property_id" ? [name, "hotel_id"] : [name];
  if (name === "tenant_id" || name === "mode") return call.realm?.[name];
  for (const fields of [detail, hints, call.sent]) {
    for (const each of names) {
      const id = isFields(fields) ? fields[each] : undefined;
      if (typeof id === "string" && id !== "") return id;
    }
  }
  return undefined;
}

/** The bodies of a step with their details; none when a body cannot be made. */
function partsOf({ rel, body }: RecoveryStep, known: Known): ActionParts[] {
  const requote = known.hints?.requote;
  switch (body) {
    case "requote":
      return requote ? [{ body_hint: quoteBody(requote) }] : [];
    case "quote":
      return [requote ? { body_hint: quoteBody(requote) } : BLANK_QUOTE];
    case "alternatives":
      return alternativesOf(known).map((each) => {
        return { body_hint: quoteBody(each), ...(requote && changesOf(requote, each)) };
      });
    case "stay":
      return [requote ? { body_hint: stayBody(requote), ...ELSEWHERE } : BLANK_SEARCH];
    case "cheaper":
    case "cheaper_elsewhere":
      return cheaperThan(known, body === "cheaper");
    case "booking":
      return [{ body_hint: confirmBody(known), fill_in: BOOKING_FILL_IN }];
    case "authorized_booking":
    case "unauthorized_booking": {
      const { authorization_id } = known.detail;
      const named = body === "authorized_booking" ? { authorization_id } : {};
      const body_hint = { ...confirmBody(known), ...named };
      return [{ body_hint, fill_in: BOOKING_FILL_IN, changes: AUTHORIZATION }];
    }
    case "handover":
      return known.call.route?.id === "book" ? [handoverOf(known)] : [];
    case "key":
      return [{ body_hint: keyFor(rel, known), ...(rel === "cancel" && { fill_in: [CONSENT] }) }];
    case "difference":
      return differencesOf(known).map((each) => ({ body_hint: each, changes: ["/difference"] }));
    case "changes":
      return alternativesOf(known).map((each) => otherwise(each, known));
    case "guest_link":
      return [BLANK_GUEST_LINK];
    case "refund":
      return [{ body_hint: refundBody(rel, known) }];
    default:
      return [];
  }
}

const AUTHORIZATION = ["/authorization_id"];

/** Searches of the same stay within the agent's limits, at the same hotel or anywhere. */
function cheaperThan({ hints }: Known, isSameHotel: boolean): ActionParts[] {
  const { requote, max_price_per_night } = hints ?? {};
  if (!requote || !max_price_per_night) return [];
  const body_hint = { ...stayBody(requote), constraints: { max_price_per_night } };
  if (!isSameHotel) return [{ body_hint, ...ELSEWHERE }];
  const destination = { type: "property", value: requote.hotel_id };
  return [{ body_hint: { destination, ...body_hint }, changes: ["/rate_plan_id"] }];
}

const BLANK_STAY = {
  stay: { check_in: "<check-in date, YYYY-MM-DD>", check_out: "<check-out date, YYYY-MM-DD>" },
  guests: { adults: "<how many adults, a number>" },
};
const BLANK_SEARCH = { body_hint: BLANK_STAY, fill_in: blanksIn(BLANK_STAY) };
const QUOTE_BLANKS = {
  hotel_id: "<id or slug of the hotel>",
  room_type_id: "<id or code of the room type>",
  rate_plan_id: "<id or code of the rate plan>",
  ...BLANK_STAY,
};
const BLANK_QUOTE = { body_hint: QUOTE_BLANKS, fill_in: blanksIn(QUOTE_BLANKS) };
const GUEST_BLANKS = {
  email: "<the guest's e-mail address>",
  confirmation_code: "<the booking's confirmation code>",
};
const BLANK_GUEST_LINK = { body_hint: GUEST_BLANKS, fill_in: blanksIn(GUEST_BLANKS) };

/** One key per attempt, derived from the failed payment. */
function keyFor(rel: string, known: Known) {
  const id = idOf("hold_id", known) ?? idOf("booking_id", known) ?? "";
  return { idempotency_key: offeredKey(rel, id, idOf("payment_id", known) ?? known.trace_id ?? 0) };
}

function confirmBody(known: Known): Record<string, unknown> {
  return bookingBody({
    hold_id: idOf("hold_id", known) ?? "<hold id>",
    quote_id: idOf("quote_id", known) ?? "<quote id>",
    ...keyFor("book", known),
  });
}

/** A missing token is refused before the body is read. */
function handoverOf(known: Known): ActionParts {
  const { idempotency_key } = keyFor("checkout", known);
  const body_hint = { hold_id: idOf("hold_id", known) ?? "<hold id>", idempotency_key };
  const fill_in = blanksIn(body_hint);
  return { body_hint, ...(fill_in.length > 0 && { fill_in }) };
}

/** Members of a change that are not personal. */
const STAY_MEMBERS = ["stay", "guests", "room_type_id", "rate_plan_id"] as const;

/** The refused change of a stay with each difference that fits its price. */
function differencesOf(known: Known): Record<string, unknown>[] {
  const { difference, asked } = known.detail;
  if (!isFields(known.call.sent) || typeof difference !== "number") return [];
  const stay = sentMembers(known, STAY_MEMBERS);
  const kinds = ["waive"];
  if (difference !== 0) kinds.unshift(difference < 0 ? "refund" : "at_property");
  const fitting = kinds.filter((kind) => kind !== asked);
  return fitting.map((kind) => ({ ...stay, difference: kind, ...keyFor(kind, known) }));
}

/** The refused change of a booking with the stay, room and plan of an alternative. */
function otherwise({ stay, room_type_id, rate_plan_id }: QuoteRequest, known: Known): ActionParts {
  const kept = sentMembers(known, ["guests", "difference"]);
  const body_hint = { stay, room_type_id, rate_plan_id, ...kept, ...keyFor("modify", known) };
  return { body_hint, changes: ["/stay", "/room_type_id", "/rate_plan_id"] };
}

function sentMembers({ call: { sent } }: Known, names: readonly string[]): Fields {
  if (!isFields(sent)) return {};
  const given = names.filter((name) => Object.hasOwn(sent, name));
  return Object.fromEntries(given.map((name) => [name, sent[name]]));
}

/** The refused refund with the amount that remains. */
function refundBody(rel: string, known: Known): Record<string, unknown> {
  const { reason = "requested" } = isFields(known.call.sent) ? known.call.sent : {};
  return { amount: known.detail.remaining, reason, ...keyFor(rel, known) };
}

/** Alternatives of the hints or of `detail`, without the refused request. */
function alternativesOf({ detail, hints }: Known): QuoteRequest[] {
  const found = hints?.alternatives ?? detail.alternatives;
  const others = Array.isArray(found) ? found : [];
  return others.map((each) => ("quote" in each ? each.quote : each));
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null;
}
