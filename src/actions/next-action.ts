/** A call that the reader of an answer can make next. */
import type { Method, Rel } from "./steps.ts";

/** Minor units (ISO 4217). */
interface Money {
  readonly amount: number;
  readonly currency: string;
}

/** A value that only the caller knows. */
export interface FillIn {
  /**
   * JSON pointer in `body_hint` (`""`: the whole body), `?name` of the query, or a header's name.
   */
  readonly path: string;
  readonly meaning: string;
}

/** Cost of a cancellation until `until`. */
export interface CancellationCost {
  readonly fee: Money;
  readonly refund: Money;
  /** RFC 3339 instant of the next change of cost; null for none. */
  readonly until: string | null;
}

export interface ActionParts {
  /** Ready to send once `fill_in` is done. */
  readonly body_hint?: Readonly<Record<string, unknown>>;
  /** Everything left to fill in; absent when nothing is. */
  readonly fill_in?: readonly FillIn[];
  /** JSON pointers of differences from the caller's request; absent without any. */
  readonly changes?: readonly string[];
  /** Only on `cancel`. */
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
 * Whether the caller may make a call; depends on kind and scopes only. A known route id saves the
 * path look-up.
 */
export type May = (method: string, href: string, route?: string) => boolean;

/** A call with the id of its route. */
export type Offer = readonly [route: string, action: NextAction];

/** Adds only the parts that exist: absent members keep the bytes stable. */
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

/** The calls of known routes that the caller may make; without `may` all. */
export function offered(offers: readonly Offer[], may?: May): NextAction[] {
  const actions: NextAction[] = [];
  for (const [route, each] of offers) {
    if (may === undefined || may(each.method, each.href, route)) actions.push(each);
  }
  return actions;
}

/** Removes the calls that the caller may not make; without `may` all stay. */
export function permitted(actions: NextAction[], may?: May): NextAction[] {
  return may ? actions.filter(({ method, href }) => may(method, href)) : actions;
}
