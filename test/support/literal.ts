/**
 * A client that knows the contract and takes every answer at its word: whatever call an answer
 * offers, it makes as it stands.
 */
import { expect } from "bun:test";
import type { NextAction } from "../../src/actions/next-action.ts";
import { ROUTES } from "../../src/app.ts";
import type { DemoAgent } from "../../src/demo/demo-file.ts";
import type { Answer, Refusal } from "./answer.ts";
import { follow } from "./client.ts";
import type { Options, Service } from "./service.ts";

/** What nobody gets who does as told. */
const TURNED_AWAY = [400, 401, 403, 404, 405];

/** Codes after which the same call, mended or later, can pass; of some only with such a detail. */
const PASSABLE: Readonly<Record<string, (detail: Refusal["detail"]) => boolean>> = {
  validation_failed: () => true,
  unauthenticated: () => true,
  delegation_required: () => true,
  delegation_invalid: () => true,
  idempotency_conflict: () => true,
  rate_limited: () => true,
  property_not_promotable: () => true,
  authorization_required: () => true,
  booking_authorization_invalid: () => true,
  internal_error: () => true,
  upstream_unavailable: () => true,
  payment_provider_error: () => true,
  payment_timeout: () => true,
  webhook_delivery_not_replayable: () => true,
  conflict: ({ reason }) =>
    ["slug_taken", "id_taken", "iss_taken", "version_mismatch", "delivery_in_flight"].includes(
      String(reason),
    ),
  notification_delivery_failed: ({ reason }) =>
    !["rejected", "address", "guest_erased"].includes(String(reason)),
  // With the consent of the booking's own traveler.
  resource_access_denied: ({ reason }) => reason === "traveler_mismatch",
  hold_not_active: ({ state }) => state === "confirming",
};

/** One request and its answer. */
export interface Exchange {
  readonly agent: DemoAgent | null;
  readonly method: string;
  readonly path: string;
  readonly options: Options;
  readonly answer: Answer;
}

/** Notes every exchange of a service from now on; `last` is the newest. */
export function watch(service: Service): { readonly last: () => Exchange } {
  const api = service.api.bind(service);
  let last: Exchange;
  service.api = async (method, path, options = {}) => {
    const answer = await api(method, path, options);
    const { agent = service.demo.agent } = options;
    last = { agent, method, path, options, answer };
    return answer;
  };
  return { last: () => last };
}

/** The calls that an answer offers; none when it is no envelope. */
export function offered({ text }: Answer): readonly NextAction[] {
  if (!text.startsWith("{")) return [];
  const { error, next_actions } = JSON.parse(text);
  return (error ? error.next_actions : next_actions) ?? [];
}

/** Documents that were offered and could be read: they are the same for all and for ever. */
const read = new WeakMap<Service, Set<string>>();

function isDocument({ method, href }: NextAction): boolean {
  const route = ROUTES.match(method, href);
  return method === "GET" && route?.access === "public" && route.path === href;
}

/** Makes every call that the answer offers. @throws when the caller is turned away. */
export async function followAll(service: Service, exchange: Exchange): Promise<number> {
  const actions = offered(exchange.answer);
  const known = read.get(service) ?? new Set();
  read.set(service, known);
  for (const action of actions) {
    if (isDocument(action)) {
      if (known.has(action.href)) continue;
      known.add(action.href);
    }
    if (action.rel === "retry" && !("body_hint" in action)) expectRetry(exchange, action);
    else await expectTaken(service, exchange, action);
  }
  return actions.length;
}

async function expectTaken(service: Service, { agent, answer }: Exchange, action: NextAction) {
  const path = action.href.split("?")[0]!;
  const route = ROUTES.match(action.method, path);
  const isPublic = route?.access === "public";
  const caller = madeBy(service, answer) ?? agent ?? (isPublic ? null : service.demo.agent);
  const got = await follow(service, action, caller);
  if (!TURNED_AWAY.includes(got.status)) return;
  const told = `${answer.call} ${answer.status} ${answer.text.slice(0, 400)}`;
  throw new Error(`${told}\noffers ${JSON.stringify(action)}\n→ ${got.status} ${got.text}`);
}

/** The agent that an answer has made: what it offers is offered to that one. */
function madeBy({ demo }: Service, { text }: Answer): DemoAgent | null {
  const { agent_key } = text.startsWith("{") ? (JSON.parse(text).data ?? {}) : {};
  return agent_key === undefined ? null : { ...demo.agent, secret: agent_key };
}

/** The same call, which can pass once its cause is gone. */
function expectRetry({ method, path, answer }: Exchange, action: NextAction): void {
  const { code, detail } = answer.anyRefusal();
  const [at, query] = path.split("?");
  const [there, again] = action.href.split("?");
  const isPassable = PASSABLE[code]?.(detail) === true && ![404, 405].includes(answer.status);
  const isRoute = ROUTES.match(action.method, there!) !== undefined;
  const faults = new Set(detail.field_errors?.map((each) => each.path));
  const sound = [...new URLSearchParams(query)].filter(([name]) => !faults.has(`?${name}`));
  expect({ call: answer.call, code, detail, isPassable, isRoute, action }).toMatchObject({
    isPassable: true,
    isRoute: true,
    action: { method: method === "HEAD" ? "GET" : method },
  });
  expect([there, ...new URLSearchParams(again)]).toEqual([at!, ...sound]);
}
