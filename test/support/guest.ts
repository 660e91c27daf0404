/** Guests of bookings: how they book, get their link by mail, and call the service. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { DemoAgent } from "../../src/ops/demo/demo-file.ts";
import { type Booking, bookingBody, newHold, newKey, type StayRequest } from "./client.ts";
import { type Service, until } from "./service.ts";
import { messageIn } from "./smtp-server.ts";

let addresses = 0;

/** An address of its own: calls without a credential are limited by it. */
export function fromSomewhere(): { readonly "x-forwarded-for": string } {
  addresses += 1;
  return { "x-forwarded-for": `198.18.${Math.floor(addresses / 250)}.${addresses % 250}` };
}

export interface GuestTerms {
  readonly agent?: DemoAgent;
  readonly name?: string;
  readonly language?: string;
  readonly delegation?: string;
}

/** Books a stay for a guest with an address of its own. */
export async function bookedByGuest(
  service: Service,
  stay: StayRequest,
  { agent = service.demo.agent, name = "Ada Lovelace", language, delegation }: GuestTerms = {},
) {
  const email = `${crypto.randomUUID()}@example.com`;
  const hold = await newHold(service, stay, { agent });
  const primary = { full_name: name, email, ...(language && { language }) };
  const body = { ...bookingBody(hold), guest: { primary } };
  const headers = {
    "idempotency-key": newKey(),
    "x-delegated-user": delegation ?? (await service.mintDelegation()),
  };
  const made = await service.api("POST", "/v1/bookings", { agent, headers, body });
  const { booking_id, confirmation_code } = made.ok<Booking>(201).data;
  return { booking_id, confirmation_code, email, stay };
}

export type Booked = Awaited<ReturnType<typeof bookedByGuest>>;

/** Asks for a link; the answer is always the same. */
export function askForLink(
  service: Pick<Service, "api">,
  { email, confirmation_code }: Pick<Booked, "email" | "confirmation_code">,
  more: { readonly language?: string } = {},
) {
  const body = { email, confirmation_code, ...more };
  const headers = fromSomewhere();
  return service.api("POST", "/v1/guest/magic-links", { agent: null, headers, body });
}

/** Texts of the mails of a kind to the guest of a booking, oldest first. */
export function mailsOf(
  { dataDir }: Pick<Service, "dataDir">,
  kind: "confirmation" | "modification" | "cancellation" | "guest-link",
  { booking_id }: Pick<Booked, "booking_id">,
) {
  const outbox = join(dataDir, "outbox");
  const names = existsSync(outbox) ? readdirSync(outbox).sort() : [];
  return names
    .filter((name) => name.includes(`-${kind}.${booking_id}`) && name.endsWith(".eml"))
    .map((name) => {
      const { parts } = messageIn(readFileSync(join(outbox, name), "latin1"));
      return parts[0]!.text;
    });
}

/** Token and digits of the booking's newest link, once there are so many. */
export async function linkOf(service: Pick<Service, "dataDir">, booked: Booked, count = 1) {
  await until("the link is in the outbox", async () => {
    return mailsOf(service, "guest-link", booked).length >= count;
  });
  const text = mailsOf(service, "guest-link", booked).at(-1)!;
  const [, url = "", token = ""] = /(https?:\S+\/guest\/enter\?t=([0-9a-f]{64}))/.exec(text) ?? [];
  const [, code = ""] = /\b(\d{6})$/m.exec(text) ?? [];
  return { url, token, code, text };
}

/** Starts a session by a token or by digits. */
export function startSession(service: Pick<Service, "api">, body: object) {
  const headers = fromSomewhere();
  return service.api("POST", "/v1/guest/sessions", { agent: null, headers, body });
}

/** The calls of a guest whose session is open. */
export async function guestOf(service: Service, booked: Booked) {
  (await askForLink(service, booked)).ok(202);
  const { token } = await linkOf(service, booked);
  const started = await startSession(service, { token });
  const { session_secret } = started.ok<{ readonly session_secret: string }>(201).data;
  return Object.assign(callsWith(service, session_secret), { secret: session_secret });
}

/** Calls of a guest by a secret. */
export function callsWith(service: Pick<Service, "api">, secret: string) {
  return (method: string, path: string, body?: object, more: Record<string, string> = {}) => {
    const authorization = `Bearer ${secret}`;
    const headers = { authorization, ...fromSomewhere(), ...more };
    return service.api(method, `/v1/guest${path}`, { agent: null, headers, ...(body && { body }) });
  };
}
