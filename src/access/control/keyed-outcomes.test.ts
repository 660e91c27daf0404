/** Goal: an outcome is kept for a week for its agent only, encrypted and without secrets. */
import { afterAll, expect, setSystemTime, test } from "bun:test";
import { randomBytes } from "node:crypto";
import { decryptByVersion } from "../privacy/encryption.ts";
import { KeyVersions } from "../privacy/key-versions.ts";
import { keepOutcome, recallOutcome } from "./keyed-outcomes.ts";
import { openTestControl } from "./test-control.ts";

const control = openTestControl();
const { store } = control;
afterAll(control.close);

const DAY_MS = 86_400_000;
const anyKey = () => new KeyVersions([{ kid: "encryption-v1", key: randomBytes(32), from_ms: 0 }]);
const masterKey = anyKey();
const outcome = { ok: true, data: { contact: "Ada Lovelace" } };
const command = { command_id: "c1", agent_id: "agt_1", body_hash: "h1" };

test("an outcome is replayed to the same agent with the same body, and to no other", () => {
  expect(recallOutcome(store, masterKey, command)).toEqual({ is: "unknown" });
  keepOutcome(store, masterKey, command, outcome);
  expect(recallOutcome(store, masterKey, command)).toEqual({ is: "known", outcome });
  const recalled = (other: object) => recallOutcome(store, masterKey, { ...command, ...other });
  expect(recalled({ body_hash: "h2" })).toEqual({ is: "conflict" });
  expect(recalled({ agent_id: "agt_2" })).toEqual({ is: "unknown" });
});

test("a stored outcome is encrypted and bound to its command", () => {
  const row = store.db
    .query<{ encrypted: string }, []>("SELECT encrypted FROM keyed_outcome WHERE command_id = 'c1'")
    .get()!;
  expect(Buffer.from(row.encrypted, "base64url").includes("Ada Lovelace")).toBeFalse();
  expect(() => recallOutcome(store, anyKey(), command)).toThrow();
  store.db.run(`INSERT INTO keyed_outcome VALUES ('c2', 'agt_1', 'h1', '${row.encrypted}', 0)`);
  expect(() => recallOutcome(store, masterKey, { ...command, command_id: "c2" })).toThrow();
  store.db.run("DELETE FROM keyed_outcome WHERE command_id = 'c2'");
});

test("a key is deleted after seven days, when the next one is stored", () => {
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

test("a secret is not stored at any depth, and its placeholder says what to do", () => {
  const shown = { ok: true, data: { credential: { last4: "Wxyz", secret: "ik_live_Wxyz" } } };
  const secret_hint = expect.stringContaining("rotate the credential");
  const kept = { ok: true, data: { credential: { last4: "Wxyz", secret: null, secret_hint } } };
  const fresh = { ...command, command_id: "s1" };
  keepOutcome(store, masterKey, fresh, shown);
  expect(recallOutcome(store, masterKey, fresh)).toEqual({ is: "known", outcome: kept });
  const { encrypted } = store.db
    .query<{ encrypted: string }, []>("SELECT encrypted FROM keyed_outcome WHERE command_id = 's1'")
    .get()!;
  const text = decryptByVersion(masterKey, encrypted, ["keyed-outcome", "s1", "agt_1"]).toString(
    "utf8",
  );
  expect(text).toContain('"last4":"Wxyz"');
  expect(text).not.toContain("ik_live_Wxyz");
});
