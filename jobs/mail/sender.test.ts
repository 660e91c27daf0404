/**
 * Goal: each mail ends as sent or as given up for a reason, with a sensible number of attempts.
 * Method: the real file of due mails, a real mail server and the test's own clock.
 */
import { afterEach, beforeEach, expect, spyOn, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { propertyTree } from "../../test/support/builders.ts";
import { bookingOf } from "../../test/support/mail.ts";
import { until } from "../../test/support/service.ts";
import { messageIn, SmtpServer } from "../../test/support/smtp-server.ts";
import type { LetterKind } from "./letter.ts";
import { MailStore } from "./mail-store.ts";
import { MailWriter } from "./mail-writer.ts";
import { MailSender, type MailSenderOptions } from "./sender.ts";
import { smtpServerIn } from "./smtp.ts";

const NOON = Date.parse("2026-12-18T12:00:00Z");
const DAY_MS = 86_400_000;
const tree = propertyTree();

let directory: string;
let server: SmtpServer;
let store: MailStore;
let writer: MailWriter;
let sender: MailSender;
let nowMs: number;
let isErased: boolean;
const logged: { readonly message: string; readonly fields: object | undefined }[] = [];

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), "innkeep-mail-"));
  server = await SmtpServer.start();
  store = new MailStore(join(directory, "mail.db"));
  store.begin({ row: 0, chain: "" });
  writer = new MailWriter({
    server: smtpServerIn(`smtp://127.0.0.1:${server.port}`),
    outbox: join(directory, "outbox"),
    from: { name: null, address: "desk@inn.example" },
    guestUrl: "https://inn.example/guest",
    guestOf: () => (isErased ? null : { full_name: "Ada", email: "ada@example.com" }),
    treeOf: () => tree,
  });
  nowMs = NOON;
  isErased = false;
  logged.length = 0;
  sender = senderOn(store);
});
afterEach(async () => {
  await sender.stop();
  writer.close();
  store.close();
  server.stop();
  rmSync(directory, { recursive: true });
});

function senderOn(on: MailSenderOptions["store"]): MailSender {
  return new MailSender({
    ...{ store: on, writer, now: () => nowMs },
    bookingOf: (booking_id) => bookingOf(tree, { booking_id, cancelled_at: NOON }),
    log: (_level, message, fields) => void logged.push({ message, fields }),
  });
}

/** Makes mails due, as the journal does. */
function add(...mails: readonly (readonly [booking_id: string, kind: LetterKind])[]): void {
  const rows = mails.map(([booking_id, kind]) => ({
    ...{ booking_id, kind, tenant_id: "acme", mode: "live" as const, created_at: NOON },
    message_id: writer.messageIdOf({ booking_id }, kind),
  }));
  store.add(rows, { row: 1, chain: "" });
}

const counts = () => Object.fromEntries(store.unsent().map(({ state, count }) => [state, count]));
const subjects = () => server.received.map(({ text }) => messageIn(text).fields["message-id"]);

test("a temporary refusal is retried at growing intervals for five days", async () => {
  server.script = { message: "451 4.7.1 later" };
  add(["bkg_1", "confirmation"]);
  const waits: number[] = [];
  while (counts().pending === 1) {
    const { length } = logged;
    sender.run();
    await until("it was tried", () => logged.length > length);
    const { retry_s } = logged.at(-1)!.fields as { readonly retry_s?: number };
    if (retry_s === undefined) break;
    waits.push(retry_s);
    nowMs += waits.length < 8 ? retry_s * 1_000 : DAY_MS;
  }
  expect(waits.slice(0, 7)).toEqual([2, 10, 60, 300, 900, 3_600, 3_600]);
  expect(waits).toHaveLength(12);
  expect(nowMs - NOON).toBeGreaterThan(5 * DAY_MS);
  expect(logged.at(-1)).toEqual({
    message: "a mail to a guest was given up",
    fields: { mail: "confirmation bkg_1", status: 451, via: "smtp", reason: "expired" },
  });
  expect(counts()).toEqual({ pending: 0, given_up: 1 });
  expect(JSON.stringify(logged)).not.toContain("ada@example.com");
});

test("a rush of mails fills all slots at once, and later runs send the rest", async () => {
  const many = Array.from({ length: 12 }, (_, i) => [`bkg_${i}`, "confirmation"] as const);
  add(...many);
  for (const sent of [5, 10, 12]) {
    sender.run();
    sender.run();
    await until(`${sent} were sent`, () => sender.sent >= sent);
    expect(sender.sent).toBe(sent);
  }
  expect(new Set(subjects()).size).toBe(12);
});

test("a permanent refusal is not retried and delays no other mail", async () => {
  server.script = { recipient: "550 5.1.1 no such user" };
  add(["bkg_1", "confirmation"]);
  sender.run();
  await until("it was given up", () => counts().given_up === 1);
  server.script = {};
  add(["bkg_2", "confirmation"]);
  sender.run();
  await until("the other was sent", () => sender.sent === 1);
  nowMs += DAY_MS;
  sender.run();
  expect(counts()).toEqual({ pending: 0, given_up: 1 });
  expect(subjects()).toEqual(["<confirmation.bkg_2@inn.example>"]);
});

test("no cancellation is mailed before its confirmation", async () => {
  server.script = { message: "451 4.7.1 later" };
  add(["bkg_1", "cancellation"], ["bkg_1", "confirmation"]);
  sender.run();
  await until("the confirmation waits", () => logged.length === 1);
  expect(store.due("live", nowMs, 9)).toEqual([]);
  server.script = {};
  server.received.length = 0;
  nowMs += 2_000;
  sender.run();
  await until("the confirmation was sent", () => sender.sent === 1);
  sender.run();
  await until("both were sent", () => sender.sent === 2);
  expect(subjects()).toEqual([
    "<confirmation.bkg_1@inn.example>",
    "<cancellation.bkg_1@inn.example>",
  ]);
});

test("an erased guest gets no mail, and the mail server is not contacted", async () => {
  isErased = true;
  add(["bkg_1", "confirmation"]);
  sender.run();
  await until("it was given up", () => counts().given_up === 1);
  expect(logged.at(-1)!.fields).toMatchObject({ reason: "guest_erased", status: null });
  expect(server.connections).toBe(0);
});

test("a mail sent on a full disk is recorded later and not sent again", async () => {
  let isFull = true;
  const full = senderOn({
    due: (...of) => store.due(...of),
    postpone: (...of) => store.postpone(...of),
    giveUp: (...of) => store.giveUp(...of),
    sent(...of) {
      if (isFull) throw new Error("database or disk is full");
      store.sent(...of);
    },
  });
  add(["bkg_1", "confirmation"]);
  full.run();
  await until("it could not be recorded", () => logged.length > 0);
  expect(() => full.run()).toThrow("full");
  expect(counts()).toMatchObject({ pending: 1 });
  isFull = false;
  full.run();
  expect(counts()).toMatchObject({ pending: 0 });
  await full.stop();
  expect(subjects()).toHaveLength(1);
});

test("a clock that was set back does not delay waiting mails", async () => {
  add(["bkg_1", "confirmation"]);
  nowMs -= 3 * 3_600_000;
  sender.run();
  await until("it was sent", () => sender.sent === 1);
});

test("a failing mail server is left alone, and its simultaneous failures count as one", async () => {
  const posts = spyOn(writer, "post");
  let steadyMs = performance.now();
  const clock = spyOn(performance, "now").mockImplementation(() => steadyMs);
  try {
    server.stop();
    const ids = ["bkg_1", "bkg_2", "bkg_3"];
    add(...ids.map((id) => [id, "confirmation"] as const));
    sender.run();
    await until("all have failed", () => logged.length === ids.length);
    add(["bkg_4", "confirmation"]);
    sender.run();
    expect(posts).toHaveBeenCalledTimes(3);
    // After its first failure: 2 s.
    steadyMs += 2_000;
    sender.run();
    expect(posts).toHaveBeenCalledTimes(4);
  } finally {
    clock.mockRestore();
  }
  await until("it has failed too", () => logged.length === 4);
});

test("a stopping sender takes no more mail and records the mails already accepted", async () => {
  let isCut = false;
  const ending = new MailSender({
    ...{ store, now: () => nowMs, log: () => {} },
    bookingOf: (booking_id) => bookingOf(tree, { booking_id, cancelled_at: NOON }),
    writer: {
      mailerOf: (mode) => writer.mailerOf(mode),
      // The server has the mail, and says so as the process ends.
      post: (_booking, _mail, signal) =>
        new Promise((resolve) => {
          signal.addEventListener("abort", () => {
            isCut = true;
            setImmediate(() => resolve({ ok: true }));
          });
        }),
    },
  });
  add(["bkg_1", "confirmation"]);
  ending.run();
  const draining = ending.drain();
  add(["bkg_2", "confirmation"]);
  ending.run();
  await ending.stop();
  expect(isCut).toBeTrue();
  expect(store.due("live", nowMs, 9).map(({ booking_id }) => booking_id)).toEqual(["bkg_2"]);
  await draining;
});

test("a mail interrupted by a stop does not count as failed", async () => {
  server.script = { greeting: null };
  add(["bkg_1", "confirmation"]);
  sender.run();
  await until("it is on its way", () => server.connections === 1);
  await sender.stop();
  expect(store.due("live", nowMs, 9)).toMatchObject([{ booking_id: "bkg_1", tries: 0 }]);
  expect(logged).toEqual([]);
});
