/** The pages that people see, ready to be asked for: signed in, with data, by their addresses. */
import type { PropertyTree } from "../engine/core/supply.ts";
import { DEFAULT_SCOPES } from "../src/access/control/agents.ts";
import { demoUuid } from "../src/ops/demo/random.ts";
import { type Installation, importProperties } from "./installation.ts";
import { BENCH_PROPERTIES, requestOf } from "./tenant.ts";

/** Whose budget a page has: the console's, that of 62 nights of ten room types, or guests'. */
export type PageKind = "console" | "calendar62" | "guest";

export interface PageVisit {
  readonly name: string;
  readonly kind: PageKind;
  readonly path: string;
  /** The session's cookie, where one is signed in. */
  readonly headers: Readonly<Record<string, string>>;
}

const LARGE_HOTEL = demoUuid("pages", "hotel");
const LARGE_HOTEL_ROOMS = 200;
const OPERATOR_SCOPES = [...DEFAULT_SCOPES, "admin:*"];
const PLANS = ["FLEX", "SAVER"];

/** A hotel of two hundred room types with two rate plans each. */
function largeHotel(): PropertyTree {
  const tree = BENCH_PROPERTIES[0]!;
  const room_types = Array.from({ length: LARGE_HOTEL_ROOMS }, (_, i) => {
    const room = tree.room_types[0]!;
    const id = demoUuid(LARGE_HOTEL, "room", i);
    const rate_plans = PLANS.map((code) => {
      return { ...room.rate_plans[0]!, id: demoUuid(id, code), code };
    });
    return { ...room, id, code: `L${i}`, name: `Room ${i}`, rate_plans };
  });
  return { ...tree, id: LARGE_HOTEL, slug: "pages-large", name: "Pages large", room_types };
}

let addresses = 0;

/** Pages are limited by address: behind the trusted proxy each request may have another one. */
export function nextAddress(): string {
  addresses += 1;
  return `198.51.${(addresses >> 8) & 0xff}.${addresses & 0xff}`;
}

/** The cookie of a new session of the demo's operator. */
export async function signIn(
  { baseUrl, demo }: Installation,
  secret: string = demo.admin.secret,
): Promise<string> {
  const response = await fetch(`${baseUrl}/console/sign-in`, {
    method: "POST",
    body: new URLSearchParams({ secret }),
    headers: { "sec-fetch-site": "same-origin", "x-forwarded-for": nextAddress() },
    redirect: "manual",
  });
  const [cookie] = response.headers.getSetCookie();
  if (cookie === undefined) throw new Error(`signing in was answered ${response.status}`);
  return cookie.split(";")[0]!;
}

/**
 * The secret of another operator of the demo's tenant: streams are limited by operator. Without
 * these scopes it would have those of an agent, and no stream.
 */
export async function newOperator({ baseUrl, demo }: Installation): Promise<string> {
  const response = await fetch(`${baseUrl}/v1/admin/agents`, {
    method: "POST",
    body: JSON.stringify({ name: "Consoles", kind: "operator", scopes: OPERATOR_SCOPES }),
    headers: {
      authorization: `Bearer ${demo.admin.secret}`,
      "content-type": "application/json",
    },
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`an operator was answered ${response.status} ${text}`);
  const { data } = JSON.parse(text) as { data: { credential: { secret: string } } };
  return data.credential.secret;
}

async function agentCall<T>(
  { baseUrl, demo }: Installation,
  path: string,
  body: object,
): Promise<T> {
  const response = await fetch(baseUrl + path, {
    method: "POST",
    body: JSON.stringify(body),
    headers: {
      authorization: `Bearer ${demo.agent.secret}`,
      "content-type": "application/json",
      "idempotency-key": crypto.randomUUID(),
    },
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${path} was answered ${response.status} ${text}`);
  return (JSON.parse(text) as { data: T }).data;
}

/** The path of a checkout of a new hold; its address has the host of `BASE_URL`. */
async function checkoutPath(copy: Installation): Promise<string> {
  const quote = await agentCall<{ quote_id: string }>(copy, "/v1/quotes", requestOf(0, "spread"));
  const { quote_id } = quote;
  const { hold_id } = await agentCall<{ hold_id: string }>(copy, "/v1/holds", { quote_id });
  const session = await agentCall<{ url: string }>(copy, "/v1/checkout/sessions", { hold_id });
  const { pathname, search } = new URL(session.url);
  return pathname + search;
}

const CONSOLE_PATHS = {
  Today: "/console",
  Bookings: "/console/bookings",
  Calendar: `/console/calendar?property_id=${LARGE_HOTEL}`,
  Properties: "/console/properties",
  Approvals: "/console/approvals",
  Incidents: "/console/incidents",
  Money: "/console/money",
  Webhooks: "/console/webhooks",
  Feeds: "/console/feeds",
  Agents: "/console/agents",
  Events: "/console/events",
} as const;

/** Adds the large hotel and signs in. */
export async function pageVisits(copy: Installation): Promise<PageVisit[]> {
  const { baseUrl, demo } = copy;
  await importProperties({ baseUrl, secret: demo.admin.secret }, [largeHotel()].values());
  const live = demo.properties.find(({ mode }) => mode === "live")!;
  const headers = { cookie: await signIn(copy) };
  const pages = Object.entries(CONSOLE_PATHS).map(([name, path]): PageVisit => {
    return { name, kind: "console", path, headers };
  });
  const guest = (name: string, path: string): PageVisit => {
    return { name, kind: "guest", path, headers: {} };
  };
  return [
    ...pages,
    {
      ...{ name: "Calendar, 62 nights", kind: "calendar62", headers },
      path: `${CONSOLE_PATHS.Calendar}&nights=62`,
    },
    guest("Checkout", await checkoutPath(copy)),
    guest("Hotel", `/book/${live.slug}`),
    guest("Front page", "/"),
  ];
}
