/** A call that the reader of an answer can make next (spec 2.2). */
import type { Method, Rel } from "./steps.ts";

export interface NextAction {
  readonly rel: Rel;
  readonly method: Method;
  readonly href: string;
  /** Ready body; what only the caller can know stands as `<what it is>`. */
  readonly body_hint?: Readonly<Record<string, unknown>>;
  /** RFC 3339 instant after which the call is useless. */
  readonly expires_at?: string;
}

/**
 * Whether the caller may make a call; depends on its kind and scopes alone, never on state. Whoever
 * names the id of the call's route saves the search for it by the path.
 */
export type May = (method: string, href: string, route?: string) => boolean;

/** A call with the id of its route. */
export type Offer = readonly [route: string, action: NextAction];

/** Adds the optional parts only where they exist: absent members keep the bytes stable. */
export function action(
  rel: Rel,
  method: Method,
  href: string,
  extra?: Pick<NextAction, "body_hint" | "expires_at">,
): NextAction {
  return extra ? { rel, method, href, ...extra } : { rel, method, href };
}

/** A `POST` with a ready body. */
export function post(rel: Rel, href: string, body_hint: Record<string, unknown>): NextAction {
  return action(rel, "POST", href, { body_hint });
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
