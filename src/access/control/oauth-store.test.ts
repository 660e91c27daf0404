/** Goal: grants, codes and tokens end in time, and the file holds no secret in clear. */
import { Database } from "bun:sqlite";
import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  CONNECTED_TTL_MS,
  type NewClient,
  UNCONNECTED_MAX,
  UNCONNECTED_TTL_MS,
} from "./oauth-clients.ts";
import { CODE_TTL_MS, type Granted, REFRESH_GRACE_MS, REFRESH_IDLE_MS } from "./oauth-grants.ts";
import { REQUEST_TTL_MS, REQUESTS_MAX } from "./oauth-requests.ts";
import { OauthStore } from "./oauth-store.ts";

const NOW = 1_800_000_000_000;
const PUBLIC: NewClient = {
  ...{ name: "Tripmate", redirect_uris: ["https://a.example/cb"], auth_method: "none" },
};
const CONFIDENTIAL: NewClient = { ...PUBLIC, auth_method: "client_secret_basic" };
const GRANTED: Granted = {
  ...{ tenant_id: "ten_1", mode: "live", agent_id: "agt_1", credential_id: "crd_1" },
  scopes: ["search", "quotes"],
};

let directory: string;
let store: OauthStore;

beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), "innkeep-oauth-"));
  store = new OauthStore(directory, (text) => `hash of ${text.length} ${Bun.hash(text)}`);
});
afterAll(() => {
  store.close();
  rmSync(directory, { recursive: true });
});

function newRequest(atMs = NOW) {
  const { client_id } = store.clients.add(PUBLIC, atMs);
  const at = { client_id, redirect_uri: "https://a.example/cb", code_challenge: "challenge" };
  const more = { audience: "https://x.example/mcp", scopes: ["search"], state: "s" };
  return store.requests.find(store.requests.add({ ...at, ...more }, atMs), atMs)!;
}

function newTokens(atMs = NOW) {
  const code = store.grants.open(newRequest(atMs), GRANTED, atMs)!;
  const grant = store.grants.byCode(code)!;
  return { code, grant, token: store.grants.redeem(grant, atMs)! };
}

const kindOf = (token: string, atMs: number) => store.grants.byRefreshToken(token, atMs)?.is;

test("a confidential client has one secret, a public one none", () => {
  const [open, closed] = [store.clients.add(PUBLIC, NOW), store.clients.add(CONFIDENTIAL, NOW)];
  expect(open.secret).toBeNull();
  const { clients } = store;
  expect(clients.hasSecret(open.client_id, null)).toBeTrue();
  expect(clients.hasSecret(open.client_id, "anything")).toBeFalse();
  expect(clients.hasSecret(closed.client_id, closed.secret)).toBeTrue();
  for (const wrong of [null, "", "wrong", `${closed.secret}x`]) {
    expect(clients.hasSecret(closed.client_id, wrong)).toBeFalse();
  }
  expect(clients.hasSecret("cli_unknown", null)).toBeFalse();
  expect(clients.find(open.client_id)).toMatchObject(PUBLIC);
});

test("a client that no operator let in is forgotten after a week, others after a year", () => {
  const [unused, used, connected] = [1, 2, 3].map(() => store.clients.add(PUBLIC, NOW).client_id);
  store.clients.noteUse(used!, NOW + UNCONNECTED_TTL_MS - 1);
  store.clients.noteConnected(connected!, NOW);
  const known = (atMs: number) => {
    store.clients.forget(atMs);
    return [unused, used, connected].map((id) => store.clients.find(id!) !== null);
  };
  expect(known(NOW + UNCONNECTED_TTL_MS - 1)).toEqual([true, true, true]);
  expect(known(NOW + UNCONNECTED_TTL_MS)).toEqual([false, true, true]);
  expect(known(NOW + CONNECTED_TTL_MS - 1)).toEqual([false, false, true]);
  expect(known(NOW + CONNECTED_TTL_MS)).toEqual([false, false, false]);
});

test("registrations are bounded: the longest unused one goes, never a connected one", () => {
  const path = mkdtempSync(join(directory, "many-"));
  const many = new OauthStore(path, (text) => text);
  const connected = many.clients.add(PUBLIC, NOW).client_id;
  many.clients.noteConnected(connected, NOW);
  const first = many.clients.add(PUBLIC, NOW).client_id;
  const second = many.clients.add(PUBLIC, NOW + 1).client_id;
  const db = new Database(join(path, "oauth.db"));
  const fill = `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n
      WHERE i < ${UNCONNECTED_MAX - 2})
    INSERT INTO client SELECT 'cli_' || i, NULL, 'none', 'x', '[]', ${NOW + 2}, ${NOW + 2}, NULL
    FROM n`;
  db.run(fill);
  const known = () => [connected, first, second].map((id) => many.clients.find(id) !== null);
  expect(known()).toEqual([true, true, true]);
  many.clients.add(PUBLIC, NOW + 3);
  expect(known()).toEqual([true, false, true]);
  const requests = `INSERT INTO request SELECT client_id, client_id, 'x', 'x', 'x', 'x', NULL,
    ${NOW}, NULL FROM client WHERE connected_at IS NULL LIMIT ${REQUESTS_MAX}`;
  db.run(requests);
  const of = { client_id: first, redirect_uri: "x", code_challenge: "x", audience: "x" };
  const request = many.requests.add({ ...of, scopes: [], state: null }, NOW + 1);
  expect(many.requests.find(request, NOW + 1)).not.toBeNull();
  expect(db.query("SELECT count(*) AS n FROM request").get()).toEqual({ n: REQUESTS_MAX });
  db.close();
  many.close();
});

test("a request is answered in ten minutes, and once", () => {
  const { request_id } = newRequest();
  expect(store.requests.find(request_id, NOW + REQUEST_TTL_MS - 1)).toMatchObject({ state: "s" });
  expect(store.requests.find(request_id, NOW + REQUEST_TTL_MS)).toBeNull();
  expect([store.requests.end(request_id), store.requests.end(request_id)]).toEqual([true, false]);
  expect(store.requests.find(request_id, NOW)).toBeNull();
});

test("a code is used once, and ends the request", () => {
  const request = newRequest();
  const code = store.grants.open(request, GRANTED, NOW)!;
  const grant = store.grants.byCode(code)!;
  expect(grant).toMatchObject({ ...GRANTED, scopes: [...GRANTED.scopes], redeemed_at: null });
  expect(store.grants.byCode(`${code}x`)).toBeNull();
  expect(store.grants.redeem(grant, NOW)).not.toBeNull();
  expect(store.grants.redeem(grant, NOW)).toBeNull();
  // The code stays known, so that its second use is noticed.
  expect(store.grants.byCode(code)?.redeemed_at).toBe(NOW);
  expect(store.requests.find(request.request_id, NOW)).toBeNull();
  expect(store.grants.open(request, GRANTED, NOW)).toBeNull();
});

test("a second decision replaces a code that was not used", () => {
  const request = newRequest();
  const first = store.grants.open(request, GRANTED, NOW)!;
  const second = store.grants.open(request, GRANTED, NOW)!;
  expect(store.grants.byCode(first)).toBeNull();
  expect(store.grants.byCode(second)).not.toBeNull();
});

test("a code that was not used is forgotten after a minute", () => {
  const code = store.grants.open(newRequest(), GRANTED, NOW)!;
  store.grants.forget(NOW + CODE_TTL_MS - 1);
  expect(store.grants.byCode(code)).not.toBeNull();
  store.grants.forget(NOW + CODE_TTL_MS);
  expect(store.grants.byCode(code)).toBeNull();
});

test("each refresh token is replaced by the next; any older one is recognized", () => {
  const { grant, token } = newTokens();
  const second = store.grants.rotate(grant, token, NOW + 1)!;
  const third = store.grants.rotate(grant, second, NOW + 2)!;
  expect([token, second, third].map((each) => kindOf(each, NOW + 2))).toEqual([
    ...(["old", "lost", "current"] as const),
  ]);
  expect(store.grants.rotate(grant, token, NOW + 2)).toBeNull();
  const [family] = third.split(".");
  expect(kindOf(`${family}.invented`, NOW)).toBe("old");
  expect(kindOf(`invented.${third.split(".")[1]}`, NOW)).toBeUndefined();
});

test("the last token may come again for half a minute after its first use, not longer", () => {
  const { grant, token } = newTokens();
  const lost = store.grants.rotate(grant, token, NOW)!;
  const endMs = NOW + REFRESH_GRACE_MS;
  const next = store.grants.rotate(grant, token, endMs - 1)!;
  expect([kindOf(lost, endMs - 1), kindOf(next, endMs - 1)]).toEqual(["old", "current"]);
  expect(kindOf(token, endMs - 1)).toBe("lost");
  // Counted from its first use, however often it came.
  expect(kindOf(token, endMs)).toBe("old");
  expect(store.grants.rotate(grant, token, endMs)).toBeNull();
});

test("a grant ends after thirty days without a refresh", () => {
  const { token, code } = newTokens();
  const endMs = NOW + REFRESH_IDLE_MS;
  expect(kindOf(token, endMs - 1)).toBe("current");
  expect(kindOf(token, endMs)).toBeUndefined();
  store.grants.forget(endMs - 1);
  expect(store.grants.byCode(code)).not.toBeNull();
  store.grants.forget(endMs);
  expect(store.grants.byCode(code)).toBeNull();
});

test("an ended grant has no code and no token, and others are as before", () => {
  const [one, other] = [newTokens(), newTokens()];
  store.grants.end(one.grant.grant_id);
  expect([kindOf(one.token, NOW), kindOf(other.token, NOW)]).toEqual([undefined, "current"]);
  expect(store.grants.byCode(one.code)).toBeNull();
  expect(store.grants.ofCredential("agt_1", "crd_1")).not.toBeNull();
  expect(store.grants.ofCredential("agt_1", "crd_2")).toBeNull();
});

test("the file has neither secrets nor codes nor tokens", () => {
  const { secret } = store.clients.add(CONFIDENTIAL, NOW);
  const { code, token } = newTokens();
  const db = new Database(join(directory, "oauth.db"));
  const rows = ["client", "request", "oauth_grant"].flatMap((table) =>
    db.query(`SELECT * FROM ${table}`).all(),
  );
  db.close();
  const text = JSON.stringify(rows);
  for (const known of [secret!, code, token, ...token.split(".")]) {
    expect(text).not.toContain(known);
  }
});
