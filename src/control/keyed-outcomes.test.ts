/** Goal: a key is known for a week to who used it, and nobody can read what it came to. */
import { afterAll, expect, setSystemTime, test } from "bun:test";
import { randomBytes } from "node:crypto";
import { keepOutcome, recallOutcome } from "./keyed-outcomes.ts";
import { openTestControl } from "./test-control.ts";

const control = openTestControl();
const { store } = control;
afterAll(control.close);

const DAY_MS = 86_400_000;
const masterKey = randomBytes(32);
const outcome = { ok: true, data: { secret: "ik_live_x" } };
const command = { command_id: "c1", agent_id: "agt_1", body_hash: "h1" };

test("an outcome is recalled by the same agent with the same body, and by no other", () => {
  expect(recallOutcome(store, masterKey, command)).toEqual({ is: "unknown" });
  keepOutcome(store, masterKey, command, outcome);
  expect(recallOutcome(store, masterKey, command)).toEqual({ is: "known", outcome });
  for (const other of [{ agent_id: "agt_2" }, { body_hash: "h2" }]) {
    expect(recallOutcome(store, masterKey, { ...command, ...other })).toEqual({ is: "conflict" });
  }
});

test("what is kept is encrypted, and bound to its command", () => {
  const row = store.db
    .query<{ encrypted: string }, []>("SELECT encrypted FROM keyed_outcome WHERE command_id = 'c1'")
    .get()!;
  expect(Buffer.from(row.encrypted, "base64url").includes("ik_live_x")).toBeFalse();
  expect(() => recallOutcome(store, randomBytes(32), command)).toThrow();
  store.db.run(`INSERT INTO keyed_outcome VALUES ('c2', 'agt_1', 'h1', '${row.encrypted}', 0)`);
  expect(() => recallOutcome(store, masterKey, { ...command, command_id: "c2" })).toThrow();
  store.db.run("DELETE FROM keyed_outcome WHERE command_id = 'c2'");
});

test("a key is forgotten after seven days, at the next one that is kept", () => {
  const keptMs = Date.now();
  try {
    setSystemTime(keptMs + 7 * DAY_MS - 1_000);
    keepOutcome(store, masterKey, { ...command, command_id: "c3" }, outcome);
    expect(recallOutcome(store, masterKey, command).is).toBe("known");
    setSystemTime(keptMs + 7 * DAY_MS + 1_000);
    keepOutcome(store, masterKey, { ...command, command_id: "c4" }, outcome);
    expect(recallOutcome(store, masterKey, command).is).toBe("unknown");
  } finally {
    setSystemTime();
  }
});
