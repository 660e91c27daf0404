/**
 * Goal: a deed above the operator's amount is not done before the secret was shown in the last five
 * minutes, and is done once when it is. Method: a real service, a browser without script, sessions
 * made old in the file, the API as witness.
 */
import { Database } from "bun:sqlite";
import { afterAll, beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import { addPasskey, passkeysOf } from "../../src/access/control/passkeys.ts";
import type { DemoAgent } from "../../src/ops/demo/demo-file.ts";
import { Assistant, CALLBACK } from "../support/assistant.ts";
import {
  type Booking,
  createHotel,
  type Hotel,
  newBooking,
  stayRequest,
} from "../support/client.ts";
import { hiddenFields, type Person, type Seen, signedIn } from "../support/console.ts";
import { entered, newPerson } from "../support/people.ts";
import { Service } from "../support/service.ts";

const ASKED = "Is it still you?";

let service: Service;
let hotel: Hotel;
let operator: DemoAgent;

beforeAll(async () => {
  service = await Service.start({ API_PROCESSES: "1", TRUSTED_PROXIES: "1" });
  hotel = await createHotel(service);
  const step_up_amount = { amount: 500, currency: "EUR" };
  [operator] = (await service.newAgents([
    { kind: "operator", limits: { rpm: null, step_up_amount } },
  ])) as [DemoAgent];
});
afterAll(() => service.stop());

/** Makes the newest session as old as six minutes after its proof. */
function grownOld(): void {
  const db = new Database(join(service.dataDir, "console.db"));
  const newest = "rowid = (SELECT max(rowid) FROM session)";
  db.run(`UPDATE session SET proved_at = proved_at - 360000 WHERE ${newest}`);
  db.close();
}

async function refundsOf({ booking_id }: Booking): Promise<number> {
  const path = `/v1/admin/bookings/${booking_id}/refunds`;
  const answer = await service.api("GET", path, { agent: service.demo.admin });
  return answer.ok<{ items: object[] }>().data.items.length;
}

/** Sends the refund of that amount from its own pages. */
async function refund(person: Person, at: string, amount: string): Promise<Seen> {
  const asked = { amount, reason: "goodwill" };
  const question = await person.submit(`${at}/refund`, `${at}/refund/check`, asked);
  return person.send(`${at}/refund`, hiddenFields(question.html, `${at}/refund`));
}

test("a refund above the amount waits for the secret, and is made once", async () => {
  const booking = await newBooking(service, stayRequest(hotel));
  const at = `/console/bookings/${booking.booking_id}`;
  const person = await signedIn(service, operator);
  grownOld();
  expect((await refund(person, at, "5.00")).location).toBe(at);
  const kept = await refund(person, at, "5.01");
  expect(kept.status).toBe(403);
  expect(kept.html).toContain(ASKED);
  expect(await refundsOf(booking)).toBe(1);
  const fields = hiddenFields(kept.html, `${at}/refund`);
  const { admin, second_tenant } = service.demo;
  for (const secret of ["", "wrong", admin.secret, second_tenant.admin.secret]) {
    const again = await person.send(`${at}/refund`, { ...fields, proof_secret: secret });
    expect({ secret: secret.length, status: again.status }).toEqual({
      ...{ secret: secret.length, status: 403 },
    });
    expect(again.html).not.toContain(secret === "" ? "\u0000" : secret);
  }
  expect(await refundsOf(booking)).toBe(1);
  const proof = { ...fields, proof_secret: operator.secret };
  expect((await person.send(`${at}/refund`, proof)).location).toBe(at);
  expect((await person.send(`${at}/refund`, proof)).location).toBe(at);
  expect(await refundsOf(booking)).toBe(2);
  // For five minutes nothing is asked.
  expect((await refund(person, at, "6.00")).location).toBe(at);
  grownOld();
  expect((await refund(person, at, "7.00")).status).toBe(403);
});

test("a secret is on no page, when the session has ended or is another one", async () => {
  const booking = await newBooking(service, stayRequest(hotel));
  const at = `/console/bookings/${booking.booking_id}`;
  const person = await signedIn(service, operator);
  grownOld();
  const asked = await refund(person, at, "5.01");
  const fields = hiddenFields(asked.html, `${at}/refund`);
  const proof = { ...fields, proof_secret: operator.secret };
  await person.submit("/console", "/console/sign-out");
  const signedOut = await person.send(`${at}/refund`, proof);
  expect(signedOut.html).toContain("You are signed out");
  await person.signIn(operator);
  const ofBefore = await person.send(`${at}/refund`, proof);
  expect(ofBefore.html).toContain("Send it now");
  for (const { status, html } of [signedOut, ofBefore]) {
    expect(status).toBe(403);
    expect(html).not.toContain(operator.secret);
    expect(html).not.toContain("proof_secret");
    expect(hiddenFields(html, `${at}/refund`).amount_minor).toBe("501");
  }
  expect(await refundsOf(booking)).toBe(0);
  const kept = hiddenFields(ofBefore.html, `${at}/refund`);
  expect((await person.send(`${at}/refund`, kept)).location).toBe(at);
});

test("a cancellation with a refund, and every credential, wait for the secret too", async () => {
  const booking = await newBooking(service, stayRequest(hotel));
  const at = `/console/bookings/${booking.booking_id}`;
  const [other] = await service.newAgents([{}]);
  const agent = `/console/agents/${other!.agent_id}`;
  const person = await signedIn(service, operator);
  grownOld();
  const fields = { reason: "Asked", waive_fee: "yes" };
  const cancelled = await person.submit(`${at}/cancel`, `${at}/cancel`, fields);
  expect(cancelled.html).toContain(ASKED);
  expect((await person.submit(agent, `${agent}/credentials`)).html).toContain(ASKED);
  expect((await person.submit(`${agent}/revoke`, `${agent}/revoke`)).html).toContain(ASKED);
  const read = await service.api("GET", `/v1/bookings/${booking.booking_id}`, {
    agent: service.demo.admin,
  });
  expect(read.ok<{ state: string }>().data.state).toBe("confirmed");
  expect((await service.api("GET", "/v1/properties", { agent: other! })).status).toBe(200);
});

test("a change that gives money back waits for the secret, and another one does not", async () => {
  const booking = await newBooking(service, stayRequest(hotel, { nights: 4 }));
  const at = `/console/bookings/${booking.booking_id}`;
  const person = await signedIn(service, operator);
  grownOld();
  const { stay } = stayRequest(hotel, { nights: 1 });
  const offer = stayRequest(hotel);
  const asked = { ...stay, adults: "2", offer: `${offer.room_type_id} ${offer.rate_plan_id}` };
  const shown = await person.submit(`${at}/change`, `${at}/change/check`, asked);
  const ways = shown.html.split("<form ").filter((form) => form.includes('name="difference"'));
  const fields = (difference: string) => {
    const form = ways.find((each) => each.includes(`name="difference" value="${difference}"`));
    return hiddenFields(`<form ${form}`, `${at}/change`);
  };
  const refunding = fields("refund");
  for (const version of [refunding.version!, "", "*", "1000"]) {
    const kept = await person.send(`${at}/change`, { ...refunding, version });
    expect({ version, status: kept.status }).toEqual({ version, status: 403 });
    expect(kept.html).toContain(ASKED);
  }
  expect(await refundsOf(booking)).toBe(0);
  expect((await person.send(`${at}/change`, fields("waive"))).location).toBe(at);
});

test("access that is given back or ended waits for the secret too, a suspension does not", async () => {
  const [other] = await service.newAgents([{ limits: {} }]);
  const eva = await newPerson(service, {}, operator);
  const jwks = { keys: [{ kty: "EC", kid: "k", alg: "ES256", crv: "P-256", x: "AA", y: "AA" }] };
  const issuer = await service.api("POST", "/v1/admin/delegation-issuers", {
    ...{ agent: operator, body: { iss: "https://issuer.example", name: "Issuer", jwks } },
  });
  const { issuer_id } = issuer.ok<{ issuer_id: string }>(201).data;
  const person = await signedIn(service, operator);
  grownOld();
  for (const [at, back] of [
    [`/console/agents/${other!.agent_id}`, "resume"],
    [`/console/people/${eva.person_id}`, "resume"],
    [`/console/issuers/${issuer_id}`, "activate"],
  ] as const) {
    const suspended = await person.submit(`${at}/suspend`, `${at}/suspend`);
    expect([at, suspended.status]).toEqual([at, 303]);
    const page = back === "resume" ? `${at}/resume` : "/console/agents";
    expect((await person.submit(page, `${at}/${back}`)).html).toContain(ASKED);
    expect((await person.submit(`${at}/revoke`, `${at}/revoke`)).html).toContain(ASKED);
  }
});

test("an assistant is let in after the secret was shown", async () => {
  const assistant = await Assistant.register(service);
  const person = await signedIn(service, operator);
  grownOld();
  const kept = await assistant.allowed(person);
  expect([kept.status, kept.location]).toEqual([403, null]);
  expect(kept.html).toContain(ASKED);
  const [, action = ""] = /action="([^"]*\/allow)"/.exec(kept.html) ?? [];
  const proved = { ...hiddenFields(kept.html, action), proof_secret: operator.secret };
  expect((await person.send(action, proved)).location).toStartWith(`${CALLBACK}?code=`);
});

test("a person has no secret to show: a new link counts for five minutes", async () => {
  const booking = await newBooking(service, stayRequest(hotel));
  const at = `/console/bookings/${booking.booking_id}`;
  const eva = await newPerson(service, {}, operator);
  const person = await entered(service, eva, operator);
  expect((await refund(person, at, "6.00")).location).toBe(at);
  grownOld();
  const kept = await refund(person, at, "7.00");
  expect(kept.status).toBe(403);
  expect(kept.html).toContain("another link");
  const question = await person.submit(`${at}/refund`, `${at}/refund/check`, {
    ...{ amount: "7.00", reason: "goodwill" },
  });
  const sent = { ...hiddenFields(question.html, `${at}/refund`), proof_secret: operator.secret };
  expect((await person.send(`${at}/refund`, sent)).status).toBe(403);
  expect(await refundsOf(booking)).toBe(1);
});

test("a passkey is not removed by who has only the cookie of an old session", async () => {
  const { person_id } = await newPerson(service, {}, operator);
  const person = await entered(service, { person_id }, operator);
  const key = { passkey_id: "AAAA", person_id, name: "Phone", public_key: "", counter: 0 };
  const passkeys = () => service.control((store) => passkeysOf(store, person_id).length);
  expect(service.control((store) => addPasskey(store, { ...key, created_at: 1 }))).toBeTrue();
  grownOld();
  const remove = "/console/you/remove";
  expect((await person.submit("/console/you", remove)).html).toContain(ASKED);
  expect(passkeys()).toBe(1);
});

test("the amount itself is not raised or ended before the secret was shown", async () => {
  const at = `/console/agents/${operator.agent_id}`;
  const person = await signedIn(service, operator);
  grownOld();
  const fields = { step_up_amount: "", step_up_currency: "" };
  const kept = await person.submit(at, `${at}/step-up`, fields);
  expect(kept.status).toBe(403);
  expect(kept.html).toContain(ASKED);
  expect((await person.get(at)).html).toContain('value="5.00"');
});

test("without an amount nothing is asked", async () => {
  const booking = await newBooking(service, stayRequest(hotel));
  const at = `/console/bookings/${booking.booking_id}`;
  const person = await signedIn(service);
  grownOld();
  expect((await refund(person, at, "50.00")).location).toBe(at);
});
