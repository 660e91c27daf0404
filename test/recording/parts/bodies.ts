/** Bodies, content types and idempotency keys that no route of their kind takes. */
import { SEVILLA, smallHotel } from "../hotels.ts";
import type { Ask } from "../session.ts";
import type { World } from "../world.ts";

const KIB = 1024;

interface Case {
  readonly call: string;
  /** A body that the route understands, whatever it then says. */
  readonly body: Readonly<Record<string, unknown>>;
  readonly isAdmin?: boolean;
  readonly isKeyed?: boolean;
  readonly limit?: number;
}

const PROPERTY = `/v1/admin/properties/${SEVILLA.id}`;

/** Every route that reads JSON, with a body of its own. */
function cases(world: World): Case[] {
  const held = { hold_id: "hld_unknown", quote_id: "qt_unknown" };
  const admin = { isAdmin: true, isKeyed: true };
  const agents = "/v1/admin/agents";
  const issuers = "/v1/admin/delegation-issuers";
  const rpc = { jsonrpc: "2.0", id: 1, method: "ping" };
  return [
    { call: "POST /v1/search", body: { stay: world.stay(30), guests: { adults: 2 } } },
    { call: "POST /v1/quotes", body: world.quoteBody() },
    { call: "POST /v1/holds", body: { quote_id: "qt_unknown" }, isKeyed: true },
    { call: "POST /v1/holds/hld_unknown/release", body: {}, isKeyed: true },
    { call: "POST /v1/holds/hld_unknown/extend", body: {}, isKeyed: true },
    { call: "POST /v1/bookings", body: world.bookingBody(held), isKeyed: true },
    { call: "POST /v1/bookings/bkg_unknown/cancel", body: { note: "n" }, isKeyed: true },
    { call: "POST /v1/receipts/verify", body: { kind: "refund_issued", subject: {} } },
    { call: "POST /v1/admin/properties", body: SEVILLA, ...admin, limit: 512 * KIB },
    { call: `POST ${PROPERTY}/promote`, body: { dry_run: true }, ...admin },
    { call: `PUT ${PROPERTY}/ari`, body: { rates: [] }, ...admin, limit: 512 * KIB },
    { call: "PUT /v1/admin/fx", body: { base: "XXX", rates: {} }, ...admin },
    { call: `POST ${agents}`, body: { name: "n", kind: "robot" }, ...admin },
    { call: `PATCH ${agents}/agt_unknown`, body: { name: "n" }, ...admin },
    { call: `POST ${agents}/agt_unknown/credentials`, body: {}, ...admin },
    { call: `POST ${agents}/agt_unknown/credentials/crd_unknown/rotate`, body: {}, ...admin },
    { call: `POST ${issuers}`, body: { iss: "i", name: "n" }, ...admin },
    { call: `PATCH ${issuers}/iss_unknown`, body: { name: "n" }, ...admin },
    { call: `POST ${issuers}/iss_unknown/suspend`, body: {}, ...admin },
    { call: `POST ${issuers}/iss_unknown/activate`, body: {}, ...admin },
    { call: `POST ${issuers}/iss_unknown/revoke`, body: {}, ...admin },
    { call: `POST ${issuers}/iss_unknown/test`, body: { token: "t" }, isAdmin: true },
    { call: "POST /mcp", body: rpc, limit: 256 * KIB },
    { call: "POST /a2a", body: rpc, limit: 256 * KIB },
  ];
}

const NO_BODY_BUT_KEY = [
  "DELETE /v1/admin/agents/agt_unknown",
  "DELETE /v1/admin/agents/agt_unknown/credentials/crd_unknown",
  "DELETE /v1/admin/delegation-issuers/iss_unknown",
];

/** Unreadable bodies by what is wrong with them. */
function badBodies({ body, limit = 64 * KIB }: Case): Readonly<Record<string, Ask>> {
  const text = JSON.stringify(body);
  const typed = (type: string) => ({ raw: text, headers: { "content-type": type } });
  return {
    broken: { raw: text.slice(0, -1) },
    "no JSON": { raw: "hello" },
    "two documents": { raw: `${text}${text}` },
    "as text": typed("text/plain"),
    "as a form": typed("application/x-www-form-urlencoded"),
    "as JSON of a kind": typed("application/vnd.innkeep+json; charset=utf-8"),
    "no type": typed(""),
    "too large": { raw: text + " ".repeat(limit) },
    "too deep": { raw: `${"[".repeat(33)}${"]".repeat(33)}` },
    "lone surrogate": { raw: '{"a":"\\ud800"}' },
    "no UTF-8": { raw: new Uint8Array([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]) },
    prototype: { raw: '{"__proto__":{"a":1},"constructor":1}' },
    none: {},
    empty: { body: {} },
    null: { body: null },
    list: { body: [] },
    text: { body: "text" },
    number: { body: 12 },
    "unknown member": { body: { ...body, nonsense: true } },
  };
}

/** Keys that are none. */
function badKeys({ body }: Case): Readonly<Record<string, Ask>> {
  const sent = (key: string, more = {}) => {
    return { headers: { "idempotency-key": key }, body: { ...body, ...more } };
  };
  return {
    "no key": { body },
    "key with a space": sent("a b"),
    "key not closed": sent('"abc'),
    "key empty in quotes": sent('""'),
    "key too long": sent("k".repeat(256)),
    "key not ASCII": sent("ä"),
    "two keys": sent("one", { idempotency_key: "two" }),
    "key is a number": { body: { ...body, idempotency_key: 1 } },
    "key is null": { body: { ...body, idempotency_key: null } },
    "both keys bad": sent("a b", { idempotency_key: "" }),
  };
}

/** Every reading route with every unreadable body, and every keyed one with every bad key. */
export async function sendBadBodies(world: World): Promise<void> {
  const consent = { "x-delegated-user": await world.tokens.sign() };
  for (const each of cases(world)) {
    const as = each.isAdmin ? world.operator : world.main;
    const send = (label: string, ask: Ask) => {
      const key: Record<string, string> = each.isKeyed ? world.session.keyed() : {};
      const headers = { ...consent, ...key, ...ask.headers };
      return world.ask(label, each.call, { as, ...ask, headers });
    };
    for (const [name, ask] of Object.entries(badBodies(each))) await send(`body: ${name}`, ask);
    if (!each.isKeyed) continue;
    for (const [name, ask] of Object.entries(badKeys(each))) {
      const headers = { "idempotency-key": "", ...ask.headers };
      await send(`key: ${name}`, { ...ask, headers });
    }
  }
  for (const call of NO_BODY_BUT_KEY) {
    for (const key of ["a b", "k".repeat(256), '"quoted"', "plain", "plain"]) {
      await world.admin("key: without a body", call, { headers: { "idempotency-key": key } });
    }
  }
}

/** The same key again: same body, other body, in the body, by others; successes and failures. */
export async function replay(world: World): Promise<void> {
  const quote = await world.quote("replay");
  const colleague = world.agent("colleague");
  const consent = { "x-delegated-user": await world.tokens.sign() };
  const held = { hold_id: "hld_unknown", quote_id: "qt_unknown" };
  const agents = "/v1/admin/agents";
  const hotel = smallHotel(0x700, "replayed");
  const fx = { base: "EUR", rates: { USD: "1.0850", GBP: "0.8540", JPY: "163.25" } };
  const issuer = { iss: "https://replayed.example", name: "Replayed", jwks: world.tokens.jwks };
  const all: readonly (readonly [string, Readonly<Record<string, unknown>>, boolean?])[] = [
    ["POST /v1/holds", { quote_id: quote }],
    ["POST /v1/holds", { quote_id: "qt_unknown" }],
    ["POST /v1/holds/hld_unknown/release", {}],
    ["POST /v1/bookings", world.bookingBody(held)],
    ["POST /v1/bookings/bkg_unknown/cancel", {}],
    ["POST /v1/admin/properties", hotel, true],
    [`POST /v1/admin/properties/${hotel.id}/promote`, {}, true],
    ["PUT /v1/admin/fx", fx, true],
    [`POST ${agents}`, { name: "replayed", kind: "agent" }, true],
    [`POST ${agents}/agt_unknown/credentials`, {}, true],
    ["POST /v1/admin/delegation-issuers", issuer, true],
    ["POST /v1/admin/delegation-issuers", { ...issuer, name: "Again" }, true],
  ];
  for (const [call, body, isAdmin = false] of all) {
    const key = world.session.newKey();
    const as = isAdmin ? world.operator : world.main;
    const keyed = { ...consent, "idempotency-key": key };
    const send = (label: string, ask: Ask) => {
      return world.ask(`replay: ${label}`, call, { as, headers: keyed, body, ...ask });
    };
    await send("first", {});
    await send("same", {});
    await send("same, spaced out", { raw: JSON.stringify(body, null, 2) });
    const reversed = Object.fromEntries(Object.entries(body).reverse());
    await send("same, other order", { body: reversed });
    await send("quoted", { headers: { ...keyed, "idempotency-key": `"${key}"` } });
    await send("in the body", { headers: consent, body: { ...body, idempotency_key: key } });
    await send("in both", { body: { ...body, idempotency_key: key } });
    await send("other body", { body: { ...body, quote_id: "qt_other" } });
    await send("other caller", { as: isAdmin ? world.testOperator : colleague });
  }
}
