/** Goal: sessions end when they must, and the file can start none. */
import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CODE_TTL_MS, ConsoleSessions, IDLE_MS, SESSION_TTL_MS } from "./console-sessions.ts";

const directory = mkdtempSync(join(tmpdir(), "innkeep-console-"));
const sessions = new ConsoleSessions(join(directory, "console.db"), (text) => `hash of ${text}`);
const NOW = 1_800_000_000_000;
const MINUTE_MS = 60_000;

afterAll(() => {
  sessions.close();
  rmSync(directory, { recursive: true });
});

test("an idle session ends; one that is used goes on to its last hour", () => {
  const id = sessions.open("crd_1", NOW);
  expect(sessions.find(id, NOW + IDLE_MS - 1)?.caller_id).toBe("crd_1");
  expect(sessions.find(id, NOW + IDLE_MS)).toBeNull();
  let atMs = NOW;
  while (atMs + 20 * MINUTE_MS < NOW + SESSION_TTL_MS) {
    atMs += 20 * MINUTE_MS;
    sessions.seen(sessions.find(id, atMs)!, atMs);
  }
  expect(sessions.find(id, NOW + SESSION_TTL_MS - 1)).not.toBeNull();
  expect(sessions.find(id, NOW + SESSION_TTL_MS)).toBeNull();
});

test("a session that was ended is over, and the others of its credential are not", () => {
  const [first, second] = [sessions.open("crd_2", NOW), sessions.open("crd_2", NOW)];
  sessions.end(sessions.find(first, NOW)!);
  expect(sessions.find(first, NOW)).toBeNull();
  expect(sessions.find(second, NOW)).not.toBeNull();
});

test("a code starts one session, in time", () => {
  const { code, expiresAtMs } = sessions.newCode("crd_3", NOW);
  expect(expiresAtMs).toBe(NOW + CODE_TTL_MS);
  expect(sessions.takeCode("another", NOW)).toBeNull();
  expect(sessions.takeCode(code, NOW + CODE_TTL_MS)).toBeNull();
  expect(sessions.takeCode(code, NOW + CODE_TTL_MS - 1)).toBe("crd_3");
  expect(sessions.takeCode(code, NOW)).toBeNull();
});

test("a credential has fifty sessions: the oldest ends for the next", () => {
  const ids = Array.from({ length: 51 }, (_, i) => sessions.open("crd_4", NOW + i));
  expect(sessions.find(ids[0]!, NOW)).toBeNull();
  expect(sessions.find(ids[1]!, NOW)).not.toBeNull();
  expect(new Set(ids).size).toBe(51);
});

test("a credential has fifty unused codes: the oldest ends for the next", () => {
  const codes = Array.from({ length: 51 }, (_, i) => sessions.newCode("crd_6", NOW + i).code);
  const other = sessions.newCode("crd_7", NOW).code;
  expect(sessions.takeCode(codes[0]!, NOW + 60)).toBeNull();
  expect(sessions.takeCode(codes[1]!, NOW + 60)).toBe("crd_6");
  expect(sessions.takeCode(other, NOW + 60)).toBe("crd_7");
});

test("what the file stores opens no session", () => {
  const id = sessions.open("crd_5", NOW);
  const { id_hash } = sessions.find(id, NOW)!;
  expect(sessions.find(id_hash, NOW)).toBeNull();
});

test("what has ended is removed, and nothing else", () => {
  const [old, open] = [sessions.open("crd_6", NOW - IDLE_MS), sessions.open("crd_6", NOW)];
  const { code } = sessions.newCode("crd_6", NOW);
  sessions.forget(NOW);
  expect(sessions.find(old, NOW - IDLE_MS)).toBeNull();
  expect(sessions.find(open, NOW)).not.toBeNull();
  expect(sessions.takeCode(code, NOW)).toBe("crd_6");
});
