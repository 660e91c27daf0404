/** Goal: the store holds no secret, and the file itself enforces unique and terminal values. */
import { afterAll, expect, test } from "bun:test";
import { createHash, randomBytes } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { StartRefused } from "../../lib/lifecycle.ts";
import { KeyVersions } from "../privacy/key-versions.ts";
import { changeAgent, createAgent } from "./agents.ts";
import { issueCredential, revokeCredential } from "./credentials.ts";
import { addIssuer, changeIssuer, findIssuer, issuerByName, listIssuers } from "./issuers.ts";
import { createPerson } from "./people.ts";
import { type ControlStore, openControlStore } from "./store.ts";
import { createTenant, hasFlag, hasTenants, setFlag } from "./tenants.ts";
import { openTestControl } from "./test-control.ts";

const control = openTestControl();
const { store, tenantId, realm } = control;
afterAll(control.close);

const issuer = {
  iss: "https://issuer.example",
  name: "Issuer",
  allowed_audiences: ["https://innkeep.example"],
  jwks: { keys: [] },
};

test("the database runs in WAL mode with full synchronisation", () => {
  expect(store.db.query("PRAGMA journal_mode").get()).toEqual({ journal_mode: "wal" });
  expect(store.db.query("PRAGMA synchronous").get()).toEqual({ synchronous: 2 });
});

test("no file of the store contains a secret", () => {
  const agentId = createAgent(store, tenantId, { name: "a", kind: "agent", mode: "live" });
  const { secret } = issueCredential(store, agentId);
  for (const suffix of ["", "-wal"]) {
    expect(readFileSync(store.path + suffix).includes(secret.slice(8, 40))).toBe(false);
  }
});

test("a secret's hash covers pepper and secret, as all stored hashes do", () => {
  const own = openControlStore(store.path, "pepper");
  const stored = createHash("sha256").update("pepper.ik_test_secret").digest("base64url");
  expect(own.hashSecret("ik_test_secret")).toBe(stored);
  own.close();
});

test("an agent of an unknown tenant and a credential of an unknown agent are refused", () => {
  const agent = { name: "a", kind: "agent", mode: "live" } as const;
  expect(() => createAgent(store, Bun.randomUUIDv7(), agent)).toThrow("FOREIGN KEY");
  expect(() => issueCredential(store, "agt_unknown")).toThrow("unknown agent");
});

test("revocation is terminal for agents, credentials and issuers", () => {
  const agentId = createAgent(store, tenantId, { name: "a", kind: "agent", mode: "live" });
  const { credential_id } = issueCredential(store, agentId);
  const issuerId = addIssuer(store, realm, { ...issuer, iss: "https://revoked.example" }) ?? "";
  expect(revokeCredential(store, credential_id)).toBe(true);
  expect(revokeCredential(store, credential_id)).toBe(false);
  expect(changeAgent(store, agentId, { state: "revoked" })).toBe(true);
  expect(changeAgent(store, agentId, { state: "active" })).toBe(false);
  expect(changeIssuer(store, issuerId, { status: "revoked" })).toBe(true);
  expect(changeIssuer(store, issuerId, { status: "active" })).toBe(false);
});

test("an iss is registered once per tenant and mode, and again only after revocation", () => {
  const other = { tenant_id: createTenant(store, "Other"), mode: "live" } as const;
  const inTest = { tenant_id: tenantId, mode: "test" } as const;
  const first = addIssuer(store, realm, issuer) ?? "";
  expect(first).toStartWith("iss_");
  for (const status of ["active", "suspended"] as const) {
    changeIssuer(store, first, { status });
    expect(addIssuer(store, realm, issuer)).toBeNull();
  }
  expect(addIssuer(store, other, issuer)).toStartWith("iss_");
  const testId = addIssuer(store, inTest, issuer) ?? "";
  const terms = { ...issuer, status: "active", jwks_url: null, max_ttl_s: 600, clock_skew_s: 60 };
  expect(listIssuers(store, inTest)).toMatchObject([{ ...terms, issuer_id: testId } as never]);
  expect(listIssuers(store, other)).toMatchObject([terms as never]);
  expect([findIssuer(store, realm, testId), findIssuer(store, inTest, first)]).toEqual([
    ...[null, null],
  ]);
  changeIssuer(store, first, { status: "revoked" });
  expect(issuerByName(store, realm, issuer.iss)).toBeNull();
  const again = addIssuer(store, realm, issuer) ?? "";
  expect([first, testId]).not.toContain(again);
  expect(issuerByName(store, realm, issuer.iss)?.issuer_id).toBe(again);
  expect(issuerByName(store, inTest, issuer.iss)?.issuer_id).toBe(testId);
});

test("a write that throws changes nothing", () => {
  expect(() =>
    store.write(() => {
      setFlag(store, "half");
      throw new Error("stop");
    }),
  ).toThrow("stop");
  expect(hasFlag(store, "half")).toBe(false);
});

test("a second connection sees the writes of the first", () => {
  setFlag(store, "seen");
  const second = openControlStore(store.path, "pepper");
  expect(hasFlag(second, "seen")).toBe(true);
  expect(hasTenants(second)).toBe(true);
  second.close();
});

test("a file of format 1 keeps the numbers of its news, and people are news from then on", () => {
  const path = `${store.path}.format-1`;
  const news = ({ db }: ControlStore) =>
    db.query<{ nth: number; kind: string }, []>("SELECT nth, kind FROM news ORDER BY nth").all();
  const old = openControlStore(path, "pepper");
  const terms = { name: "Desk", kind: "operator", mode: "live", scopes: ["search"] } as const;
  const agent = createAgent(old, createTenant(old, "Hotels"), terms);
  changeAgent(old, agent, { name: "Front desk" });
  const named = old.db.query<{ sql: string }, []>(
    "SELECT sql FROM sqlite_schema WHERE name = 'news'",
  );
  const { sql } = named.get()!;
  old.db.run(`DROP TABLE passkey; DROP TABLE person; ALTER TABLE notice DROP COLUMN person_id;
    ALTER TABLE agent DROP COLUMN return_origins; ALTER TABLE agent DROP COLUMN sells_directly;
    DROP TABLE news; ${sql.replace(", 'person'", "")};
    INSERT INTO news VALUES (7, '${agent}', 'agent'); PRAGMA user_version = 1`);
  old.close();
  const upgraded = openControlStore(path, "pepper");
  expect(news(upgraded)).toEqual([{ nth: 7, kind: "agent" }]);
  const keys = new KeyVersions([{ kid: "one", key: Buffer.alloc(32, 5), from_ms: 0 }]);
  const person = { name: "Ada", email: null, scopes: ["search"], property_ids: null };
  createPerson({ store: upgraded, keys }, agent, person);
  expect(news(upgraded).at(-1)).toEqual({ nth: 9, kind: "person" });
  upgraded.close();
});

test("a file of another format, or one that is not a database, refuses the start", () => {
  const refusal = (path: string) => {
    try {
      openControlStore(path, "pepper").close();
    } catch (error) {
      if (error instanceof StartRefused) return error.message;
    }
    return null;
  };
  const { user_version } = store.db.query("PRAGMA user_version").get() as { user_version: number };
  store.db.run("PRAGMA user_version = 99");
  expect(refusal(store.path)).toContain("format 99, this version reads format 2");
  store.db.run(`PRAGMA user_version = ${user_version}`);
  expect(refusal(store.path)).toBeNull();
  const damaged = `${store.path}.damaged`;
  writeFileSync(damaged, randomBytes(8_192));
  expect(refusal(damaged)).toContain(`${damaged} is damaged`);
});
