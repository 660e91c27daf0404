/**
 * Goal: damage of `control.db` never widens a right, affects only its own row and is always
 * reported. Method: flip bits of rows in a real file and open the result with every reader.
 */
import { Database } from "bun:sqlite";
import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";
import { closeSync, copyFileSync, openSync, readFileSync, writeSync } from "node:fs";
import { refusalOf } from "../auth/bearer.ts";
import { KeyVersions } from "../privacy/key-versions.ts";
import { agentById, changeAgent, createAgent } from "./agents.ts";
import { checksumOf } from "./checked-rows.ts";
import { ControlScrubber, scrubbingControl } from "./control-scrubber.ts";
import {
  findCredential,
  issueCredential,
  retireCredential,
  revokeCredential,
} from "./credentials.ts";
import { dropDamaged } from "./drop-damaged.ts";
import { ControlEndpoints } from "./endpoint-book.ts";
import { addIssuer, changeIssuer } from "./issuers.ts";
import { createPerson } from "./people.ts";
import { revokeToken } from "./revoked-tokens.ts";
import { openControlReader } from "./schema.ts";
import { ensureSigningKeys, rotateSigningKey } from "./signing-keys.ts";
import { type ControlStore, openControlStore } from "./store.ts";
import { openTestControl, type TestControl } from "./test-control.ts";
import { ControlView } from "./view.ts";
import { addEndpoint, changeEndpoint, listEndpoints } from "./webhook-endpoints.ts";

const NOW_MS = 1_800_000_000_000;
const MASTERS = new KeyVersions([{ kid: "encryption-v1", key: Buffer.alloc(32, 5), from_ms: 0 }]);
const ISS = "https://damaged.example";

let control: TestControl;
let path: string;
let revoked: string;
let expired: string;
let narrow: string;
let whole: string;
let ids: Record<"revoked" | "expired" | "narrow" | "agent" | "issuer", string>;

beforeAll(async () => {
  control = openTestControl();
  const { store, tenantId, realm } = control;
  const agentOf = (name: string, scopes: readonly string[]) =>
    createAgent(store, tenantId, { name, kind: "agent", mode: "live", scopes });
  const agent = agentOf("Narrow", ["search", "quotes"]);
  const [one, two, three] = [
    issueCredential(store, agent),
    issueCredential(store, agent, NOW_MS - 1),
    issueCredential(store, agent, NOW_MS + 1_000),
  ];
  revokeCredential(store, one.credential_id);
  const other = issueCredential(store, agentOf("Whole", ["search"]));
  [revoked, expired, narrow, whole] = [one.secret, two.secret, three.secret, other.secret];
  const issuer = addIssuer(store, realm, {
    ...{ iss: ISS, name: "Damaged", allowed_audiences: ["aud"], jwks: { keys: [] } },
  })!;
  changeIssuer(store, issuer, { status: "suspended" });
  revokeToken(store, "jti-of-a-revoked-token", NOW_MS + 1_000, NOW_MS);
  await ensureSigningKeys(store, MASTERS, NOW_MS);
  ids = {
    ...{ revoked: one.credential_id, expired: two.credential_id, narrow: three.credential_id },
    ...{ agent, issuer },
  };
  store.db.run("PRAGMA wal_checkpoint(TRUNCATE)");
});
afterAll(() => control.close());
let copies = 0;
beforeEach(() => {
  copies += 1;
  path = `${control.store.path}.${copies}`;
  copyFileSync(control.store.path, path);
});

/** Where the record with that text as its first value lies in the file, its header included. */
function recordOf(id: string, table: string): readonly [from: number, to: number] {
  const bytes = readFileSync(control.store.path);
  const key = table === "revoked_token" ? "jti" : `${table}_id`;
  const { check_sum } = control.store.db
    .query<{ check_sum: string }, [string]>(`SELECT check_sum FROM ${table} WHERE ${key} = ?`)
    .get(id)!;
  const to = bytes.indexOf(check_sum) + check_sum.length;
  const from = bytes.lastIndexOf(id, to);
  expect(from).toBeGreaterThan(0);
  expect(to - from).toBeLessThan(1_000);
  return [from - 16, to];
}

/** Calls `look` for each flipped bit of the record: all bits of its values, one by one. */
function withEachFlip(id: string, table: string, look: (bit: string) => void): void {
  const bytes = readFileSync(path);
  const [from, to] = recordOf(id, table);
  const file = openSync(path, "r+");
  for (let at = from; at < to; at += 1) {
    for (let bit = 0; bit < 8; bit += 1) {
      writeSync(file, Buffer.of(bytes[at]! ^ (1 << bit)), 0, 1, at);
      look(`byte ${at - from}, bit ${bit}`);
    }
    writeSync(file, Buffer.of(bytes[at]!), 0, 1, at);
  }
  closeSync(file);
}

/** A view of the file as it is now; null when SQLite refuses it. */
function viewOf(): ControlView | null {
  try {
    const { hashSecret } = control.store;
    return new ControlView({ path, hashSecret } as ControlStore, { allowPrivate: false });
  } catch (error) {
    expect(String(error)).toMatch(/SQLiteError|malformed|corrupt/);
    return null;
  }
}

function isReported(): boolean {
  const db = openControlReader(path);
  try {
    const steps = scrubbingControl(db);
    for (;;) {
      const { done, value } = steps.next();
      if (done) return value.rows.length > 0 || value.file !== null;
    }
  } catch {
    return true;
  } finally {
    db.close();
  }
}

const CALLERS = [
  ["a revoked credential", () => [ids.revoked, revoked, "credential"] as const, false],
  ["an expired credential", () => [ids.expired, expired, "credential"] as const, false],
  ["a credential that will expire", () => [ids.narrow, narrow, "credential"] as const, true],
  ["an agent", () => [ids.agent, narrow, "agent"] as const, true],
] as const;

test.each(CALLERS)("no flipped bit of %s widens its rights", (_name, of, isGood) => {
  const [id, secret, table] = of();
  const before = viewOf()!;
  expect(refusalOf(before.credential(secret), NOW_MS) === null).toBe(isGood);
  before.stop();
  withEachFlip(id, table, (bit) => {
    const view = viewOf();
    const entry = view?.credential(secret);
    const isIn = refusalOf(entry, NOW_MS) === null;
    const isLateIn = entry && refusalOf(entry, NOW_MS + 2_000) === null;
    const isWider = isIn && (!isGood || entry!.authenticated.principal.scopes.size > 2);
    expect({ bit, isWider, isLateIn: isLateIn ?? false }).toEqual({
      ...{ bit, isWider: false, isLateIn: false },
    });
    if (entry === undefined)
      expect({ bit, reported: isReported() }).toEqual({ bit, reported: true });
    view?.stop();
  });
});

test("a flipped bit of a suspended issuer or of a revoked token reactivates neither", () => {
  withEachFlip(ids.issuer, "issuer", (bit) => {
    const view = viewOf();
    expect({ bit, status: view?.issuer(control.realm, ISS)?.status }).not.toEqual({
      ...{ bit, status: "active" },
    });
    view?.stop();
  });
  withEachFlip("jti-of-a-revoked-token", "revoked_token", (bit) => {
    const view = viewOf();
    const claims = { jti: "jti-of-a-revoked-token", iat: NOW_MS / 1_000 - 10 };
    expect({ bit, isRevoked: view?.isTokenRevoked(claims, NOW_MS) ?? true }).toEqual({
      ...{ bit, isRevoked: true },
    });
    const later = { jti: "another", iat: NOW_MS / 1_000 + 10 };
    expect(view?.isTokenRevoked(later, NOW_MS + 10_000) ?? false).toBeFalse();
    view?.stop();
  });
});

/** Damage that passes every constraint of the table. */
function damage(sql: string): ControlStore {
  const db = new Database(path);
  db.run(sql);
  db.close();
  return openControlStore(path, "pepper");
}

test("a damaged row is ignored, and every other row is unchanged", async () => {
  const store =
    damage(`UPDATE credential SET state = 'active' WHERE credential_id = '${ids.revoked}';
    UPDATE agent SET scopes = 'search quotes admin:*' WHERE agent_id = '${ids.agent}'`);
  const told: string[] = [];
  const view = new ControlView(store, { allowPrivate: false }, ({ id, problem }) => {
    told.push(`${id} ${problem}`);
  });
  const wrong = "wrong checksum";
  expect(told.sort()).toEqual([`${ids.agent} ${wrong}`, `${ids.revoked} ${wrong}`].sort());
  expect([revoked, narrow].map((secret) => view.credential(secret))).toEqual([
    ...[undefined, undefined],
  ]);
  expect(refusalOf(view.credential(whole), NOW_MS)).toBeNull();
  expect(agentById(store, ids.agent)).toBeNull();
  expect(findCredential(store, ids.agent, ids.revoked, NOW_MS)).toBeNull();
  // No change takes what is damaged for what was written.
  expect(changeAgent(store, ids.agent, { name: "Mended" })).toBe(false);
  expect(retireCredential(store, ids.revoked, NOW_MS)).toBe(false);
  expect(view.damaged).toHaveLength(2);
  const dropped = await dropDamaged(store, MASTERS, NOW_MS);
  expect(dropped.map(({ id }) => id).sort()).toEqual([ids.agent, ids.revoked].sort());
  view.refresh();
  expect(view.damaged).toEqual([]);
  expect(agentById(store, ids.agent)).toMatchObject({ state: "revoked", scopes: [] });
  expect(refusalOf(view.credential(narrow), NOW_MS)).not.toBeNull();
  view.stop();
  store.close();
});

test("a person damaged before the start is sound again once repaired, and known from then on", () => {
  const store = openControlStore(path, "pepper");
  const terms = { name: "Ada", email: null, scopes: ["search"], property_ids: null };
  const person = createPerson({ store, keys: MASTERS }, ids.agent, terms);
  store.db.run("UPDATE person SET scopes = 'search quotes'");
  const view = new ControlView(store, { allowPrivate: false });
  expect(view.damaged).toMatchObject([{ table: "person", id: person }]);
  expect(view.credentialById(person)).toBeUndefined();
  const other = damage("UPDATE person SET scopes = 'search'");
  view.refresh();
  expect(view.damaged).toEqual([]);
  expect(refusalOf(view.credentialById(person), NOW_MS)).toBeNull();
  view.stop();
  for (const each of [store, other]) each.close();
});

test("an unknown state is refused even if its checksum is right", () => {
  const store = openControlStore(path, "pepper");
  store.db.run("PRAGMA ignore_check_constraints = ON");
  store.db.run("UPDATE credential SET state = 'working'");
  for (const { credential_id } of store.db
    .query<{ credential_id: string }, []>("SELECT credential_id FROM credential")
    .all()) {
    const row = store.db.query("SELECT * FROM credential WHERE credential_id = ?");
    store.db
      .query("UPDATE credential SET check_sum = ? WHERE credential_id = ?")
      .run(checksumOf("credential", row.get(credential_id)!), credential_id);
  }
  const view = new ControlView(store, { allowPrivate: false });
  expect(view.credential(whole)).toBeUndefined();
  expect(view.damaged.map(({ problem }) => problem)).toContain("unknown state");
  view.stop();
  store.close();
});

test("the scrubber reports damage once and makes views deny the rows they hold in memory", async () => {
  const store = openControlStore(path, "pepper");
  const view = new ControlView(store, { allowPrivate: false });
  const logged: unknown[] = [];
  const scrubber = new ControlScrubber(store, (level, _message, fields) => {
    logged.push({ level, ...fields });
  });
  await scrubber.run();
  expect([scrubber.damage, logged]).toEqual([[], []]);
  const other = damage(`UPDATE agent SET scopes = 'admin:*' WHERE agent_id = '${ids.agent}'`);
  store.db.run(`DELETE FROM news WHERE id = '${ids.agent}'`);
  await scrubber.run();
  await scrubber.run();
  view.refresh();
  expect(scrubber.damage).toEqual(["control_row_damaged"]);
  expect(logged).toMatchObject([{ level: "error", table: "agent", id: ids.agent }]);
  expect(view.credential(narrow)).toBeUndefined();
  scrubber.stop();
  view.stop();
  for (const each of [store, other]) each.close();
});

test("a damaged endpoint receives nothing, and its deliveries wait", () => {
  const store = openControlStore(path, "pepper");
  const terms = {
    ...{ url: "https://a.example/", description: null, headers: {}, after_row: 7, kinds: null },
    ...{ property_ids: null, subjects: null, scopes: [], max_in_flight: 10, max_per_s: null },
    ...{ format: "json" as const, ota: null, ordering: "none" as const },
  };
  const { endpoint_id } = addEndpoint(store, MASTERS, control.realm, terms, NOW_MS);
  changeEndpoint(store, endpoint_id, { state: "active", reason: null });
  const logged: string[] = [];
  const parts = { store, masters: MASTERS, now: () => NOW_MS };
  const book = new ControlEndpoints({ ...parts, log: (_level, text) => void logged.push(text) });
  expect(book.all()).toMatchObject([{ state: "active" }]);
  const other = damage("UPDATE webhook_endpoint SET url = 'https://b.example/'");
  book.refresh();
  expect(book.all()).toMatchObject([{ endpoint_id, state: "paused", secrets: [] }]);
  expect(logged).toEqual(["the row of a webhook endpoint is damaged: its events wait"]);
  expect(listEndpoints(store, control.realm)).toEqual([]);
  book.stop();
  for (const each of [store, other]) each.close();
});

test("deleting the damaged row of a revoked token ends all access tokens", async () => {
  const store = damage("UPDATE revoked_token SET jti = 'another'");
  const kids = () =>
    store.db.query<{ kid: string }, []>(
      "SELECT kid FROM signing_key WHERE purpose = 'access_token'",
    );
  const before = kids().all();
  await dropDamaged(store, MASTERS, NOW_MS);
  const after = kids().all();
  expect(after).toHaveLength(1);
  expect(after).not.toEqual(before);
  store.close();
});

test("a damaged signing key neither signs nor verifies, and the next start creates another", async () => {
  const store = damage("UPDATE signing_key SET signs_from = signs_from - 1");
  await rotateSigningKey(store, MASTERS, "agent_card", { nowMs: NOW_MS });
  await ensureSigningKeys(store, MASTERS, NOW_MS);
  const view = new ControlView(store, { allowPrivate: false });
  expect(view.signingKeys.map(({ purpose }) => purpose as string).sort()).toEqual([
    ...["access_token", "agent_card"],
  ]);
  expect(view.damaged).toHaveLength(2);
  view.stop();
  store.close();
});
