/**
 * Goal: each guest gets one mail for a booking and one for its cancellation, despite crashes, full
 * disks and refusals; a guest's data is in the mail alone. Method: real processes and a scripted
 * mail server; the outbox is read as mail.
 */

import { Database } from "bun:sqlite";
import { afterAll, beforeAll, expect, test } from "bun:test";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { createConnection } from "node:net";
import { join } from "node:path";
import { MailStore } from "../../jobs/mail/mail-store.ts";
import type { DemoAgent } from "../../src/ops/demo/demo-file.ts";
import { type Answer, steps } from "../support/answer.ts";
import {
  type Booking,
  bookingBody,
  createHotel,
  type Hotel,
  newHold,
  newKey,
  sendCancel,
  stayRequest,
} from "../support/client.ts";
import { Service, until } from "../support/service.ts";
import { messageIn, SmtpServer } from "../support/smtp-server.ts";

let server: SmtpServer;
let service: Service;
let hotel: Hotel;
/** Occurs nowhere else. */
const WORD = `canary${crypto.randomUUID().replaceAll("-", "")}`;
const NAME = `Ada ${WORD}`;

beforeAll(async () => {
  server = await SmtpServer.start();
  service = await Service.start({
    ...{ SMTP_URL: `smtp://127.0.0.1:${server.port}`, MAIL_FROM: "The Inn <desk@inn.example>" },
    ...{ API_PROCESSES: "1", LOG_LEVEL: "debug" },
  });
  hotel = await createHotel(service, { units: [5_000] });
});
afterAll(async () => {
  await service.stop();
  server.stop();
});

/** Books for a guest with an address of its own. */
async function book(options: { name?: string; agent?: DemoAgent; at?: Hotel } = {}) {
  const { name = NAME, agent = service.demo.agent, at = hotel } = options;
  const email = `${crypto.randomUUID()}@example.com`;
  const hold = await newHold(service, stayRequest(at), { agent });
  const body = { ...bookingBody(hold), guest: { primary: { full_name: name, email } } };
  const headers = {
    "idempotency-key": newKey(),
    "x-delegated-user": await service.mintDelegation(),
  };
  const answer = await service.api("POST", "/v1/bookings", { agent, headers, body });
  return { ...answer.ok<Booking>(201).data, email };
}

function mailsTo(email: string) {
  return server.received.filter(({ to }) => to.includes(email));
}

interface Row {
  readonly kind: string;
  readonly state: string;
  readonly tries: number;
  readonly reason: string | null;
  readonly status: number | null;
}

function rowsOf(bookingId: string): Row[] {
  using db = new Database(join(service.dataDir, "mail.db"), { readonly: true, strict: true });
  const select = `SELECT kind, state, tries, reason, status FROM mail WHERE booking_id = ?
    ORDER BY kind DESC`;
  return db.query<Row, [string]>(select).all(bookingId);
}

async function untilState(bookingId: string, state: string): Promise<void> {
  const isSo = () => {
    const rows = rowsOf(bookingId);
    return rows.length > 0 && rows.every((row) => row.state === state);
  };
  await until(`the mails of ${bookingId} are ${state}`, isSo);
}

const SENT = { state: "sent", reason: null, status: null };

test("a booking is confirmed by mail, and its cancellation too, each once", async () => {
  const { booking_id, confirmation_code, email } = await book();
  await untilState(booking_id, "sent");
  (await sendCancel(service, booking_id)).ok();
  await until("the cancellation was sent", () => mailsTo(email).length === 2);
  await untilState(booking_id, "sent");
  const mails = mailsTo(email).map(({ text }) => messageIn(text));
  for (const { fields, parts } of mails) {
    expect(fields.from).toBe("The Inn <desk@inn.example>");
    expect(fields.to).toBe(`${NAME} <${email}>`);
    for (const { text } of parts) {
      expect(text).toContain(confirmation_code);
      expect(text).toContain(NAME);
      expect(text).toContain("EUR 200.00");
    }
  }
  expect(mails.map(({ fields }) => fields["message-id"])).toEqual([
    `<confirmation.${booking_id}@inn.example>`,
    `<cancellation.${booking_id}@inn.example>`,
  ]);
  const said = mails.map(({ parts }) => parts[0]!.text);
  expect(said[0]).toMatch(/Cancellation: +Free cancellation until .* \(Madrid time\)/);
  expect(said[1]).toMatch(/Paid back: +EUR 200\.00/);
});

test("a guest of the desk reads what is to be paid there, and that nothing is refunded", async () => {
  const agent = service.demo.admin;
  const send = (path: string, body: object) =>
    service.api("POST", path, { agent, headers: { "idempotency-key": newKey() }, body });
  const quoted = await send("/v1/admin/bookings/quote", stayRequest(hotel));
  const { quote_id } = quoted.ok<{ quote_id: string }>(201).data;
  const { hold_id } = (await send("/v1/holds", { quote_id })).ok<{ hold_id: string }>(201).data;
  const email = `${crypto.randomUUID()}@example.com`;
  const guest = { primary: { full_name: NAME, email } };
  const body = { hold_id, quote_id, guest, payment: { method: "at_property" } };
  const { booking_id } = (await send("/v1/admin/bookings", body)).ok<Booking>(201).data;
  await untilState(booking_id, "sent");
  const reason = { reason: "changed plans" };
  const cancelled = await send(`/v1/admin/bookings/${booking_id}/cancel`, reason);
  expect(cancelled.ok().data).toMatchObject({ fee: { amount: 0 }, refund: null });
  await until("the cancellation was sent", () => mailsTo(email).length === 2);
  const [confirmed, ended] = mailsTo(email).map(({ text }) => messageIn(text).parts[0]!.text);
  expect(confirmed).toMatch(/Total price: +EUR 200\.00/);
  expect(confirmed).toMatch(/Paid at booking: +EUR 0\.00/);
  expect(confirmed).toMatch(/Due at the property: +EUR 200\.00/);
  expect(confirmed).toMatch(/Cancellation: +Free cancellation at any time\./);
  expect(ended).toMatch(/Cancellation fee: +EUR 0\.00/);
  expect(ended).toMatch(/Paid back: +EUR 0\.00/);
  expect(ended).toContain("Nothing was paid for the booking");
});

test("a permanent refusal of the mail server ends a mail; a temporary one is retried", async () => {
  server.script = { recipient: "550 5.1.1 no such user" };
  const refused = await book();
  await untilState(refused.booking_id, "given_up");
  expect(rowsOf(refused.booking_id)).toMatchObject([{ reason: "rejected", status: 550, tries: 1 }]);
  server.script = { message: "451 4.7.1 later" };
  const deferred = await book();
  await until("it was deferred", () => rowsOf(deferred.booking_id)[0]?.reason === "deferred");
  server.script = {};
  await untilState(deferred.booking_id, "sent");
  expect(rowsOf(deferred.booking_id)).toMatchObject([{ ...SENT, tries: 2 }]);
  expect(
    new Set(mailsTo(deferred.email).map(({ text }) => messageIn(text).fields["message-id"])).size,
  ).toBe(1);
  const metrics = await service.metrics();
  expect(metrics).toMatch(/innkeep_mails_unsent\{state="given_up",role="worker",pid="\d+"\} 1\n/);
  expect(mailsTo(refused.email)).toEqual([]);
});

test("a worker that is killed between sending and recording sends the same mail again", async () => {
  server.script = { message: null };
  const { booking_id, email } = await book();
  await until("the server has the mail", () => mailsTo(email).length === 1);
  expect(rowsOf(booking_id)).toMatchObject([{ state: "pending", tries: 0 }]);
  const { worker } = service.pids;
  process.kill(worker!, "SIGKILL");
  server.script = {};
  await untilState(booking_id, "sent");
  const ids = mailsTo(email).map(({ text }) => messageIn(text).fields["message-id"]);
  expect(ids).toEqual(Array(2).fill(`<confirmation.${booking_id}@inn.example>`));
});

test("a mail server that hangs delays no booking, and Redis losing everything loses no mail", async () => {
  server.script = { greeting: null, sender: null };
  const booked = [await book(), await book(), await book()];
  const redis = createConnection(join(service.dataDir, "redis", "redis.sock"));
  await new Promise<void>((resolve) => redis.write("FLUSHALL\r\n", () => resolve()));
  await new Promise<void>((resolve) => redis.once("data", () => resolve()));
  redis.destroy();
  await until("the mails are due", () => rowsOf(booked.at(-1)!.booking_id).length > 0);
  expect(rowsOf(booked[0]!.booking_id)).toMatchObject([{ state: "pending", tries: 0 }]);
  server.script = {};
  server.hangUp();
  for (const { booking_id, email } of booked) {
    await untilState(booking_id, "sent");
    expect(mailsTo(email)).toHaveLength(1);
  }
});

test("bookings of mode test go to the outbox: whole mails without a header that was added", async () => {
  const operator = service.demo.test_admin;
  const at = await createHotel(service, { operator });
  const before = server.received.length;
  const name = "Eve, <Bcc: eve@example.com>";
  const { booking_id, email } = await book({ agent: service.demo.test_agent, at, name });
  await untilState(booking_id, "sent");
  expect(server.received).toHaveLength(before);
  const outbox = join(service.dataDir, "outbox");
  expect(statSync(outbox).mode & 0o777).toBe(0o700);
  const [file, ...others] = readdirSync(outbox);
  expect(others).toEqual([]);
  expect(file).toMatch(new RegExp(`^\\d{8}T\\d{9}Z-confirmation\\.${booking_id}\\.eml$`));
  expect(statSync(join(outbox, file!)).mode & 0o777).toBe(0o600);
  const { names, fields, parts } = messageIn(readFileSync(join(outbox, file!), "latin1"));
  expect(names.toSorted()).toEqual([
    ...["auto-submitted", "content-type", "date", "from", "message-id", "mime-version", "subject"],
    "to",
  ]);
  // A name that holds an address is not shown.
  expect(fields.to).toBe(email);
  expect(parts.map(({ type }) => type)).toEqual(["text/plain", "text/html"]);
  expect(parts[1]!.text).not.toContain("eve@example.com");
});

interface SummaryRow {
  readonly agent_id: string;
  readonly state: string;
  readonly tries: number;
}

function summariesOf(agentId: string): SummaryRow[] {
  using db = new Database(join(service.dataDir, "mail.db"), { readonly: true, strict: true });
  const select = "SELECT agent_id, state, tries FROM summary WHERE agent_id = ?";
  return db.query<SummaryRow, [string]>(select).all(agentId);
}

test("an operator that asks for it has a summary a day by mail, and a killed worker sends no second", async () => {
  const operator = service.demo.test_admin;
  const at = await createHotel(service, { operator });
  const [reader, other, planner] = await service.newAgents([
    ...[[at.id], null].map((property_ids) => ({
      ...{ name: "Desk", kind: "operator" as const, mode: "test" as const, property_ids },
      scopes: ["admin:kpis"],
    })),
    { name: "Planner", mode: "test" },
  ]);
  const patch = ({ agent_id }: DemoAgent, daily_summary: object | null) =>
    service.api("PATCH", `/v1/admin/agents/${agent_id}`, {
      agent: operator,
      body: { daily_summary },
    });
  // An hour of the day that is over wherever the test runs.
  const wanted = { email: "desk@inn.example", at: "00:00", timezone: "Europe/Madrid" };
  const paths = (answer: Answer) => answer.faults();
  const nowhere = await patch(reader!, { ...wanted, email: "a,b@inn.example", timezone: "Mars/A" });
  expect(paths(nowhere)).toEqual(["/daily_summary/email", "/daily_summary/timezone"]);
  expect(paths(await patch(planner!, wanted))).toEqual(["/daily_summary"]);
  expect((await patch(reader!, wanted)).ok().data).toMatchObject({ daily_summary: wanted });
  const isSent = (agent: DemoAgent) =>
    summariesOf(agent.agent_id).some(({ state }) => state === "sent");
  await until("the summary was sent", () => isSent(reader!));
  const outbox = join(service.dataDir, "outbox");
  const files = readdirSync(outbox).filter((name) => name.includes(reader!.agent_id));
  const { fields, parts } = messageIn(readFileSync(join(outbox, files[0]!), "latin1"));
  expect(fields).toMatchObject({ to: wanted.email, from: "The Inn <desk@inn.example>" });
  expect(fields.subject).toMatch(/^Key figures of \w{3}, \d{1,2} \w{3} \d{4}$/);
  expect(parts[0]!.text).toMatch(/^Properties: +1\s/m);
  expect(parts[0]!.text).toMatch(/^Rooms sold: +0 \(0\)\s/m);
  process.kill(service.pids.worker!, "SIGKILL");
  await patch(other!, wanted);
  await until("the next worker has sent the other's", () => isSent(other!));
  // One a date: midnight may have passed.
  for (const row of summariesOf(reader!.agent_id)) expect(row.tries).toBeLessThan(2);
  expect((await patch(reader!, null)).ok().data).toMatchObject({ daily_summary: null });
});

const resendPath = (bookingId: string) => `/v1/admin/bookings/${bookingId}/resend-confirmation`;

/** An operator asks for the mail of a booking once more. */
function resend(bookingId: string, key = newKey()): Promise<Answer> {
  const headers = { "idempotency-key": key };
  return service.api("POST", resendPath(bookingId), { agent: service.demo.admin, headers });
}

test("an operator can send a mail once more, and one key sends one mail", async () => {
  const { booking_id, email } = await book();
  await untilState(booking_id, "sent");
  const key = newKey();
  const first = await resend(booking_id, key);
  const { data, next_actions } = first.ok<Record<string, string>>();
  expect(data).toEqual({
    ...{ booking_id, notification: "confirmation", via: "smtp" },
    message_id: expect.stringMatching(
      new RegExp(`^confirmation\\.${booking_id}\\.[0-9a-f]{16}@inn\\.example$`),
    ),
  });
  expect(steps(next_actions)).toContain(`get GET /v1/bookings/${booking_id}`);
  const again = await resend(booking_id, key);
  expect(again.text).toBe(first.text);
  expect(again.headers.get("idempotent-replayed")).toBe("true");
  (await sendCancel(service, booking_id)).ok();
  await until("the cancellation was sent", () => mailsTo(email).length === 3);
  const other = (await resend(booking_id)).ok<Record<string, string>>().data;
  expect(other.notification).toBe("cancellation");
  const ids = mailsTo(email).map(({ text }) => messageIn(text).fields["message-id"]);
  expect(ids).toEqual([
    ...[`<confirmation.${booking_id}@inn.example>`, `<${data.message_id}>`],
    ...[`<cancellation.${booking_id}@inn.example>`, `<${other.message_id}>`],
  ]);
});

test("a guest gets at most three copies in an hour, also for simultaneous calls and a restart", async () => {
  const { booking_id, email } = await book();
  await untilState(booking_id, "sent");
  const answers = await Promise.all(Array.from({ length: 12 }, () => resend(booking_id)));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(3);
  const refused = answers.filter(({ status }) => status !== 200);
  for (const answer of refused) {
    const { detail, retry_after } = answer.refused("rate_limited");
    expect(detail).toEqual({ policy: "resend_confirmation", limit: 3, window_s: 3_600 });
    expect(retry_after).toBeWithin(3_500, 3_601);
  }
  const store = new MailStore(join(service.dataDir, "mail.db"));
  expect(store.takeCopy(booking_id, Date.now())).toMatchObject({ ok: false });
  expect(store.takeCopy("bkg_other", Date.now())).toMatchObject({ ok: true });
  store.close();
  expect(mailsTo(email)).toHaveLength(4);
});

test("a copy that the mail server may have taken counts towards the three", async () => {
  const { booking_id } = await book();
  await untilState(booking_id, "sent");
  server.script = { message: null };
  const unknown = (await resend(booking_id)).refused("notification_delivery_failed");
  expect(unknown.detail).toMatchObject({ reason: "timeout", status: null });
  server.hangUp();
  server.script = {};
  const answers = [await resend(booking_id), await resend(booking_id), await resend(booking_id)];
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 429]);
});

test("a refusal of the mail server is reported with its remedies", async () => {
  const { booking_id, email } = await book();
  await untilState(booking_id, "sent");
  const key = newKey();
  const get = `get GET /v1/bookings/${booking_id}`;
  const told: string[] = [];
  for (const [said, reason, status, actions] of [
    ["550 5.1.1 no such user", "rejected", 550, [get]],
    ["451 4.7.1 later", "deferred", 451, [`retry POST ${resendPath(booking_id)}`, get]],
  ] as const) {
    server.script = { recipient: said };
    const answer = await resend(booking_id, key);
    const { detail, next_actions } = answer.refused("notification_delivery_failed");
    expect(detail).toEqual({ booking_id, reason, status });
    expect(steps(next_actions)).toEqual([...actions]);
    told.push(answer.text);
  }
  for (const word of [WORD, email, "no such user"]) expect(told.join()).not.toContain(word);
  server.script = {};
  // The key is not used up: nothing was sent by it.
  const { message_id } = (await resend(booking_id, key)).ok<Record<string, string>>().data;
  expect(mailsTo(email)).toHaveLength(2);
  expect(mailsTo(email)[1]!.text).toContain(message_id!);
  const path = `/v1/bookings/${booking_id}`;
  expect((await service.api("GET", path)).ok<Booking>().data.state).toBe("confirmed");
});

test("logs and stored mail records contain no data of the guest", async () => {
  expect(service.log).toContain("a mail to a guest was given up");
  const files = readdirSync(service.dataDir).filter((name) => name.startsWith("mail.db"));
  expect(files).toContain("mail.db");
  const kept = files.map((name) => readFileSync(join(service.dataDir, name), "latin1"));
  for (const text of [service.log, ...kept]) {
    expect(text).not.toContain(WORD);
    expect(text).not.toContain("@example.com");
  }
});
