/**
 * Goal: a running process hands the mail of a link over once, and a slow mail holds up no other.
 * Method: a store in memory; the test answers each mail and supplies the time.
 */
import { beforeEach, expect, test } from "bun:test";
import type { Booking } from "../../engine/core/records.ts";
import { DueSender } from "./due-sender.ts";
import { type DueLink, guestLinkMails } from "./guest-links.ts";
import type { Sending } from "./mail.ts";

const TTL_MS = 60_000;
const SENT: Sending = { ok: true };
const DEFERRED: Sending = { ok: false, reason: "deferred", status: 451 };

let nowMs: number;
let rows: Map<string, DueLink & { next_try_at: number | null }>;
/** What `tried` throws, if anything. */
let fault: Error | null;
/** Mails handed over, by Message-ID. */
let posted: string[];
/** Answers by link; the mail of another is sent at once. */
let answers: Map<string, PromiseWithResolvers<Sending>>;

beforeEach(() => {
  nowMs = 1_000_000;
  [rows, answers, posted, fault] = [new Map(), new Map(), [], null];
});

function addLink(link_id: string): void {
  const booking_id = `bkg_${link_id}`;
  const link = { link_id, booking_id, language: "en", created_at: nowMs, tries: 0 };
  rows.set(link_id, { ...link, next_try_at: nowMs });
}

/** A link whose mail is answered by the test. */
function addSlowLink(link_id: string): PromiseWithResolvers<Sending> {
  addLink(link_id);
  const answer = Promise.withResolvers<Sending>();
  answers.set(link_id, answer);
  return answer;
}

/** A worker process: it knows only what the store has. */
function mails() {
  const due = (now: number, limit: number) =>
    [...rows.values()]
      .filter(({ next_try_at }) => next_try_at !== null && next_try_at <= now)
      .slice(0, limit);
  const tried = ({ link_id }: DueLink, next_try_at: number | null) => {
    if (fault) throw fault;
    const row = rows.get(link_id)!;
    rows.set(link_id, { ...row, tries: row.tries + 1, next_try_at });
  };
  return guestLinkMails({
    ...{ store: { due, tried }, ttlMs: TTL_MS, now: () => nowMs, log: () => {} },
    bookingOf: (booking_id) => ({ booking_id }) as Booking,
    linkOf: (part) => ({ url: "https://inn.example/guest", code: "123456", part }),
    writer: {
      linkIdOf: (_booking, part) => part,
      postLink(_booking, _link, { message_id }, signal) {
        posted.push(message_id);
        const aborted = Promise.withResolvers<Sending>();
        signal.addEventListener("abort", () =>
          aborted.resolve({ ok: false, reason: "timeout", status: null }),
        );
        return Promise.race([answers.get(message_id)?.promise ?? SENT, aborted.promise]);
      },
    },
  });
}

function untried(): string[] {
  return [...rows.values()].filter(({ next_try_at }) => next_try_at !== null).map((r) => r.link_id);
}

test("a slow mail holds up no other, and ticks do not send it again", async () => {
  const slow = addSlowLink("slow");
  const sender = mails();
  const first = sender.run();
  addLink("later");
  const second = sender.run();
  const third = sender.run();
  expect(posted).toEqual(["slow", "later"]);
  slow.resolve(SENT);
  await Promise.all([first, second, third]);
  await sender.run();
  expect([posted, untried()]).toEqual([["slow", "later"], []]);
});

test("a mail that could not be recorded is recorded later; neither it nor others go twice", async () => {
  addLink("unrecorded");
  const slow = addSlowLink("slow");
  const sender = mails();
  fault = new Error("disk full");
  const first = sender.run();
  await Bun.sleep(0);
  const second = sender.run();
  expect(untried()).toEqual(["unrecorded", "slow"]);
  fault = null;
  slow.resolve(SENT);
  await Promise.all([first, second, sender.run()]);
  await sender.run();
  expect([posted, untried()]).toEqual([["unrecorded", "slow"], []]);
});

test("more mails than may be under way are sent by and by", async () => {
  const slow = Array.from({ length: 20 }, (_, nth) => addSlowLink(`slow ${nth}`));
  addLink("last");
  const sender = mails();
  const run = sender.run();
  void sender.run();
  expect(posted).toHaveLength(20);
  slow[7]!.resolve(SENT);
  await slow[7]!.promise;
  while (untried().includes("slow 7")) await Bun.sleep(0);
  void sender.run();
  expect(posted.slice(20)).toEqual(["last"]);
  for (const each of slow) each.resolve(SENT);
  await run;
  expect([posted.length, untried()]).toEqual([21, []]);
});

test("a process that ends during a mail leaves it due, and the next sends it again", async () => {
  addSlowLink("slow");
  const ended = mails();
  void ended.run();
  await ended.stop();
  await ended.run();
  expect([posted, untried()]).toEqual([["slow"], ["slow"]]);
  answers.clear();
  await mails().run();
  expect([posted, untried()]).toEqual([["slow", "slow"], []]);
});

test("a failed mail is tried again after a while, but not after the life of its link", async () => {
  const answer = addSlowLink("deferred");
  answer.resolve(DEFERRED);
  const sender = mails();
  await sender.run();
  await sender.run();
  expect(rows.get("deferred")).toMatchObject({ tries: 1, next_try_at: nowMs + 2_000 });
  nowMs += 2_000;
  await sender.run();
  expect(rows.get("deferred")).toMatchObject({ tries: 2, next_try_at: nowMs + 10_000 });
  nowMs += 10_000;
  await sender.run();
  expect(posted).toHaveLength(3);
  expect(untried()).toEqual([]);
});

test("a mail without an answer has failed after its limit", async () => {
  const failures: string[] = [];
  const sender = new DueSender<string, string>({
    ...{ id: "test", trouble: "cannot send", runEveryMs: 60_000, atOnceMax: 1, sendMsMax: 20 },
    due: () => ["silent"],
    keyOf: (mail) => mail,
    send: (_mail, signal) =>
      new Promise((resolve) => signal.addEventListener("abort", () => resolve("timeout"))),
    sent: () => {},
    failed: (mail, failure) => failures.push(`${mail} ${failure}`),
    log: () => {},
  });
  await sender.run();
  expect(failures).toEqual(["silent timeout"]);
});
