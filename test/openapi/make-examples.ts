/**
 * Makes `src/publish/openapi/examples.json` from a run of the real service. Run it when an answer
 * has changed its form: `npx bun test/openapi/make-examples.ts`.
 */
import { join } from "node:path";
import { REFUSAL_CODES } from "../../engine/core/refusals.ts";
import type { Exchange, Failure } from "../../src/publish/openapi/examples.ts";
import { bookingBody, type Hold as Ids, newBooking, newHold, newKey } from "../support/client.ts";
import { Service, until, WHOLE_DEMO } from "../support/service.ts";
import { contractFaults } from "./contract-check.ts";
import { WALK_SETTINGS, walk } from "./flow.ts";
import { type ExampleHotel, exampleHotel, stayAt } from "./hotel.ts";
import { type Recorded, Recorder } from "./recorder.ts";

const FILE = join(import.meta.dir, "../../src/publish/openapi/examples.json");
/** Bodies that are documents of their own. */
const NOT_SHOWN = new Set(["get_openapi_json"]);
/** Lists of which one item tells enough. */
const LONG_LISTS = new Set(["list_event_kinds", "list_feeds"]);

/** Secrets, tokens and addresses of this machine become examples of their form. */
function redacted(text: string): string {
  return text
    .replace(/\bik_(live|test)_[A-Za-z0-9_-]{12,}/g, "ik_$1_EXAMPLEonlyNotASecret")
    .replace(/\bikg_[\w-]{20,}/g, "ikg_EXAMPLEonlyNotASecret")
    .replace(/("token":")[0-9a-f]{64}/g, `$1${"0".repeat(64)}`)
    .replace(/[0-9a-f-]{36}@example\.com/g, "ada@example.com")
    .replace(/\bwhsec_[A-Za-z0-9+/=]+/g, "whsec_EXAMPLEonlyNotASecretAtAll")
    .replace(/"client_secret":"[\w-]{43}"/g, `"client_secret":"EXAMPLEonlyNotASecret"`)
    .replace(/\/console\/enter#[\w-]+/g, "/console/enter#EXAMPLEonlyNotASecret")
    .replace(/\bhttp:\/\/127\.0\.0\.1:\d+/g, "https://hooks.example.com")
    .replace(/\beyJ[\w-]+\.[\w-]+\.[\w-]+/g, "eyJhbGciOiJFUzI1NiJ9.ZXhhbXBsZQ.ZXhhbXBsZQ");
}

const clean = (value: unknown) => JSON.parse(redacted(JSON.stringify(value)));

function exchangeOf({ operationId, request, response }: Recorded): Exchange {
  const asked = request === undefined ? {} : { request: clean(request) };
  const told = clean(response);
  if (LONG_LISTS.has(operationId)) told.data.items.splice(1);
  return { ...asked, response: told };
}

function failureOf(recorded: Recorded): Failure {
  const { method, path, answer } = recorded;
  return { method, path, status: answer.status, ...exchangeOf(recorded) };
}

const BASE = {
  ...WHOLE_DEMO,
  ...{ BASE_URL: "https://booking.example", LOG_LEVEL: "error" },
  // The receiver of webhooks is on this machine.
  WEBHOOKS_ALLOW_PRIVATE: "1",
};

/** Expiry, with lives of a second; and the answer of a service without its payment provider. */
async function expiries(): Promise<Recorded[]> {
  const env = { ...BASE, HOLD_TTL_S: "1", QUOTE_TTL_S: "1" };
  return onService(env, async (service) => {
    const on = new Recorder(service);
    const found = await service.api("GET", "/v1/properties");
    const [property] = found.ok<{ items: { id: string }[] }>().data.items;
    const shown = await service.api("GET", `/v1/properties/${property!.id}`);
    const quoted = { body: stayAt(shown.ok<ExampleHotel>().data) };
    const { data } = (await service.api("POST", "/v1/quotes", quoted)).ok<Ids>(201);
    const keyed = () => ({ "idempotency-key": newKey() });
    const hold = { headers: keyed(), body: { quote_id: data.quote_id } };
    const held = (await service.api("POST", "/v1/holds", hold)).ok<Ids>(201).data;
    await until("the hold has expired", async () => {
      const shown = await service.api("GET", `/v1/holds/${held.hold_id}`);
      return shown.ok<Ids>().data.state === "expired";
    });
    const book = async () => {
      const headers = { ...keyed(), "x-delegated-user": await service.mintDelegation() };
      await on.call("POST", "/v1/bookings", { headers, body: bookingBody(held) });
    };
    await book();
    await on.call("POST", "/v1/holds", { ...hold, headers: keyed() });
    await service.restart({ PAYMENT_PROVIDER: "stripe" });
    await book();
    return on;
  });
}

/** What others fail at: a provider and a mail server that stay silent, and Redis. */
async function silences(): Promise<Recorded[]> {
  return onService({ ...BASE, SMTP_URL: "smtp://127.0.0.1:1" }, async (service) => {
    const on = new Recorder(service);
    const hotel = exampleHotel();
    const agent = service.demo.admin;
    (await service.api("POST", "/v1/admin/properties", { agent, body: hotel })).ok(201);
    const path = `/v1/admin/properties/${hotel.id}/promote`;
    (await service.api("POST", path, { agent })).ok();
    const { booking_id } = await newBooking(service, stayAt(hotel, 0, 40));
    await on.call("POST", `/v1/admin/bookings/${booking_id}/resend-confirmation`, { agent });
    const hold = await newHold(service, stayAt(hotel));
    const body = bookingBody(hold, "tok_test_timeout_then_captured");
    const headers = {
      "idempotency-key": newKey(),
      "x-delegated-user": await service.mintDelegation(),
    };
    await on.call("POST", "/v1/bookings", { headers, body });
    const redis = service.pids.redis!;
    process.kill(redis, "SIGSTOP");
    try {
      await on.call("POST", "/v1/quotes", { body: stayAt(hotel) });
    } finally {
      process.kill(redis, "SIGCONT");
    }
    return on;
  });
}

async function onService(
  env: Readonly<Record<string, string>>,
  work: (service: Service) => Promise<Recorder>,
): Promise<Recorded[]> {
  const service = await Service.start({ ...WHOLE_DEMO, ...env });
  try {
    return (await work(service)).all;
  } finally {
    await service.stop();
  }
}

/** What the document shows: the first success of each operation, the first answer of each code. */
function examplesOf(all: readonly Recorded[]) {
  const operations: Record<string, Exchange> = {};
  const errors: Record<string, Failure> = {};
  for (const recorded of all) {
    const { operationId, code, answer, response } = recorded;
    if (code !== null) errors[code] ??= failureOf(recorded);
    else if (answer.status < 300 && typeof response === "object" && !NOT_SHOWN.has(operationId)) {
      operations[operationId] ??= exchangeOf(recorded);
    }
  }
  const order = REFUSAL_CODES.filter((code) => errors[code]);
  return { operations, errors: Object.fromEntries(order.map((code) => [code, errors[code]])) };
}

const all = [
  ...(await onService({ ...BASE, ...WALK_SETTINGS }, walk)),
  ...(await expiries()),
  ...(await silences()),
];
const faults = all.flatMap((recorded) => {
  return contractFaults(recorded).map((fault) => `${recorded.answer.call}: ${fault}`);
});
if (faults.length > 0) {
  console.error(faults.join("\n"));
  process.exit(1);
}
await Bun.write(FILE, `${JSON.stringify(examplesOf(all), null, 2)}\n`);
const biome = join(import.meta.dir, "../../node_modules/.bin/biome");
Bun.spawnSync([biome, "format", "--write", FILE], { stdout: "inherit", stderr: "inherit" });
