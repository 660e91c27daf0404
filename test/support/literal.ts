/**
 * A client that knows the contract and takes every answer at its word: whatever call an answer
 * offers, it makes as it stands.
 */
import { expect } from "bun:test";
import type { NextAction } from "../../src/actions/next-action.ts";
import { ROUTES } from "../../src/app.ts";
import type { DemoAgent } from "../../src/ops/demo/demo-file.ts";
import type { Answer, Refusal } from "./answer.ts";
import { follow } from "./follow.ts";
import type { Options, Service } from "./service.ts";

/** What no caller gets that does as it is told. */
const TURNED_AWAY = [400, 401, 403, 404, 405];

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

/** What only a caller knows. */
interface Wishes {
  /** A body that the route of the refused call takes. */
  readonly valid?: object | undefined;
  /** A quote request that can be priced. */
  readonly stay?: object;
}

/**
 * Makes every call that the answer offers, exactly as it stands.
 *
 * @throws when the caller is turned away, or a success offers `retry`.
 */
export async function followAll(
  service: Service,
  exchange: Exchange,
  wishes: Wishes = {},
): Promise<number> {
  const actions = offered(exchange.answer);
  const known = read.get(service) ?? new Set();
  read.set(service, known);
  expectOrder(exchange, actions);
  for (const action of actions) {
    if (isDocument(action)) {
      if (known.has(action.href)) continue;
      known.add(action.href);
    }
    if (action.rel === "retry") await expectRepeated(service, exchange, action, wishes);
    else await expectTaken(service, exchange, action, wishes);
  }
  return actions.length;
}

/** What changes the caller's wish stands after all that does not. */
function expectOrder({ answer }: Exchange, actions: readonly NextAction[]): void {
  const asking = actions.filter(({ rel }) => rel !== "get");
  const changing = asking.map(({ changes }) => changes !== undefined);
  const isSearch = /\/v1\/(search|quotes|holds)/.test(answer.call);
  if (isSearch)
    expect({ answer: answer.call, changing }).toMatchObject({
      changing: changing.toSorted(),
    });
}

function fail({ answer }: Exchange, action: NextAction, got: Answer): never {
  const told = `${answer.call} ${answer.status} ${answer.text.slice(0, 400)}`;
  throw new Error(`${told}\noffers ${JSON.stringify(action)}\n→ ${got.status} ${got.text}`);
}

async function expectTaken(
  service: Service,
  exchange: Exchange,
  action: NextAction,
  { stay }: Wishes,
): Promise<void> {
  const { agent, answer } = exchange;
  const path = action.href.split("?")[0]!;
  const route = ROUTES.match(action.method, path);
  const isPublic = route?.access === "public";
  const caller = madeBy(service, answer) ?? agent ?? (isPublic ? null : service.demo.agent);
  const got = await follow(service, action, caller, { path: action.href, valid: stay });
  // All is well but the hold: its id is the caller's own, and an unread body does not tell it.
  if (isHandover(answer, action) && got.status === 404) {
    got.refused("hold_not_found");
    return;
  }
  if (TURNED_AWAY.includes(got.status)) fail(exchange, action, got);
}

/** Whether a booking without a traveler's token is offered to be handed over to the person. */
function isHandover({ status, text }: Answer, { href, fill_in = [] }: NextAction): boolean {
  if (href !== "/v1/checkout/sessions" || !fill_in.some(({ path }) => path === "/hold_id"))
    return false;
  return status >= 400 && JSON.parse(text).error?.code === "delegation_required";
}

/** The agent that an answer has made: what it offers is offered to that one. */
function madeBy({ demo }: Service, { text }: Answer): DemoAgent | null {
  const { agent_key } = text.startsWith("{") ? (JSON.parse(text).data ?? {}) : {};
  return agent_key === undefined ? null : { ...demo.agent, secret: agent_key };
}

/** What passes with time alone. */
function isWait({ code, retry_after, detail }: Refusal): boolean {
  if (retry_after !== null) return true;
  const { state, reason } = detail;
  return (code === "hold_not_active" && state === "confirming") || reason === "delivery_in_flight";
}

/** The same method and path; unless it asks for time, it is refused neither so nor for its form. */
async function expectRepeated(
  service: Service,
  exchange: Exchange,
  action: NextAction,
  { valid }: Wishes,
): Promise<void> {
  const { agent, method, path, options, answer } = exchange;
  const refusal = answer.anyRefusal();
  expect({ call: answer.call, ...action, href: action.href.split("?")[0] }).toMatchObject({
    method: method === "HEAD" ? "GET" : method,
    href: path.split("?")[0],
  });
  if (isWait(refusal)) return;
  // The credential of a guest is in a mail (`guest.int.test.ts`).
  if (refusal.code === "unauthenticated" && path.startsWith("/v1/guest/")) return;
  const isOperators = path.startsWith("/v1/admin/");
  const stranger = isOperators ? service.demo.admin : service.demo.agent;
  const caller = refusal.code === "unauthenticated" ? stranger : agent;
  // Nobody here has a body for it.
  const isOpen = ROUTES.match(action.method, action.href)?.access === "public";
  const isBodiless = valid === undefined && options.body === undefined;
  const isOtherMedia = action.fill_in?.some(({ path: at }) => at === "Content-Type");
  if (
    (isOpen || isOtherMedia || (isBodiless && action.method !== "GET")) &&
    refusal.code === "validation_failed"
  )
    return;
  const got = await follow(service, action, caller, { path, ...options, valid });
  const { error } = (got.text.startsWith("{") ? got.json : {}) as { error?: { code: string } };
  const refused = ["validation_failed", "unauthenticated", refusal.code];
  // Of an id that is none the form is not at fault.
  if (got.status !== 404 && refused.includes(error?.code ?? "")) fail(exchange, action, got);
}
