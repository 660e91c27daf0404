/** Goal: a link starts one session of its booking, soon and once; codes cannot be guessed. */
import { Database } from "bun:sqlite";
import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  GUEST_SESSION_TTL_MS,
  GuestSessions,
  LINK_TTL_MS,
  LINKS_MAX,
  LINKS_WINDOW_MS,
  linkCodeOf,
  linkTokenOf,
  REPLAY_MS,
  WRONG_CODES_MAX,
} from "./guest-sessions.ts";

const HMAC = new Uint8Array(32).fill(7);
const NOW = 1_000_000_000_000;
const OF = { booking_id: "bkg_1", email_hash: "hash" } as const;

let directory: string;
let guests: GuestSessions;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "guests-"));
  guests = new GuestSessions(directory, HMAC);
});
afterEach(() => {
  guests.close();
  rmSync(directory, { recursive: true });
});

/** Asks for a link; its id. */
function asked(
  of: typeof OF | { booking_id: string; email_hash: string } = OF,
  nowMs = NOW,
): string {
  guests.ask(of, "en", nowMs);
  return guests.due(nowMs, 100).at(-1)!.link_id;
}

test("a token is good for a quarter of an hour, once, and again for a minute", () => {
  const token = linkTokenOf(HMAC, asked());
  expect(token).toMatch(/^[0-9a-f]{64}$/);
  expect(guests.takeToken("0".repeat(64), NOW)).toBeNull();
  expect(guests.takeToken(token, NOW + LINK_TTL_MS)).toBeNull();
  const used = NOW + LINK_TTL_MS - REPLAY_MS - 1;
  expect(guests.takeToken(token, used)).toEqual(OF);
  expect(guests.takeToken(token, used + REPLAY_MS - 1)).toEqual(OF);
  expect(guests.takeToken(token, used + REPLAY_MS)).toBeNull();
});

test("a code is that of the newest link, and is refused after five wrong ones", () => {
  const first = linkCodeOf(HMAC, asked());
  const link = asked(OF, NOW + 1);
  const code = linkCodeOf(HMAC, link);
  expect(code).toMatch(/^\d{6}$/);
  expect(guests.takeCode("bkg_2", code, NOW + 1)).toBeNull();
  expect(guests.takeCode(OF.booking_id, code, NOW + 1)).toEqual(OF);
  for (let i = 0; i < WRONG_CODES_MAX; i += 1) {
    expect(guests.takeCode(OF.booking_id, first === code ? "none" : first, NOW + 2)).toBeNull();
  }
  expect(guests.takeCode(OF.booking_id, code, NOW + 2)).toBeNull();
  expect(guests.takeToken(linkTokenOf(HMAC, link), NOW + 2)).toEqual(OF);
});

test("a guest gets a few mails an hour, and a request that matches nothing gets none", () => {
  for (let i = 0; i < LINKS_MAX + 2; i += 1) guests.ask(OF, "en", NOW + i);
  guests.ask(null, "en", NOW);
  expect(guests.due(NOW + 100, 100)).toHaveLength(LINKS_MAX);
  guests.forget(NOW + LINKS_WINDOW_MS);
  guests.ask(OF, "de", NOW + LINKS_WINDOW_MS);
  expect(guests.due(NOW + LINKS_WINDOW_MS, 100).at(-1)).toMatchObject({ language: "de", tries: 0 });
});

test("a mail is due until it was sent, or as planned", () => {
  const link_id = asked();
  guests.tried({ link_id }, NOW + 10);
  expect(guests.due(NOW + 9, 10)).toEqual([]);
  expect(guests.due(NOW + 10, 10)).toMatchObject([{ link_id, tries: 1 }]);
  guests.tried({ link_id }, null);
  expect(guests.due(NOW + 1e9, 10)).toEqual([]);
});

test("a session ends after half an hour and when it is ended; the file has no secret", () => {
  const of = { ...OF, tenant_id: "t1", mode: "live" } as const;
  const { secret, expires_at } = guests.open(of, NOW);
  expect(secret).toMatch(/^ikg_[\w-]{43}$/);
  expect(guests.find(secret, NOW)).toMatchObject({ ...of, expires_at });
  expect(guests.find(secret, NOW + GUEST_SESSION_TTL_MS)).toBeNull();
  const link = asked();
  const db = new Database(join(directory, "guest.db"), { readonly: true });
  const rows = JSON.stringify(db.query("SELECT * FROM session, link").all());
  for (const each of [secret, secret.slice(4), linkTokenOf(HMAC, link), linkCodeOf(HMAC, link)]) {
    expect(rows).not.toContain(each);
  }
  db.close();
  guests.end(guests.find(secret, NOW)!);
  expect(guests.find(secret, NOW)).toBeNull();
});
