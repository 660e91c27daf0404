/**
 * What the scenes of `sealing.int.test.ts` are made of. A scene is what a keyed call is refused
 * with, how the cause goes away, and what the same call comes to then. The cause lies in the world
 * (`mend` takes it away and the very same request is sent again) or in the request (`after` is the
 * request without it); in both cases under the key that was refused, and under a new one.
 */
import { exportJWK, generateKeyPair, type JWK, SignJWT } from "jose";
import { changeAgent } from "../../src/access/control/agents.ts";
import type { DemoAgent } from "../../src/ops/demo/demo-file.ts";
import type { Answer } from "./answer.ts";
import { type Hold, type Hotel, newHold, newQuote, sendBooking, stayRequest } from "./client.ts";
import type { Service } from "./service.ts";

/** Sends the scene's request under a key. */
export type Send = (key: string) => Promise<Answer>;

export interface Scene {
  readonly refused: Send;
  readonly mend?: () => Promise<unknown>;
  readonly after?: Send;
}

/** Sets a scene up; `hotel` has rooms enough for everybody. */
export type Setting = (service: Service, hotel: Hotel) => Promise<Scene>;

export const AGENTS = "/v1/admin/agents";
export const WEBHOOKS = "/v1/admin/webhooks";
export const ISSUERS = "/v1/admin/delegation-issuers";
export const PROPERTIES = "/v1/admin/properties";

/** A request by the operator. */
export function admin(service: Service, method: string, path: string, body?: unknown): Send {
  return (key) => {
    const headers = { "idempotency-key": key };
    const agent = service.demo.admin;
    return service.api(method, path, { agent, headers, ...(body === undefined ? {} : { body }) });
  };
}

/** A hold by whoever. */
export function holding(service: Service, quoteId: unknown, agent?: DemoAgent | null): Send {
  return (key) => {
    const headers = { "idempotency-key": key };
    const by = agent === undefined ? {} : { agent };
    return service.api("POST", "/v1/holds", { ...by, headers, body: { quote_id: quoteId } });
  };
}

/** A booking by the demo agent, unless others are named. */
export function booking(
  service: Service,
  hold: Pick<Hold, "hold_id" | "quote_id">,
  terms: { readonly token?: string; readonly delegation?: string; readonly agent?: DemoAgent } = {},
): Send {
  return (key) => sendBooking(service, hold, { ...terms, key });
}

/** A cancellation by a traveler. */
export function cancelling(service: Service, bookingId: string, sub = "traveler-1"): Send {
  return async (key) => {
    const delegation = await service.mintDelegation({ sub });
    const headers = { "idempotency-key": key, "x-delegated-user": delegation };
    return service.api("POST", `/v1/bookings/${bookingId}/cancel`, { headers });
  };
}

/** Changes an agent; resolves when the api knows. */
export async function change(
  service: Service,
  { agent_id }: DemoAgent,
  terms: Parameters<typeof changeAgent>[2],
): Promise<void> {
  service.control((store) => changeAgent(store, agent_id, terms));
  // The control plane is read whole, in its order.
  await service.newAgents([{}]);
}

/** A new agent on such terms. */
export async function agentWith(service: Service, terms: Parameters<Service["newAgents"]>[0][0]) {
  return (await service.newAgents([terms]))[0]!;
}

/** A fresh quote. */
export async function quoteId(service: Service, hotel: Hotel, agent?: DemoAgent): Promise<string> {
  const by = agent ? { agent } : {};
  return (await newQuote(service, stayRequest(hotel), by)).quote_id;
}

/** A fresh hold of the demo agent. */
export const freshHold = (service: Service, hotel: Hotel) => newHold(service, stayRequest(hotel));

/** A traveler's issuer that the tenant does not know yet. */
export async function newIssuer({ demo }: Service) {
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
