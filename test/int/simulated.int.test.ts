/**
 * Goal: a client can try its recovery from every refusal. Method: each code is asked for by header
 * of a route that declares it, with bodies that pass the checks; then the same things are done
 * without the header, which must find nothing changed.
 */
import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { join } from "node:path";
import type { RefusalCode } from "../../engine/core/refusals.ts";
import { ROUTES } from "../../src/app.ts";
import { scenariosOf } from "../../src/http/test-scenario.ts";
import { REFUSALS } from "../../src/refusals/catalogue.ts";
import { SIMULATED_CODES } from "../../src/refusals/simulated.ts";
import { steps } from "../support/answer.ts";
import {
  bookingBody,
  createHotel,
  newHold,
  newKey,
  newQuote,
  sendHold,
  stayRequest,
} from "../support/client.ts";
import { follow } from "../support/follow.ts";
import { serviceOfFile } from "../support/service-of-file.ts";
import { type Trial, trialsOf, UNKNOWN } from "../support/trials.ts";

const service = await serviceOfFile();
const { test_agent, test_admin, agent: live_agent } = service.demo;
const hotel = await createHotel(service, { operator: test_admin });
const otherHotel = await createHotel(service);

const TRIALS = ROUTES.all
  .filter(({ access }) => access !== "public")
  .flatMap((route) => trialsOf(route, UNKNOWN));

const caller = { agent: test_agent };
const heldQuote = () => newQuote(service, stayRequest(hotel), caller);

function lastRow(): number {
  using db = new Database(join(service.dataDir, "engine", "0.db"), { readonly: true });
  return db.query<{ row: number }, []>("SELECT max(row) AS row FROM journal").get()!.row;
}

/** Sends a hold and asks for a refusal of it. */
async function simulatedHold(quote_id: string, code: string, key = newKey(), agent = test_agent) {
  const headers = { "idempotency-key": key, "test-scenario": code };
  return service.api("POST", "/v1/holds", { agent, headers, body: { quote_id } });
}

/** Sends a booking and asks for a refusal of it. */
async function simulatedBooking(hold: { hold_id: string; quote_id: string }, code: string) {
  const headers = {
    "idempotency-key": newKey(),
    "x-delegated-user": await service.mintDelegation(),
    "test-scenario": code,
  };
  return service.api("POST", "/v1/bookings", {
    agent: test_agent,
    headers,
    body: bookingBody(hold),
  });
}

/** Asks for a refusal of a call whose ids are unknown; its detail. */
async function simulatedTrial({ route, path, body, isAdmin }: Trial, code: RefusalCode) {
  const headers = {
    ...(route.method === "GET" ? {} : { "idempotency-key": newKey() }),
    ...(route.isDelegated ? { "x-delegated-user": await service.mintDelegation() } : {}),
    "test-scenario": code,
  };
  const answer = await service.api(route.method, path(UNKNOWN), {
    agent: isAdmin ? test_admin : test_agent,
    headers,
    ...(body ? { body: body(UNKNOWN) } : {}),
  });
  return answer.refused(code).detail;
}

test("every code is answered by every route that declares it, as documented", async () => {
  const seen = new Set<RefusalCode>();
  for (const trial of TRIALS) {
    for (const code of scenariosOf(trial.route)) {
      const detail = await simulatedTrial(trial, code);
      const missing = REFUSALS[code].detail.filter(([name]) => {
        return !name.endsWith("?") && !(name in detail);
      });
      const { simulated } = detail;
      expect({ code, missing, simulated }).toEqual({ code, missing: [], simulated: true });
      seen.add(code);
    }
  }
  expect(SIMULATED_CODES.filter((code) => !seen.has(code))).toEqual([]);
});

test("the key stays unused, and the call succeeds without the header", async () => {
  const { quote_id } = await heldQuote();
  const key = newKey();
  for (const code of ["quote_expired", "allocation_failed", "upstream_unavailable"]) {
    (await simulatedHold(quote_id, code, key)).refused(code);
  }
  const held = await sendHold(service, quote_id, { ...caller, key });
  held.ok(201);
  expect(held.isReplayed).toBeFalse();
  (await simulatedHold(quote_id, "quote_expired", key)).refused("quote_expired");
  expect((await sendHold(service, quote_id, { ...caller, key })).isReplayed).toBeTrue();
});

test("no simulated refusal writes to the journal", async () => {
  const hold = await newHold(service, stayRequest(hotel), caller);
  const before = lastRow();
  for (const code of scenariosOf(ROUTES.byId("book"))) {
    (await simulatedBooking(hold, code)).refused(code);
  }
  expect(lastRow()).toBe(before);
  const read = await service.api("GET", `/v1/holds/${hold.hold_id}`, caller);
  expect(read.ok<{ state: string }>().data.state).toBe("held");
});

test("recoveries are those of the stay, and they work", async () => {
  const { quote_id } = await heldQuote();
  const full = (await simulatedHold(quote_id, "allocation_failed")).refused("allocation_failed");
  const { detail, next_actions } = full;
  expect(detail.blocking).toHaveLength(2);
  expect(next_actions[0]!.rel).toBe("requote");
  (await follow(service, next_actions[0]!, test_agent)).ok(201);
  const over = (await simulatedHold(quote_id, "quote_expired")).refused("quote_expired");
  expect(steps(over.next_actions)).toEqual(["requote POST /v1/quotes"]);
  (await follow(service, over.next_actions[0]!, test_agent)).ok(201);
});

test("every recovery of a refused booking works", async () => {
  for (const code of ["payment_failed", "hold_not_active", "authorization_required"] as const) {
    const hold = await newHold(service, stayRequest(hotel), caller);
    const { next_actions } = (await simulatedBooking(hold, code)).refused(code);
    expect(next_actions.length).toBeGreaterThan(1);
    for (const action of next_actions.filter(({ rel }) => rel !== "release")) {
      expect((await follow(service, action, test_agent)).status).toBeLessThan(300);
    }
  }
});

test("waiting times and challenges are those of the code", async () => {
  const hold = await newHold(service, stayRequest(hotel), caller);
  const late = await simulatedBooking(hold, "payment_timeout");
  expect(late.refused("payment_timeout").retry_after).toBe(5);
  const unknown = await simulatedBooking(hold, "unauthenticated");
  expect(unknown.headers.get("www-authenticate")).toStartWith("Bearer ");
  const refused = await simulatedBooking(hold, "delegation_invalid");
  expect(refused.headers.get("www-authenticate")).toStartWith("Delegation ");
});

test("live mode, other codes and faulty bodies are refused by name", async () => {
  const { quote_id } = await newQuote(service, stayRequest(otherHotel));
  const live = await simulatedHold(quote_id, "quote_expired", newKey(), live_agent);
  expect(live.faults()).toEqual(["Test-Scenario"]);
  const other = await simulatedHold("qt_x", "payment_failed");
  const [fault] = other.refused("validation_failed").detail.field_errors!;
  expect(fault!.expected).toBe(`one of ${scenariosOf(ROUTES.byId("hold")).join(", ")}`);
  const headers = { "idempotency-key": newKey(), "test-scenario": "nothing" };
  const faulty = { agent: test_agent, headers, body: { quote: 1 } };
  const both = (await service.api("POST", "/v1/holds", faulty)).faults();
  expect(both).toContain("Test-Scenario");
  expect(both).toContain("/quote_id");
});

test("a caller that may not make the call gets the real refusal", async () => {
  const [scopeless] = await service.newAgents([{ scopes: [] }]);
  const answer = await simulatedHold("qt_x", "quote_expired", newKey(), scopeless!);
  expect(answer.refused("forbidden").detail).not.toContainKey("simulated");
});

test("nothing is learned of another agent's stay", async () => {
  const live = await newHold(service, stayRequest(otherHotel));
  const foreign = (await simulatedBooking(live, "hold_expired")).refused("hold_expired");
  const unknown = { hold_id: UNKNOWN.hold, quote_id: UNKNOWN.quote };
  const never = (await simulatedBooking(unknown, "hold_expired")).refused("hold_expired");
  expect(foreign.next_actions).toEqual(never.next_actions);
  expect(Object.keys(foreign.detail)).toEqual(Object.keys(never.detail));
});
