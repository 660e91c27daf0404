/**
 * What a keyed call is refused with, how its cause goes away, and what the same call comes to then:
 * the scenes that `sealing.int.test.ts` plays. A scene's cause lies in the world (`mend` takes it
 * away and the very same request is sent again) or in the request (`after` is the request without
 * it); in both cases under the key that was refused, and under a new one.
 */
import { exportJWK, generateKeyPair, type JWK, SignJWT } from "jose";
import { changeAgent } from "../../src/control/agents.ts";
import type { DemoAgent } from "../../src/demo/demo-file.ts";
import type { Answer } from "./answer.ts";
import {
  bookingBody,
  createHotel,
  dateIn,
  type Hold,
  type Hotel,
  newBooking,
  newHold,
  newKey,
  newQuote,
  propertyBody,
  sendBooking,
  stayRequest,
} from "./client.ts";
import type { Service } from "./service.ts";

/** Sends the scene's request under a key. */
type Send = (key: string) => Promise<Answer>;

export interface Scene {
  readonly refused: Send;
  readonly mend?: () => Promise<unknown>;
  readonly after?: Send;
}

/** Sets a scene up; `hotel` has rooms enough for everybody. */
export type Setting = (service: Service, hotel: Hotel) => Promise<Scene>;

const AGENTS = "/v1/admin/agents";
const ISSUERS = "/v1/admin/delegation-issuers";
const PROPERTIES = "/v1/admin/properties";

/** A request by the operator. */
function admin(service: Service, method: string, path: string, body?: unknown): Send {
  return (key) => {
    const headers = { "idempotency-key": key };
    const agent = service.demo.admin;
    return service.api(method, path, { agent, headers, ...(body === undefined ? {} : { body }) });
  };
}

/** A hold by whoever. */
function holding(service: Service, quoteId: unknown, agent?: DemoAgent | null): Send {
  return (key) => {
    const headers = { "idempotency-key": key };
    const by = agent === undefined ? {} : { agent };
    return service.api("POST", "/v1/holds", { ...by, headers, body: { quote_id: quoteId } });
  };
}

function booking(
  service: Service,
  hold: Pick<Hold, "hold_id" | "quote_id">,
  terms: { readonly token?: string; readonly delegation?: string; readonly agent?: DemoAgent } = {},
): Send {
  return (key) => sendBooking(service, hold, { ...terms, key });
}

function cancelling(service: Service, bookingId: string, sub = "traveler-1"): Send {
  return async (key) => {
    const delegation = await service.mintDelegation({ sub });
    const headers = { "idempotency-key": key, "x-delegated-user": delegation };
    return service.api("POST", `/v1/bookings/${bookingId}/cancel`, { headers });
  };
}

/** Changes an agent; resolves when the api knows. */
async function change(
  service: Service,
  { agent_id }: DemoAgent,
  terms: Parameters<typeof changeAgent>[2],
): Promise<void> {
  service.control((store) => changeAgent(store, agent_id, terms));
  // The control plane is read whole, in its order.
  await service.newAgents([{}]);
}

async function agentWith(service: Service, terms: Parameters<Service["newAgents"]>[0][0]) {
  return (await service.newAgents([terms]))[0]!;
}

async function quoteId(service: Service, hotel: Hotel, agent?: DemoAgent): Promise<string> {
  const by = agent ? { agent } : {};
  return (await newQuote(service, stayRequest(hotel), by)).quote_id;
}

const freshHold = (service: Service, hotel: Hotel) => newHold(service, stayRequest(hotel));

/** A traveler's issuer that the tenant does not know yet. */
async function newIssuer({ demo }: Service) {
  const { publicKey, privateKey } = await generateKeyPair("ES256");
  const kid = crypto.randomUUID();
  const iss = `https://${kid}.example`;
  const key: JWK = { ...(await exportJWK(publicKey)), kid, alg: "ES256", use: "sig" };
  const token = await new SignJWT({ iss, sub: "traveler-1", aud: demo.delegation.aud })
    .setProtectedHeader({ alg: "ES256", kid })
    .setIssuedAt()
    .setExpirationTime("5m")
    .sign(privateKey);
  return { token, body: { iss, name: "Stranger", jwks: { keys: [key] } } };
}

/** Refusals that go away with their cause. */
export const PASSING: Readonly<Record<string, readonly [code: string, Setting]>> = {
  "a body at fault": [
    "validation_failed",
    async (service, hotel) => {
      const after = holding(service, await quoteId(service, hotel));
      return { refused: holding(service, 5), after };
    },
  ],
  "a property that an agent may not be given yet": [
    "validation_failed",
    async (service) => {
      const property = propertyBody();
      const body = { name: "Narrow", kind: "agent", property_ids: [property.id] };
      const mend = async () => {
        (await admin(service, "POST", PROPERTIES, property)(newKey())).ok(201);
      };
      return { refused: admin(service, "POST", AGENTS, body), mend };
    },
  ],
  "no credential": [
    "unauthenticated",
    async (service, hotel) => {
      const id = await quoteId(service, hotel);
      return { refused: holding(service, id, null), after: holding(service, id) };
    },
  ],
  "no delegation": [
    "delegation_required",
    async (service, hotel) => {
      const hold = await freshHold(service, hotel);
      const refused: Send = (key) => {
        const headers = { "idempotency-key": key };
        return service.api("POST", "/v1/bookings", { headers, body: bookingBody(hold) });
      };
      return { refused, after: booking(service, hold) };
    },
  ],
  "a delegation that does not verify": [
    "delegation_invalid",
    async (service, hotel) => {
      const hold = await freshHold(service, hotel);
      const refused = booking(service, hold, { delegation: "a.b.c" });
      return { refused, after: booking(service, hold) };
    },
  ],
  "a delegation that is bound to less": [
    "delegation_invalid",
    async (service, hotel) => {
      const hold = await freshHold(service, hotel);
      const delegation = await service.mintDelegation({ maxAmount: 1 });
      return { refused: booking(service, hold, { delegation }), after: booking(service, hold) };
    },
  ],
  "an issuer that is not registered yet": [
    "delegation_issuer_unknown",
    async (service, hotel) => {
      const hold = await freshHold(service, hotel);
      const { token: delegation, body } = await newIssuer(service);
      const mend = async () => (await admin(service, "POST", ISSUERS, body)(newKey())).ok(201);
      return { refused: booking(service, hold, { delegation }), mend };
    },
  ],
  "a scope that is not granted yet": [
    "forbidden",
    async (service, hotel) => {
      const agent = await agentWith(service, { scopes: ["supply:read", "quotes"] });
      const refused = holding(service, await quoteId(service, hotel, agent), agent);
      const mend = () => change(service, agent, { scopes: ["supply:read", "quotes", "holds"] });
      return { refused, mend };
    },
  ],
  "a right that the operator does not have yet": [
    "forbidden",
    async (service) => {
      const scopes = ["supply:read", "admin:agents"];
      const agent = await agentWith(service, { kind: "operator", scopes });
      const body = { name: "Rates", kind: "operator", scopes: ["admin:fx"] };
      const refused: Send = (key) => {
        return service.api("POST", AGENTS, { agent, body, headers: { "idempotency-key": key } });
      };
      return { refused, mend: () => change(service, agent, { scopes: [...scopes, "admin:fx"] }) };
    },
  ],
  "another traveler": [
    "resource_access_denied",
    async (service, hotel) => {
      const { booking_id } = await newBooking(service, stayRequest(hotel));
      const refused = cancelling(service, booking_id, "traveler-2");
      return { refused, after: cancelling(service, booking_id) };
    },
  ],
  "a property that the operator may not reach yet": [
    "resource_access_denied",
    async (service, hotel) => {
      const agent = await agentWith(service, { kind: "operator", property_ids: [] });
      const body = { name: "Narrow", kind: "agent", property_ids: [hotel.id] };
      const refused: Send = (key) => {
        return service.api("POST", AGENTS, { agent, body, headers: { "idempotency-key": key } });
      };
      return { refused, mend: () => change(service, agent, { property_ids: [hotel.id] }) };
    },
  ],
  "another kind": [
    "principal_kind_not_allowed",
    async (service, hotel) => {
      const partner = await agentWith(service, { kind: "partner" });
      const id = await quoteId(service, hotel);
      return { refused: holding(service, id, partner), after: holding(service, id) };
    },
  ],
  "as many holds as the agent may have": [
    "rate_limited",
    async (service, hotel) => {
      const agent = await agentWith(service, { limits: { max_open_holds: 1 } });
      const { hold_id } = await newHold(service, stayRequest(hotel), { agent });
      const refused = holding(service, await quoteId(service, hotel, agent), agent);
      const mend = async () =>
        (await service.api("POST", `/v1/holds/${hold_id}/release`, { agent })).ok();
      return { refused, mend };
    },
  ],
  "a control store that is busy": [
    "upstream_unavailable",
    async (service) => {
      const after = admin(service, "POST", AGENTS, { name: "Later", kind: "agent" });
      return { refused: (key) => service.whileStoreIsBusy(() => after(key)), after };
    },
  ],
  "an engine that does not answer": [
    "upstream_unavailable",
    async (service, hotel) => {
      const { hold_id } = await freshHold(service, hotel);
      const after: Send = (key) => {
        const headers = { "idempotency-key": key };
        return service.api("POST", `/v1/holds/${hold_id}/extend`, { headers });
      };
      const refused: Send = async (key) => {
        process.kill(service.pids.engine!, "SIGSTOP");
        try {
          return await after(key);
        } finally {
          process.kill(service.pids.engine!, "SIGCONT");
        }
      };
      return { refused, after };
    },
  ],
};

/** Refusals that the state decided: the key keeps them. */
export const LASTING: Readonly<Record<string, readonly [code: string, Setting]>> = {
  "a quote that nobody knows": [
    "quote_not_found",
    async (service, hotel) => {
      const after = holding(service, await quoteId(service, hotel));
      return { refused: holding(service, "qt_x"), after };
    },
  ],
  "a hold that nobody knows": [
    "hold_not_found",
    async (service, hotel) => {
      const hold = await freshHold(service, hotel);
      const unknown = { ...hold, hold_id: "hld_x" };
      return { refused: booking(service, unknown), after: booking(service, hold) };
    },
  ],
  "a booking that nobody knows": [
    "booking_not_found",
    async (service, hotel) => {
      const { booking_id } = await newBooking(service, stayRequest(hotel));
      const refused = cancelling(service, "bkg_x");
      return { refused, after: cancelling(service, booking_id) };
    },
  ],
  "a property that is not there yet": [
    "property_not_found",
    async (service) => {
      const property = propertyBody();
      const refused = admin(service, "POST", `${PROPERTIES}/${property.id}/promote`);
      const mend = async () => {
        (await admin(service, "POST", PROPERTIES, property)(newKey())).ok(201);
      };
      return { refused, mend };
    },
  ],
  "an agent that nobody knows": [
    "agent_not_found",
    async (service) => {
      const { agent_id } = await agentWith(service, {});
      const body = { name: "Renamed" };
      const refused = admin(service, "PATCH", `${AGENTS}/agt_x`, body);
      return { refused, after: admin(service, "PATCH", `${AGENTS}/${agent_id}`, body) };
    },
  ],
  "a credential that nobody knows": [
    "credential_not_found",
    async (service) => {
      const { agent_id } = await agentWith(service, {});
      const path = `${AGENTS}/${agent_id}/credentials`;
      const made = (await admin(service, "POST", path)(newKey())).ok<{
        readonly credential: { readonly credential_id: string };
      }>(201);
      const { credential_id } = made.data.credential;
      const refused = admin(service, "DELETE", `${path}/crd_x`);
      return { refused, after: admin(service, "DELETE", `${path}/${credential_id}`) };
    },
  ],
  "an issuer that nobody knows": [
    "delegation_issuer_not_found",
    async (service) => {
      const { body } = await newIssuer(service);
      const made = await admin(service, "POST", ISSUERS, body)(newKey());
      const { issuer_id } = made.ok<{ readonly issuer_id: string }>(201).data;
      const refused = admin(service, "POST", `${ISSUERS}/iss_x/suspend`);
      return { refused, after: admin(service, "POST", `${ISSUERS}/${issuer_id}/suspend`) };
    },
  ],
  "a room that is taken": [
    "allocation_failed",
    async (service) => {
      const single = await createHotel(service, { units: [1] });
      const { hold_id } = await freshHold(service, single);
      const mend = async () => (await service.api("POST", `/v1/holds/${hold_id}/release`)).ok();
      return { refused: holding(service, await quoteId(service, single)), mend };
    },
  ],
  "a ceiling that is reached": [
    "allotment_exhausted",
    async (service) => {
      const capped = await createHotel(service);
      const set = async (ceiling: number) => {
        const [from, to] = [dateIn(30), dateIn(31)];
        const ceilings = [{ room_type_id: capped.rooms[0]!.id, from, to, ceiling }];
        const path = `${PROPERTIES}/${capped.id}/ari`;
        (await admin(service, "PUT", path, { ceilings })(newKey())).ok();
      };
      await set(0);
      return { refused: holding(service, await quoteId(service, capped)), mend: () => set(5) };
    },
  ],
  "a hold that was released": [
    "hold_not_active",
    async (service, hotel) => {
      const [hold, other] = [await freshHold(service, hotel), await freshHold(service, hotel)];
      (await service.api("POST", `/v1/holds/${hold.hold_id}/release`)).ok();
      return { refused: booking(service, hold), after: booking(service, other) };
    },
  ],
  "the quote of another hold": [
    "quote_mismatch",
    async (service, hotel) => {
      const hold = await freshHold(service, hotel);
      const mixed = { ...hold, quote_id: await quoteId(service, hotel) };
      return { refused: booking(service, mixed), after: booking(service, hold) };
    },
  ],
  "an amount above the agent's limit": [
    "authorization_required",
    async (service, hotel) => {
      const max_booking_amount = { amount: 1, currency: "EUR" };
      const agent = await agentWith(service, { limits: { max_booking_amount } });
      const hold = await newHold(service, stayRequest(hotel), { agent });
      const mend = () => change(service, agent, { limits: { max_booking_amount: null } });
      return { refused: booking(service, hold, { agent }), mend };
    },
  ],
  "an authorization that nobody gave": [
    "booking_authorization_invalid",
    async (service, hotel) => {
      const hold = await freshHold(service, hotel);
      const refused: Send = async (key) => {
        const delegation = await service.mintDelegation();
        const headers = { "idempotency-key": key, "x-delegated-user": delegation };
        const body = { ...bookingBody(hold), authorization_id: "aut_x" };
        return service.api("POST", "/v1/bookings", { headers, body });
      };
      return { refused, after: booking(service, hold) };
    },
  ],
  "a card that is refused": [
    "payment_failed",
    async (service, hotel) => {
      const hold = await freshHold(service, hotel);
      const refused = booking(service, hold, { token: "tok_test_declined" });
      return { refused, after: booking(service, hold) };
    },
  ],
  "a booking that is cancelled": [
    "booking_not_cancellable",
    async (service, hotel) => {
      const [one, other] = [stayRequest(hotel), stayRequest(hotel)];
      const { booking_id } = await newBooking(service, one);
      (await cancelling(service, booking_id)(newKey())).ok();
      const after = cancelling(service, (await newBooking(service, other)).booking_id);
      return { refused: cancelling(service, booking_id), after };
    },
  ],
  "a property that lacks something": [
    "property_not_promotable",
    async (service) => {
      const whole = propertyBody();
      const bare = { ...propertyBody(), room_types: [] };
      for (const body of [whole, bare]) {
        (await admin(service, "POST", PROPERTIES, body)(newKey())).ok(201);
      }
      const promoting = ({ id }: { readonly id: string }) =>
        admin(service, "POST", `${PROPERTIES}/${id}/promote`);
      return { refused: promoting(bare), after: promoting(whole) };
    },
  ],
  "a version that is not there yet": [
    "conflict",
    async (service) => {
      const { agent_id } = await agentWith(service, {});
      const agent = service.demo.admin;
      const path = `${AGENTS}/${agent_id}`;
      const refused: Send = (key) => {
        const headers = { "idempotency-key": key, "if-match": '"2"' };
        return service.api("PATCH", path, { agent, headers, body: { name: "Second" } });
      };
      const mend = async () => {
        (await admin(service, "PATCH", path, { name: "First" })(newKey())).ok();
      };
      return { refused, mend };
    },
  ],
  "a slug that is taken": [
    "conflict",
    async (service, hotel) => {
      const taken = { ...propertyBody(), slug: hotel.slug };
      const refused = admin(service, "POST", PROPERTIES, taken);
      return { refused, after: admin(service, "POST", PROPERTIES, propertyBody()) };
    },
  ],
};
