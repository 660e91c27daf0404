/**
 * Goal: a property gives money back by API alone, whatever the provider says, and never more than
 * was captured. Method: real bookings at the sandbox provider, calls at once, and every next action
 * sent as it stands.
 */
import { expect, test } from "bun:test";
import { ledger } from "../../src/ops/ledger/commands.ts";
import { type Answer, steps } from "../support/answer.ts";
import {
  type Booking,
  createHotel,
  newBooking,
  newHold,
  newKey,
  sendBooking,
  sendCancel,
  stayRequest,
} from "../support/client.ts";
import { follow } from "../support/follow.ts";
import { outputOf, runWords } from "../support/operator-program.ts";
import { serviceOfFile } from "../support/service-of-file.ts";

const service = await serviceOfFile();
const hotel = await createHotel(service, { units: [500], rate: 10_000 });
const agent = service.demo.admin;

interface Made {
  readonly refund_id: string;
  readonly amount: number;
  readonly state: string;
  readonly remaining: number;
  readonly next_step?: string;
}

interface OfBooking {
  readonly items: readonly (Made & { readonly note?: string; readonly retried_by?: string })[];
  readonly money: { readonly refunded: number; readonly remaining: number };
}

/** A booking; the total is what was captured. */
async function booked(token?: string) {
  const hold = await newHold(service, stayRequest(hotel));
  const made = (await sendBooking(service, hold, token ? { token } : {})).ok<
    Booking & { readonly payment: { readonly amount: number } }
  >(201);
  return { id: made.data.booking_id, captured: made.data.payment.amount };
}

function post(path: string, body: object): Promise<Answer> {
  return service.api("POST", path, { agent, headers: { "idempotency-key": newKey() }, body });
}

const refund = (id: string, body: object) =>
  post(`/v1/admin/bookings/${id}/refunds`, { reason: "service", ...body });

async function refundsOf(id: string): Promise<OfBooking> {
  const answer = await service.api("GET", `/v1/admin/bookings/${id}/refunds`, { agent });
  return answer.ok<OfBooking>().data;
}

test("of a hundred refunds of 60 % at once one is made, and what remains is offered", async () => {
  const { id, captured } = await booked();
  const amount = Math.floor(captured * 0.6);
  const answers = await Promise.all(Array.from({ length: 100 }, () => refund(id, { amount })));
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
  const others = answers.filter(({ status }) => status !== 201);
  const refusals = others.map((answer) => answer.refused("refund_exceeds_remaining"));
  const [first] = refusals;
  expect(first!.detail).toMatchObject({
    requested: amount,
    remaining: captured - amount,
    captured,
  });
  expect(steps(first!.next_actions)).toEqual([
    `issue_refund POST /v1/admin/bookings/${id}/refunds`,
  ]);
  const rest = await follow(service, first!.next_actions[0]!, agent);
  expect(rest.ok<Made>(201).data).toMatchObject({ amount: captured - amount, remaining: 0 });
  const { items, money } = await refundsOf(id);
  expect(items.map((each) => each.amount)).toEqual([amount, captured - amount]);
  expect(money).toMatchObject({ refunded: captured, remaining: 0 });
  (await refund(id, {})).refused("payment_not_refundable");
});

test("what remains of a total above the largest night is refunded, approved and a limit", async () => {
  const dear = await createHotel(service, { rate: 4_000_000_000, currency: "IDR" });
  const { booking_id: id } = await newBooking(service, stayRequest(dear));
  const made = (await refund(id, { amount: 1 })).ok<Made>(201);
  expect(made.data.remaining).toBe(7_999_999_999);
  const further = made.next_actions.find(({ rel }) => rel === "issue_refund")!;
  const rest = (await follow(service, further, agent)).ok<Made>(201);
  expect(rest.data).toMatchObject({ amount: 7_999_999_999, remaining: 0 });
  const amount = 8_000_000_000;
  const grant = { ...stayRequest(dear), agent_id: service.demo.agent.agent_id, currency: "IDR" };
  (await post("/v1/admin/booking-authorizations", { ...grant, max_amount: amount })).ok(201);
  const policy = { required_when: "over_amount", over: { amount, currency: "IDR" } };
  const path = "/v1/admin/authorization-policy";
  (await service.api("PUT", path, { agent, body: policy })).ok();
  (await service.api("PUT", path, { agent, body: { required_when: "never" } })).ok();
  const limits = { max_booking_amount: { amount, currency: "IDR" } };
  (await post("/v1/admin/agents", { name: "Dear", kind: "agent", limits })).ok(201);
});

test("a refund succeeds within its call, with a receipt that verifies; the note is private", async () => {
  const { id } = await booked();
  const note = "No hot water for Ada.";
  const made = (await refund(id, { amount: 1_500, note })).ok<Made>(201);
  expect(made.data).toMatchObject({ state: "succeeded", amount: 1_500 });
  expect(made.receipt).toMatchObject({ kind: "refund_issued", subject: { amount: 1_500 } });
  const verified = await service.api("POST", "/v1/receipts/verify", { body: made.receipt });
  expect(verified.ok().data).toMatchObject({ valid: true });
  expect((await refundsOf(id)).items).toMatchObject([{ note }]);
  const seen = await service.api("GET", `/v1/bookings/${id}`);
  expect(seen.ok<{ refunds: object[] }>().data.refunds).toMatchObject([{ reason: "service" }]);
  expect(seen.text).not.toContain("hot water");
});

test("the audit of a booking names who refunded, and chains the verdict to the request", async () => {
  const { id } = await booked();
  (await refund(id, { amount: 1_500 })).ok(201);
  const audit = await service.api("GET", `/v1/bookings/${id}/audit`, { agent });
  interface Event {
    readonly type: string;
    readonly actor: { readonly id: string };
    readonly hash: string;
    readonly prev_hash: string | null;
  }
  const { events } = audit.ok<{ events: readonly Event[] }>().data;
  const [asked, done] = events.slice(-2);
  expect([asked!.type, done!.type]).toEqual(["refund.requested", "refund.succeeded"]);
  expect(asked!.actor.id).toBe(agent.agent_id);
  expect(done!.prev_hash).toBe(asked!.hash);
});

test("a failed refund is repeated, then settled elsewhere, by its own next actions", async () => {
  const { id, captured } = await booked("tok_test_refund_fails");
  const failed = (await refund(id, {})).ok<Made>(201);
  expect(failed.data).toMatchObject({ state: "failed", remaining: captured });
  const paths = failed.next_actions.map(({ href }) => href);
  const path = `/v1/admin/refunds/${failed.data.refund_id}`;
  expect(paths.slice(0, 2)).toEqual([`${path}/retry`, `${path}/settle-elsewhere`]);
  const again = (await follow(service, failed.next_actions[0]!, agent)).ok<Made>(201);
  expect(again.data).toMatchObject({ state: "failed", retry_of: failed.data.refund_id });
  const twice = await follow(service, failed.next_actions[1]!, agent);
  expect(twice.refused("conflict").detail).toEqual({
    ...{ reason: "refund_retried", refund_id: again.data.refund_id },
  });
  const elsewhere = (await follow(service, again.next_actions[1]!, agent)).ok<Made>();
  expect(elsewhere.data).toMatchObject({ state: "succeeded", method: "bank_transfer" });
  expect(elsewhere.receipt?.subject).toMatchObject({ method: "bank_transfer", amount: captured });
  const waiting = await service.api("GET", "/v1/admin/refunds?state=failed", { agent });
  const ids = waiting.ok<OfBooking>().data.items.map(({ refund_id }) => refund_id);
  expect(ids).not.toContain(failed.data.refund_id);
  expect(ids).not.toContain(again.data.refund_id);
  expect((await refundsOf(id)).money).toMatchObject({ refunded: captured, remaining: 0 });
});

test("a cancellation after a refund costs what preview and action said", async () => {
  const { id, captured } = await booked();
  (await refund(id, { amount: 4_000 })).ok(201);
  const rest = { amount: captured - 4_000, currency: "EUR" };
  const preview = await service.api("GET", `/v1/bookings/${id}/cancellation-quote`);
  expect(preview.ok().data).toMatchObject({ fee: { amount: 0 }, refund: rest });
  const shown = (await service.api("GET", `/v1/bookings/${id}`)).ok();
  const cancel = shown.next_actions.find(({ rel }) => rel === "cancel");
  expect(cancel?.cost?.refund).toEqual(rest);
  const done = (await sendCancel(service, id)).ok().data;
  expect(done).toMatchObject({
    fee: { amount: 0 },
    refund: { amount: rest.amount, state: "succeeded" },
    refunded_before: { amount: 4_000, currency: "EUR" },
    kept: { amount: 0, currency: "EUR" },
  });
  expect((await refundsOf(id)).money).toMatchObject({ refunded: captured, remaining: 0 });
});

test("only operators with the scope refund, and only at their own properties", async () => {
  const { id } = await booked();
  const path = `/v1/admin/bookings/${id}/refunds`;
  const by = async (terms: Parameters<typeof service.newAgents>[0][0]) => {
    const [other] = await service.newAgents([terms]);
    return service.api("POST", path, { agent: other!, body: { reason: "other" } });
  };
  (await service.api("POST", path, { body: { reason: "other" } })).refused(
    "principal_kind_not_allowed",
  );
  (await by({ kind: "operator", scopes: ["admin:bookings"] })).refused("forbidden");
  const another = await createHotel(service);
  const limited = { kind: "operator", scopes: ["admin:*"], property_ids: [another.id] } as const;
  (await by(limited)).refused("resource_access_denied");
  expect((await refundsOf(id)).items).toEqual([]);
});

test("an amount of 0, an unknown reason and a long note are refused by name", async () => {
  const { id } = await booked();
  const body = { amount: 0, reason: "bored", note: "n".repeat(501) };
  const path = `/v1/admin/bookings/${id}/refunds`;
  expect((await post(path, body)).faults()).toEqual(["/amount", "/note", "/reason"]);
  expect((await post(path, {})).faults()).toEqual(["/reason"]);
  const unknown = await post("/v1/admin/refunds/rfd_x/retry", {});
  expect(unknown.faults(404)).toEqual(["/refund_id"]);
});

test("the ledger of the running service agrees, and explains each refund", async () => {
  const { id, captured } = await booked();
  const { refund_id } = (await refund(id, { amount: 500 })).ok<Made>(201).data;
  const env = { DATA_DIR: service.dataDir };
  expect(await runWords(ledger, ["verify"], env)).toMatchObject({ code: 0, out: "" });
  const explained = JSON.parse(await outputOf(ledger, ["explain", refund_id, "--json"], env));
  expect(explained).toMatchObject({ booking_id: id, captured, refunded: 500, disputed: 0 });
  expect(explained.movements.map(({ kind }: { kind: string }) => kind)).toEqual([
    ...["capture", "refund_requested", "refund_succeeded"],
  ]);
  const [{ time }] = explained.movements;
  const day = new Intl.DateTimeFormat("sv-SE", { timeZone: "Europe/Madrid" });
  const date = day.format(new Date(time));
  const csv = await outputOf(ledger, ["export", "--date", date, "--property", hotel.id], env);
  expect(csv).toContain(`,${refund_id},refund_succeeded,-500,500,EUR,`);
  const all = `${csv}${await outputOf(ledger, ["explain", id], env)}`;
  expect(all).not.toMatch(/@|Lovelace|Guest/);
});
