/**
 * Members of events: each has a TypeScript type for the core and a form for the wire. The schemas
 * of the forms are in `src/api/events/wire.ts`.
 */
import type { Approval, AuthorizationPolicy, Requirement } from "../authorization-terms.ts";
import type { Receipt } from "../outcomes.ts";
import type { Cause, Ending, ExcessNight, IncidentAction } from "../oversell-terms.ts";
import type { FrozenQuote, Stay } from "../price/quote.ts";
import type { Difference, OtherMethod, RefundReason } from "../refund-words.ts";
import type { PropertyState } from "../supply.ts";

/** A stay of a booking with its price, minor units. */
interface BookedStay {
  readonly stay: Stay;
  readonly room_type_id: string;
  readonly rate_plan_id: string;
  readonly total: number;
}

/** The new price less the former one, minor units, and what is done about it. */
export interface PriceDifference {
  readonly kind: Difference;
  readonly amount: number;
  readonly currency: string;
}

/** Forms with a schema of their own, and the type of each. */
interface NamedForms {
  readonly id: string;
  readonly instant: string;
  readonly currency: string;
  /** Minor units of the currency. */
  readonly minor: number;
  readonly version: number;
  readonly stay: Stay;
  readonly receipt: Receipt;
  readonly quote: FrozenQuote;
  readonly property_state: PropertyState;
  readonly refund_reason: RefundReason;
  readonly other_method: OtherMethod;
  readonly booked_stay: BookedStay;
  readonly price_difference: PriceDifference;
  /** The first night that is on sale again. */
  readonly free_from: string | null;
  /** Id of the delegation token, if there was one. */
  readonly jti: string | null;
  /** Only for a cancellation by the property: the part of the fee that it waived. */
  readonly desk: { readonly waived_fee: number };
  readonly date_or_null: string | null;
  readonly access_state: "active" | "suspended" | "revoked";
  readonly feed_trigger: string;
  readonly feed_failure: "no_property" | "shrunken" | "invalid" | "timed_out" | "crashed";
  readonly ari_counts: Readonly<
    Record<"inventory" | "rates" | "restrictions" | "ceilings", number>
  >;
  readonly rates: Readonly<Record<string, string>>;
  readonly money: { readonly amount: number; readonly currency: string };
  readonly approval: Approval;
  readonly authorization_rule: Requirement["policy"];
  readonly required_when: AuthorizationPolicy["required_when"];
  readonly approver: AuthorizationPolicy["approver"];
  readonly incident_action: IncidentAction;
  readonly incident_cause: Cause;
  readonly incident_ending: Ending;
  /** At most 31. */
  readonly excess_nights: readonly ExcessNight[];
}
export type NamedForm = keyof NamedForms;

/** How a value looks on the wire. */
export type Form =
  | { readonly is: NamedForm }
  | { readonly is: "text"; readonly about: string | null }
  | { readonly is: "integer"; readonly least: number | null; readonly about: string | null }
  | { readonly is: "words"; readonly words: readonly string[]; readonly about: string | null }
  | { readonly is: "true"; readonly about: string }
  | { readonly is: "free"; readonly about: string }
  | { readonly is: "list"; readonly of: Form }
  | { readonly is: "object"; readonly members: Members };

export interface Member<T> {
  readonly form: Form;
  readonly isNullable?: true;
  readonly isOptional?: true;
  /** Never set: it has the type. */
  readonly type?: T;
}
export type Members = Readonly<Record<string, Member<unknown>>>;

type TypeOf<M> = M extends Member<infer T> ? T : never;
type Optional<D> = {
  [K in keyof D]: D[K] extends { readonly isOptional: true } ? K : never;
}[keyof D];

/** The type of the data that has these members. */
export type DataOf<D> = {
  readonly [K in Exclude<keyof D, Optional<D>>]: TypeOf<D[K]>;
} & {
  readonly [K in Optional<D>]?: TypeOf<D[K]>;
};

function named<F extends NamedForm>(is: F): Member<NamedForms[F]> {
  return { form: { is } };
}

export const ID = named("id");
export const INSTANT = named("instant");
export const CURRENCY = named("currency");
export const MINOR = named("minor");
export const VERSION = named("version");
export const STAY = named("stay");
export const RECEIPT = named("receipt");
export const QUOTE = named("quote");
export const PROPERTY_STATE = named("property_state");
export const REFUND_REASON = named("refund_reason");
export const OTHER_METHOD = named("other_method");
export const BOOKED_STAY = named("booked_stay");
export const PRICE_DIFFERENCE = named("price_difference");
export const FREE_FROM = named("free_from");
export const JTI = named("jti");
export const DESK = named("desk");
export const DATE_OR_NULL = named("date_or_null");
export const ACCESS_STATE = named("access_state");
export const FEED_TRIGGER = named("feed_trigger");
export const FEED_FAILURE = named("feed_failure");
export const ARI_COUNTS = named("ari_counts");
export const RATES = named("rates");
export const MONEY = named("money");
export const APPROVAL = named("approval");
export const AUTHORIZATION_RULE = named("authorization_rule");
export const REQUIRED_WHEN = named("required_when");
export const APPROVER = named("approver");
export const INCIDENT_ACTION = named("incident_action");
export const INCIDENT_CAUSE = named("incident_cause");
export const INCIDENT_ENDING = named("incident_ending");
export const EXCESS_NIGHTS = named("excess_nights");

/** A text. */
export function text<T extends string = string>(about: string | null = null): Member<T> {
  return { form: { is: "text", about } };
}

/** A whole number, not below `least` unless that is null. */
export function integer(least: number | null, about: string | null = null): Member<number> {
  return { form: { is: "integer", least, about } };
}

/** One of some words. */
export function oneOf<const W extends readonly string[]>(
  words: W,
  about: string | null = null,
): Member<W[number]> {
  return { form: { is: "words", words, about } };
}

/** True, or absent when combined with `optional`. */
export function onlyTrue(about: string): Member<true> {
  return { form: { is: "true", about } };
}

/** An object whose members `about` documents. */
export function freeForm<T = unknown>(about: string): Member<T> {
  return { form: { is: "free", about } };
}

/** A list of objects with these members. */
export function listOf<const M extends Members>(members: M): Member<readonly DataOf<M>[]> {
  return { form: { is: "list", of: { is: "object", members } } };
}

/** The member or null. */
export function orNull<T>(member: Member<T>): Member<T | null> {
  return { form: member.form, isNullable: true };
}

/** The member, which may be absent. */
export function optional<T>(member: Member<T>): Member<T> & { readonly isOptional: true } {
  return { form: member.form, ...(member.isNullable && { isNullable: true }), isOptional: true };
}
