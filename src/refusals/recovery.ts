/**
 * Recovery calls of a refusal: the catalogue's steps with the ids and bodies of the case at hand. A
 * step whose ids are not known is left out, never sent as a template.
 */
import type { Hints } from "../../engine/core/outcomes.ts";
import type { QuoteRequest } from "../../engine/core/quote.ts";
import type { RefusalCode } from "../../engine/core/refusals.ts";
import { AS_SENT, bookingBody, quoteBody, stayBody } from "../actions/bodies.ts";
import { action, type May, type NextAction, permitted } from "../actions/next-action.ts";
import { METHODS, type Method, type RecoveryStep, SAME_CALL } from "../actions/steps.ts";
import { REFUSALS } from "./catalogue.ts";

type Fields = Readonly<Record<string, unknown>>;

export interface FailedCall {
  readonly method: string;
  /** Concrete path without query. */
  readonly path: string;
  readonly query?: ReadonlyMap<string, string>;
  /** Its parameters; the query of a call without a route means nothing. */
  readonly route?: {
    readonly query?: Readonly<Record<string, { readonly isPersonal?: boolean }>>;
  };
  /** Only ids and the stay are ever taken from it. */
  readonly sent?: unknown;
  /** Whose call it was, once that is known. */
  readonly realm?: { readonly tenant_id: string; readonly mode: string } | undefined;
}

/** What the ids and bodies of steps are taken from. */
interface Known {
  readonly detail: Fields;
  readonly hints?: Hints;
  readonly call: FailedCall;
}

export interface Failure extends Known {
  readonly code: RefusalCode;
  /** In the place of the catalogue's steps. */
  readonly recovery?: readonly RecoveryStep[] | undefined;
}

/** Next actions of an error envelope (rules §9), most useful first. */
export function recoveryActions(failure: Failure, may?: May): NextAction[] {
  return stepsTaken(failure.recovery ?? REFUSALS[failure.code].recovery, failure, may);
}

/** The steps that are open in this case, with its ids and bodies. */
export function stepsTaken(steps: readonly RecoveryStep[], known: Known, may?: May): NextAction[] {
  const open = steps.filter(({ when }) => when?.(known.detail) ?? true);
  return permitted(
    open.flatMap((step) => actionsOf(step, known)),
    may,
  );
}

function actionsOf(step: RecoveryStep, failure: Known): NextAction[] {
  if (step.href === SAME_CALL) return sameCall(step, failure);
  const href = hrefOf(step, failure);
  if (href === null) return [];
  if (step.body === "alternatives") {
    const requests = alternativesOf(failure);
    if (requests.length > 0) {
      return requests.map((each) =>
        action(step.rel, step.method, href, { body_hint: quoteBody(each) }),
      );
    }
  }
  if (step.body === undefined) return [action(step.rel, step.method, href)];
  const body_hint = bodyOf(step, failure);
  return body_hint ? [action(step.rel, step.method, href, { body_hint })] : [];
}

/**
 * The body is not repeated: the caller has it, and it may hold personal data. Of the query goes
 * what the route knows and was not at fault.
 */
function sameCall(step: RecoveryStep, { call, detail, hints }: Known): NextAction[] {
  const method = call.method === "HEAD" ? "GET" : call.method;
  if (!isMethod(method)) return [];
  const { field_errors } = detail as { field_errors?: readonly { path: string }[] };
  const faults = new Set(field_errors?.map(({ path }) => path));
  const sound = [...(call.query ?? [])].flatMap(([name, value]): [string, string][] => {
    const known = ownOf(call.route?.query, name);
    if (!known || faults.has(`?${name}`)) return [];
    return [[name, known.isPersonal ? AS_SENT : value]];
  });
  const query = sound.length > 0 ? `?${new URLSearchParams(sound)}` : "";
  const body_hint = step.body === "renamed" ? renamed(hints, call) : undefined;
  return [action(step.rel, method, call.path + query, body_hint && { body_hint })];
}

function ownOf<T>(members: Readonly<Record<string, T>> = {}, name: string): T | undefined {
  return Object.hasOwn(members, name) ? members[name] : undefined;
}

/** A body that is longer is left to the caller, who has it. */
const BODY_CHARS_MAX = 16_000;

/** The body of a property that was sent, which holds nobody's data, under a slug that is free. */
function renamed(hints: Hints | undefined, { sent }: FailedCall): Fields | undefined {
  const slug = hints?.free_slug;
  if (slug === undefined || !isFields(sent)) return undefined;
  const { idempotency_key: _key, ...body } = sent;
  const isShort = JSON.stringify(body).length <= BODY_CHARS_MAX;
  return isShort ? { ...body, slug } : undefined;
}

function isMethod(method: string): method is Method {
  return (METHODS as readonly string[]).includes(method);
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

function bodyOf(step: RecoveryStep, failure: Known): Fields | undefined {
  const requote = failure.hints?.requote;
  switch (step.body) {
    case "requote":
    case "alternatives":
      return requote && quoteBody(requote);
    case "stay":
      return requote && stayBody(requote);
    case "booking":
    case "authorized_booking":
      return confirmBody(failure, step.body === "authorized_booking");
    case "empty":
      return {};
    case "mended_tree":
      return failure.hints?.mending?.patch;
    case "mended_nights":
      return failure.hints?.mending?.ari && { ...failure.hints.mending.ari };
    case "promotion":
      return { dry_run: false };
    case "refund":
      return { amount: failure.detail.remaining, reason: "<why the money goes back>" };
    default:
      return undefined;
  }
}

function confirmBody(failure: Known, isAuthorized: boolean): Record<string, unknown> {
  const ids = {
    hold_id: idOf("hold_id", failure) ?? "<hold id>",
    quote_id: idOf("quote_id", failure) ?? "<quote id>",
  };
  if (!isAuthorized) return bookingBody(ids);
  const authorization_id = idOf("authorization_id", failure) ?? "<approved authorization id>";
  return bookingBody({ ...ids, authorization_id });
}

/** Alternatives of the hints, else those that `detail` shows with their explanation. */
function alternativesOf({ detail, hints }: Known): QuoteRequest[] {
  const found = hints?.alternatives ?? detail.alternatives;
  if (!Array.isArray(found)) return [];
  return found.map((each) => ("quote" in each ? each.quote : each));
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null;
}
