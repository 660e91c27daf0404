/** Goal: key sets are fetched rarely, bounded and safely. Method: a real server, time as input. */
import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";
import { exportJWK, generateKeyPair, type JWK } from "jose";
import { IssuerKeys } from "./issuer-keys.ts";
import type { Issuer } from "./issuers.ts";
import { fetchJwks } from "./jwks-fetch.ts";

const NOW_MS = 1_800_000_000_000;
const MINUTE_MS = 60_000;
const ES = "ES256" as const;

let jwk: JWK;
let rotated: JWK;
let respond: () => Response;
let fetches = 0;
const server = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  fetch(request) {
    if (new URL(request.url).pathname === "/redirect") return Response.redirect("/jwks");
    fetches += 1;
    return respond();
  },
});
const address = `http://127.0.0.1:${server.port}/jwks`;
afterAll(() => server.stop(true));

async function newJwk(kid: string): Promise<JWK> {
  const { publicKey } = await generateKeyPair(ES, { extractable: true });
  return { ...(await exportJWK(publicKey)), kid, alg: ES };
}

beforeAll(async () => {
  [jwk, rotated] = await Promise.all([newJwk("k1"), newJwk("k2")]);
});
beforeEach(() => {
  fetches = 0;
  respond = () => Response.json({ keys: [jwk] });
});

function issuerWith(source: Pick<Issuer, "jwks_url" | "jwks">): Issuer {
  return {
    issuer_id: "iss_1",
    tenant_id: "t",
    iss: "https://issuer.example",
    name: "Issuer",
    status: "active",
    allowed_audiences: [],
    allowed_algs: [ES],
    max_ttl_s: 600,
    clock_skew_s: 60,
    created_at: 0,
    ...source,
  };
}

function remote() {
  const keys = new IssuerKeys(true);
  const issuer = issuerWith({ jwks_url: address, jwks: null });
  return async (kid: string | null, nowMs: number) => {
    const key = await keys.find(issuer, { alg: ES, kid }, nowMs);
    return key === null || key === "unavailable" ? key : "key";
  };
}

test("a key set is fetched once for concurrent tokens and kept for five minutes", async () => {
  const find = remote();
  const answers = await Promise.all([1, 2, 3].map(() => find("k1", NOW_MS)));
  expect(answers).toEqual(["key", "key", "key"]);
  expect(await find("k1", NOW_MS + 5 * MINUTE_MS - 1)).toBe("key");
  expect(fetches).toBe(1);
  expect(await find("k1", NOW_MS + 5 * MINUTE_MS)).toBe("key");
  expect(fetches).toBe(2);
});

test("an unknown kid fetches again at most every 30 seconds", async () => {
  const find = remote();
  await find("k1", NOW_MS);
  expect(await find("k2", NOW_MS + 1000)).toBeNull();
  respond = () => Response.json({ keys: [jwk, rotated] });
  expect(await find("k2", NOW_MS + 30_999)).toBeNull();
  expect(fetches).toBe(2);
  expect(await find("k2", NOW_MS + 31_000)).toBe("key");
  expect(fetches).toBe(3);
});

test("a rotated key is found by every token that waits for the refetch", async () => {
  const find = remote();
  await find("k1", NOW_MS);
  respond = () => Response.json({ keys: [rotated] });
  const answers = await Promise.all([find("k2", NOW_MS + 1), find("k2", NOW_MS + 1)]);
  expect(answers).toEqual(["key", "key"]);
  expect(fetches).toBe(2);
  expect(await find("k1", NOW_MS + 2)).toBeNull();
});

test("an unreachable issuer lives on its last copy for an hour, then is unavailable", async () => {
  const find = remote();
  await find("k1", NOW_MS);
  respond = () => new Response("down", { status: 500 });
  expect(await find("k1", NOW_MS + 60 * MINUTE_MS - 1)).toBe("key");
  expect(await find("k1", NOW_MS + 60 * MINUTE_MS)).toBe("unavailable");
  expect(fetches).toBe(2);
  respond = () => Response.json({ keys: [jwk] });
  expect(await find("k1", NOW_MS + 61 * MINUTE_MS)).toBe("key");
});

test("a set that was never had is unavailable", async () => {
  respond = () => new Response("no", { status: 404 });
  expect(await remote()("k1", NOW_MS)).toBe("unavailable");
});

test("without a kid the one key of the algorithm is taken, of several none", async () => {
  expect(await remote()(null, NOW_MS)).toBe("key");
  respond = () => Response.json({ keys: [jwk, rotated] });
  expect(await remote()(null, NOW_MS)).toBeNull();
});

test("keys that cannot be used are left out and the others still work", async () => {
  const keys = [{ kty: "oct", k: "AAAA", kid: "k1" }, { ...jwk, kid: "k3", key_ops: 7 }, {}, jwk];
  respond = () => Response.json({ keys });
  const find = remote();
  expect(await find("k1", NOW_MS)).toBe("key");
  expect(await find("k3", NOW_MS)).toBeNull();
});

test("a static set needs no network", async () => {
  const keys = new IssuerKeys(false);
  const issuer = issuerWith({ jwks_url: null, jwks: { keys: [jwk] } });
  expect(await keys.find(issuer, { alg: ES, kid: "k1" }, NOW_MS)).not.toBeNull();
  expect(await keys.find(issuer, { alg: ES, kid: "k9" }, NOW_MS + 1e9)).toBeNull();
  expect(fetches).toBe(0);
});

test("plain http is refused unless allowed, and then only on loopback", async () => {
  await expect(fetchJwks(address, false)).rejects.toThrow("https");
  await expect(fetchJwks("http://example.com/jwks", true)).rejects.toThrow("https");
  await expect(fetchJwks("file:///etc/hostname", true)).rejects.toThrow("https");
  expect(fetches).toBe(0);
});

test("redirects, large bodies and other documents are refused", async () => {
  await expect(fetchJwks(address.replace("jwks", "redirect"), true)).rejects.toThrow();
  expect(fetches).toBe(0);
  respond = () => new Response(" ".repeat(65 * 1024));
  await expect(fetchJwks(address, true)).rejects.toThrow("larger");
  for (const body of [[], { keys: {} }, { keys: ["x"] }, { keys: Array(101).fill({}) }]) {
    respond = () => Response.json(body);
    await expect(fetchJwks(address, true)).rejects.toThrow("not a key set");
  }
});
