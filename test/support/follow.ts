/** Follows the next actions of answers as they stand, with what only the caller can know. */
import type { NextAction } from "../../src/actions/next-action.ts";
import type { DemoAgent } from "../../src/ops/demo/demo-file.ts";
import type { Answer } from "./answer.ts";
import { dateIn } from "./client.ts";
import type { Front } from "./service.ts";

/** What only a hotel knows of itself. */
const PROPERTY_FILLINGS: Readonly<Record<string, unknown>> = {
  "<latitude, -90 to 90>": 40.4,
  "<longitude, -180 to 180>": -3.7,
  "<local time as HH:mm>": "15:00",
  "<phone number, such as +34931234567>": "+34931234567",
  "<email address of the property>": "desk@example.com",
  "<version of these terms, such as 2026-01>": "2026-09",
  "<hours before check-in, 0 or more>": 24,
  "<percent of the price, 0 to 100>": 100,
  "<amount in minor units>": 10_000,
  "<how many guests a room takes>": 2,
  "<code of the room type, such as DBL>": "DBL",
  "<name of the room type>": "Double",
  "<code of the rate plan, such as FLEX>": "FLEX",
  "<name of the rate plan>": "Flexible",
  "<how many rooms there are>": 3,
};

/** A ready body with what only a hotel knows of itself. */
export function hotelKnows<T>(body: T): T {
  const fill = (_: string, value: unknown) =>
    typeof value === "string" ? (PROPERTY_FILLINGS[value] ?? value) : value;
  return JSON.parse(JSON.stringify(body), fill);
}

/** What a caller has of its own, by the meaning that an answer gives it. */
const FILLINGS: Readonly<Record<string, unknown>> = {
  ...PROPERTY_FILLINGS,
  "<full name>": "Ada Lovelace",
  "<email address>": "ada@example.com",
  "<token from the payment provider>": "tok_test_ok",
  "<why the property cancels>": "The guest asked for it at the desk",
  "<check-in date, YYYY-MM-DD>": dateIn(30),
  "<check-out date, YYYY-MM-DD>": dateIn(32),
  "<how many adults, a number>": 2,
  "<the guest's e-mail address>": "ada@example.com",
  "<the booking's confirmation code>": "ABCD2345",
};

/** A request as it was sent, for actions that repeat some of it. */
export interface SentRequest {
  readonly path: string;
  readonly body?: unknown;
  readonly raw?: unknown;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** A body that the route takes. */
  readonly valid?: object | undefined;
}

/**
 * Makes the call of an action as it stands. Its blanks are filled in from one table, from `sent`
 * where they repeat what was sent, and with a fresh delegation token; no header is added that
 * `fill_in` does not name.
 */
export async function follow(
  service: Front,
  { method, href, body_hint, fill_in = [] }: NextAction,
  agent: DemoAgent | null = service.demo.agent,
  sent: SentRequest = { path: href },
): Promise<Answer> {
  const headers: Record<string, string> = {};
  let body: unknown = body_hint && structuredClone(body_hint);
  const url = new URL(href, "http://localhost");
  for (const { path, meaning } of fill_in) {
    if (path === "") body = meaning.endsWith("corrected") ? sent.valid : bodyOf(sent);
    else if (path.startsWith("/")) setAt(body, path, known(path, meaning, sent));
    else if (path.startsWith("?"))
      url.searchParams.set(path.slice(1), QUERY[path] ?? asSent(path, sent));
    else if (path === "X-Delegated-User") headers[path] = await service.mintDelegation();
    else if (path === "Idempotency-Key") headers[path] = meaning.replace(/^the key /, "");
    else if (path === "If-Match") headers[path] = meaning;
    else if (path !== "Authorization") delete headers[path];
  }
  const raw = body === undefined ? {} : { raw: JSON.stringify(body) };
  return service.api(method, url.pathname + url.search, { agent, headers, ...raw });
}

function bodyOf({ body, raw }: SentRequest): unknown {
  return raw === undefined ? body : JSON.parse(String(raw));
}

/** Bounds of lists. */
const QUERY: Readonly<Record<string, string>> = {
  "?arrivals": dateIn(30),
  "?q": "se",
  "?check_in": dateIn(30),
  "?check_out": dateIn(32),
  "?adults": "2",
  "?property": "somewhere",
  "?room_type": "DBL",
  "?rate_plan": "FLEX",
};

function asSent(path: string, { path: sent }: SentRequest): string {
  return new URL(sent, "http://localhost").searchParams.get(path.slice(1)) ?? "";
}

/** What passes as a member of that name. */
const MEMBERS: Readonly<Record<string, unknown>> = {
  ...{ quote_id: "qt_x", hold_id: "hld_x", property_ids: [] },
};

function known(path: string, meaning: string, { body, valid }: SentRequest): unknown {
  const named = meaning === "as you sent it" ? undefined : MEMBERS[path.slice(1)];
  const filling = FILLINGS[`<${meaning}>`] ?? at(valid, path) ?? named;
  if (filling !== undefined) return filling;
  if (!meaning.startsWith("as you sent it"))
    throw new Error(`nothing is known for ${path}: ${meaning}`);
  return at(body, path);
}

function at(body: unknown, path: string): unknown {
  return stepsOf(path).reduce((each, step) => (each as Record<string, unknown>)?.[step], body);
}

function setAt(body: unknown, path: string, value: unknown): void {
  const steps = stepsOf(path);
  const last = steps.pop()!;
  const at = steps.reduce((each, step) => (each as Record<string, unknown>)[step], body);
  (at as Record<string, unknown>)[last] = value;
}

/** The steps of a JSON pointer (RFC 6901 §4). */
function stepsOf(path: string): string[] {
  return path
    .slice(1)
    .split("/")
    .map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"));
}
