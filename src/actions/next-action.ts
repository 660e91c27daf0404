/** A call that the reader of an answer can make next (spec 2.2). */
import type { Method, Rel } from "./steps.ts";

/** Minor units (ISO 4217). */
interface Money {
  readonly amount: number;
  readonly currency: string;
}

/** Something that only the caller has. */
export interface FillIn {
  /** JSON pointer in `body_hint` (`""`: all of it), `?name` of the query, or a header's name. */
  readonly path: string;
  /** What goes there, in words. */
  readonly meaning: string;
}

/** What a cancellation costs from the answer's instant until `until`. */
export interface CancellationCost {
  readonly fee: Money;
  readonly refund: Money;
  /** RFC 3339 instant at which the cost changes; null when it never does. */
  readonly until: string | null;
}

/** What an action has besides its call. */
export interface ActionParts {
  /** Body to send as it stands, once `fill_in` is done. */
  readonly body_hint?: Readonly<Record<string, unknown>>;
  /** All that is left to fill in; absent when the call can be sent as it stands. */
  readonly fill_in?: readonly FillIn[];
  /** JSON pointers of what differs from what the caller asked for; absent when nothing does. */
  readonly changes?: readonly string[];
  /** On `cancel` alone. */
  readonly cost?: CancellationCost;
  /** RFC 3339 instant after which the call is useless. */
  readonly expires_at?: string;
}

export interface NextAction extends ActionParts {
  readonly rel: Rel;
  readonly method: Method;
  readonly href: string;
}

/**
 * Whether the caller may make a call; depends on its kind and scopes alone, never on state. The id
 * of the call's route, where it is known, saves the search for it by the path.
 */
export type May = (method: string, href: string, route?: string) => boolean;

/** A call with the id of its route. */
export type Offer = readonly [route: string, action: NextAction];

/** Adds the optional parts only where they exist: absent members keep the bytes stable. */
export function action(rel: Rel, method: Method, href: string, parts?: ActionParts): NextAction {
  return parts ? { rel, method, href, ...parts } : { rel, method, href };
}

/** A `POST` with a ready body. */
export function post(
  rel: Rel,
  href: string,
  body_hint: Record<string, unknown>,
  parts?: Omit<ActionParts, "body_hint">,
): NextAction {
  return action(rel, "POST", href, { body_hint, ...parts });
}

/** The calls the caller may make (rules §9), of routes that are known; without `may` all. */
export function offered(offers: readonly Offer[], may?: May): NextAction[] {
  const actions: NextAction[] = [];
  for (const [route, each] of offers) {
    if (may === undefined || may(each.method, each.href, route)) actions.push(each);
  }
  return actions;
}

/** Leaves out the calls the caller may not make (rules §9); without `may` all stay. */
export function permitted(actions: NextAction[], may?: May): NextAction[] {
  return may ? actions.filter(({ method, href }) => may(method, href)) : actions;
}
