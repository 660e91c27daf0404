/**
 * Which ids the routes of the service take, made of the routes' own contracts: of their paths by
 * the resource before each parameter, of their bodies by the members that end in `_id`. A new route
 * is tried without a word here, unless its body has to be valid before its ids are looked at.
 */
import type { TSchema } from "@sinclair/typebox";
import type { Route } from "../../src/http/route.ts";
import { bookingBody, propertyBody, type StayRequest } from "./client.ts";

/** Ids of one owner's things. */
export interface Ids {
  readonly property: string;
  readonly slug: string;
  /** A property that may be changed, taken off sale or deleted. */
  readonly draft: string;
  readonly room: string;
  readonly plan: string;
  readonly quote: string;
  readonly hold: string;
  readonly booking: string;
  readonly refund: string;
  readonly payment: string;
  readonly authorization: string;
  readonly incident: string;
  readonly agent: string;
  readonly credential: string;
  readonly person: string;
  readonly issuer: string;
  readonly endpoint: string;
  readonly delivery: string;
  readonly recovery: string;
  readonly run: string;
  readonly session: string;
  readonly checkout: string;
}
export type IdName = keyof Ids;

/** Ids that never were. */
export const UNKNOWN: Ids = {
  property: "0b0e7d2a-5f0c-4d5e-9f57-0123456789ab",
  slug: "hotel-that-never-was",
  draft: "3b0e7d2a-5f0c-4d5e-9f57-0123456789ab",
  room: "1b0e7d2a-5f0c-4d5e-9f57-0123456789ab",
  plan: "2b0e7d2a-5f0c-4d5e-9f57-0123456789ab",
  quote: `qt_01m7z5f57f${"0".repeat(28)}`,
  hold: `hld_01m7z5f57f${"0".repeat(18)}`,
  booking: `bkg_01m7z5f57f${"0".repeat(18)}`,
  refund: `rfd_01m7z5f57f${"0".repeat(18)}`,
  payment: `pay_01m7z5f57f${"0".repeat(18)}`,
  authorization: `aut_01m7z5f57f${"0".repeat(18)}`,
  incident: `osi_01m7z5f57f${"0".repeat(18)}`,
  agent: `agt_01a1fecf${"0".repeat(24)}`,
  credential: `crd_01a1fecf${"0".repeat(24)}`,
  person: `per_01a1fecf${"0".repeat(24)}`,
  issuer: `iss_01a1fecf${"0".repeat(24)}`,
  endpoint: `whe_01a1fecf${"0".repeat(24)}`,
  delivery: `dlv_01m7z5f57f${"0".repeat(18)}`,
  recovery: `rcv_01m7z5f57f${"0".repeat(18)}`,
  run: `run_01m7z5f57f${"0".repeat(18)}`,
  session: "4b0e7d2a-5f0c-4d5e-9f57-0123456789ab",
  checkout: `chk_${"0".repeat(32)}`,
};

/** A tenant's in one mode (supply, agents, issuers), or an agent's. */
export type Owner = "tenant" | "agent";

const AGENTS_OWN: readonly IdName[] = [
  ...(["quote", "hold", "booking", "refund", "payment", "authorization"] as const),
  ...(["session", "checkout"] as const),
];

export interface Trial {
  readonly route: Route;
  readonly owner: Owner;
  /** Only for operators. */
  readonly isAdmin: boolean;
  readonly ids: readonly IdName[];
  /** What operators are told of an id that they do not have. */
  readonly code: string;
  readonly status: number | undefined;
  readonly path: (ids: Ids) => string;
  readonly body: ((ids: Ids) => object) | undefined;
}

/** Collection in a path → what its members are; with its parent where two have one name. */
const COLLECTIONS: Readonly<Record<string, IdName>> = {
  properties: "property",
  quotes: "quote",
  holds: "hold",
  bookings: "booking",
  refunds: "refund",
  payments: "payment",
  "booking-authorizations": "authorization",
  "oversell-incidents": "incident",
  agents: "agent",
  credentials: "credential",
  people: "person",
  "delegation-issuers": "issuer",
  webhooks: "endpoint",
  "webhook-deliveries": "delivery",
  recoveries: "recovery",
  runs: "run",
  "advisor/sessions": "session",
  "checkout/sessions": "checkout",
};

/** The path with what is nobody's own filled in: every tenant has the same partners. */
export function ownPath(path: string): string {
  return path.replace("/feeds/:partner", "/feeds/google");
}

/** Member of a body → what it is the id of; null for ids that others give out. */
const MEMBERS: Readonly<Record<string, IdName | null>> = {
  hotel_id: "property",
  property_id: "property",
  property_ids: "property",
  room_type_id: "room",
  rate_plan_id: "plan",
  quote_id: "quote",
  hold_id: "hold",
  booking_id: "booking",
  agent_id: "agent",
  authorization_id: null,
  requestor_id: null,
};

const guests = { adults: 2 };
const stay = { check_in: "2027-06-01", check_out: "2027-06-03" };
const searchOf = (value: string) => ({ destination: { type: "property", value }, stay, guests });

const GRANT = { max_amount: 50_000, currency: "EUR" };

/** Operation → bodies that are valid but for whose ids they hold. */
const BODIES: Readonly<Record<string, readonly ((ids: Ids) => object)[]>> = {
  search: [({ property }) => searchOf(property), ({ slug }) => searchOf(slug)],
  quote: [quoteBody],
  hold: [({ quote }) => ({ quote_id: quote })],
  create_checkout_session: [({ hold }) => ({ hold_id: hold })],
  book: [({ hold, quote }) => bookingBody({ hold_id: hold, quote_id: quote })],
  create_advisor_session: [
    ({ property }) => ({ property_slug: property }),
    ({ slug }) => ({ property_slug: slug }),
  ],
  ask_advisor: [() => ({ message: "When can we check in?" })],
  admin_quote_at_property: [quoteBody],
  admin_book: [
    ({ hold, quote }) => ({
      ...bookingBody({ hold_id: hold, quote_id: quote }),
      payment: { method: "at_property" },
    }),
  ],
  admin_search_guests: [({ property }) => ({ guest: "ada", property_id: property })],
  admin_add_booking_note: [() => ({ text: "Likes the quiet side." })],
  admin_cancel_booking: [() => ({ reason: "The roof leaks." })],
  modify_booking: [() => ({ special_requests: "A quiet room." })],
  get_modification_quote: [() => ({ guests: { adults: 1 } })],
  admin_refund_booking: [() => ({ amount: 1, reason: "other" })],
  admin_settle_refund: [() => ({ method: "cash" })],
  admin_grant_authorization: [
    ({ agent, ...ids }) => ({ ...quoteBody(ids), ...GRANT, agent_id: agent }),
  ],
  admin_scan_oversell: [
    ({ property, room }) => ({ property_id: property, room_type_id: room, date: stay.check_in }),
  ],
  admin_resolve_oversell_incident: [
    () => ({ action: "accept" }),
    ({ booking }) => ({ action: "cancel_with_refund", booking_id: booking }),
  ],
  admin_promote_properties: [({ property }) => ({ property_ids: [property], dry_run: true })],
  admin_update_ari: [() => ({ rates: [] })],
  admin_replace_property: [replacement],
  admin_patch_property: [() => ({})],
  create_person: [({ property }) => ({ name: "G", scopes: [], property_ids: [property] })],
  create_agent: [({ property }) => ({ name: "G", kind: "agent", property_ids: [property] })],
  update_agent: [() => ({ state: "suspended" })],
  update_person: [() => ({ name: "G" })],
  update_issuer: [() => ({ name: "Ours" })],
  test_issuer: [() => ({ token: "x" })],
  update_webhook: [() => ({ description: "Ours" })],
  discard_webhook_delivery: [() => ({ reason: "no longer needed" })],
  recover_webhook: [() => ({ since: "2026-01-01T00:00:00Z" })],
  replay_missing_webhook_events: [() => ({ since: "2026-01-01T00:00:00Z" })],
  create_webhook: [({ property }) => endpointBody({ property_ids: [property] })],
};

/** Operation → what its query must hold before its ids are looked at. */
const QUERIES: Readonly<Record<string, Readonly<Record<string, string>>>> = { list_offers: stay };

/** After these a property is another, or gone. */
const CHANGES = [
  ...(["admin_replace_property", "admin_delete_property"] as const),
  ...(["admin_suspend_property", "admin_archive_property"] as const),
] as readonly string[];

function replacement(): object {
  const { id: _id, ...body } = propertyBody();
  return body;
}

/** An endpoint for every event at which nobody listens: its pings fail at once. */
export function endpointBody(terms: object = {}) {
  return { url: "https://receiver.invalid/", events: ["*"], ...terms };
}

/** Asks for the price of a stay in a room. */
export function quoteBody({
  property,
  room,
  plan,
}: Pick<Ids, "property" | "room" | "plan">): StayRequest {
  return { hotel_id: property, room_type_id: room, rate_plan_id: plan, stay, guests };
}

/** Names of the ids that a path takes, in their order. @throws Error for an unknown collection. */
function idsOfPath({ id, path: template }: Route): IdName[] {
  const path = ownPath(template);
  const parts = path.split("/");
  return parts.flatMap((part, i) => {
    if (!part.startsWith(":")) return [];
    const name = COLLECTIONS[parts[i - 1]!] ?? COLLECTIONS[parts.slice(i - 2, i).join("/")];
    if (name === undefined) throw new Error(`${path}: what is ${part} the id of? Say so here.`);
    return [name === "property" && CHANGES.includes(id) ? "draft" : name];
  });
}

/** All members named as ids in a schema, at any depth. */
function idMembers(schema: TSchema | undefined): string[] {
  if (typeof schema !== "object" || schema === null) return [];
  const own = Object.keys(schema.properties ?? {}).filter((name) => /_ids?$/.test(name));
  const below = ["items", "anyOf", "allOf", "oneOf"].flatMap((key) => schema[key] ?? []);
  const all = [...Object.values<TSchema>(schema.properties ?? {}), ...below];
  return [...own, ...all.flatMap(idMembers)];
}

/** The ids in these bodies are of what they make themselves. */
const OWN_IDS: ReadonlySet<string> = new Set(["admin_create_property"]);

/** @throws Error when a body names an id that nobody has thought about. */
function checkMembers({ id, path, body }: Route): void {
  for (const member of idMembers(body?.schema)) {
    const name = MEMBERS[member];
    if (name === undefined) throw new Error(`${id}: what is ${member} the id of? Say so here.`);
    if (name === null || BODIES[id] || OWN_IDS.has(id) || path.includes(":")) continue;
    throw new Error(`${id}: ${member} needs a valid body to be tried in`);
  }
}

function ownerOf(ids: readonly IdName[]): Owner {
  return ids.some((name) => AGENTS_OWN.includes(name)) ? "agent" : "tenant";
}

/** Where a code calls something otherwise than we do here. */
const CODE_NAMES: Readonly<Partial<Record<IdName, string>>> = {
  draft: "property",
  issuer: "delegation_issuer",
  endpoint: "webhook_endpoint",
  delivery: "webhook_delivery",
  authorization: "booking_authorization",
  incident: "oversell_incident",
};

/** Of which the catalogue has no code: 404 all the same. */
const UNLISTED: ReadonlySet<IdName> = new Set([
  ...(["run", "refund", "payment", "session", "checkout", "person"] as const),
]);

/** Operations that refuse the ids of their body by the code of what they name. */
const CODES: Readonly<Record<string, string>> = {
  admin_promote_properties: "property_not_found",
  admin_quote_at_property: "property_not_found",
  admin_book: "hold_not_found",
  admin_search_guests: "property_not_found",
  admin_grant_authorization: "agent_not_found",
  admin_scan_oversell: "property_not_found",
};

function codeOf({ id }: Route, inPath: readonly IdName[]): string {
  const [first] = inPath;
  const own = CODES[id];
  if (own !== undefined) return own;
  if (first === undefined || UNLISTED.has(first)) return "validation_failed";
  return `${CODE_NAMES[first] ?? first}_not_found`;
}

/**
 * A trial for each way in which a route takes ids; none for routes that take none. Where the public
 * path of a property takes its id, it takes its slug.
 */
export function trialsOf(route: Route, example: Ids): Trial[] {
  checkMembers(route);
  const isAdmin = route.access !== "public" && route.access.kinds.length === 1;
  const query = new URLSearchParams(QUERIES[route.id]).toString();
  const template = ownPath(route.path) + (query === "" ? "" : `?${query}`);
  const names = idsOfPath(route);
  const ways = names[0] === "property" && !isAdmin ? [names, names.with(0, "slug")] : [names];
  const bodies = BODIES[route.id] ?? [undefined];
  return ways.flatMap((inPath) => {
    const path = (ids: Ids) => inPath.reduce((at, name) => at.replace(/:\w+/, ids[name]), template);
    return bodies.flatMap((body) => {
      const text = path(example) + JSON.stringify(body?.(example) ?? {});
      const ids = (Object.keys(example) as IdName[]).filter((name) => text.includes(example[name]));
      if (ids.length === 0) return [];
      const code = codeOf(route, inPath);
      const status = inPath[0] && UNLISTED.has(inPath[0]) ? 404 : undefined;
      return [{ route, owner: ownerOf(ids), isAdmin, ids, code, status, path, body }];
    });
  });
}

/** The arguments of a route's tool that say what a trial says; key and token are the caller's. */
export function toolArguments({ route, path, body }: Trial, ids: Ids): Record<string, unknown> {
  const at = route.path.split("/");
  const [plain, query] = path(ids).split("?");
  const parts = plain!.split("/");
  const inPath = Object.entries(route.tool?.pathArguments ?? {}).map(([name, argument]) => {
    return [argument, parts[at.indexOf(`:${name}`)]] as const;
  });
  const asked = Object.fromEntries(new URLSearchParams(query));
  return { ...body?.(ids), ...Object.fromEntries(inPath), ...asked };
}
