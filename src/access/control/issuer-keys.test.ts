/** Goal: key sets are fetched rarely, bounded and safely. Method: a real server, time as input. */
import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";
import { generateKeyPairSync } from "node:crypto";
import { exportJWK, generateKeyPair, type JWK } from "jose";
import { fetchJwks, IssuerKeys } from "./issuer-keys.ts";
import type { Issuer } from "./issuers.ts";

const NOW_MS = 1_800_000_000_000;
const MINUTE_MS = 60_000;
const ES = "ES256" as const;
const DEVELOPMENT = { allowPrivate: true };

let jwk: JWK;
let rotated: JWK;
let respond: () => Response | Promise<Response>;
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
    mode: "live",
    iss: "https://issuer.example",
    name: "Issuer",
    status: "active",
    allowed_audiences: [],
    allowed_algs: [ES],
    max_ttl_s: 600,
    clock_skew_s: 60,
    created_at: 0,
    version: 1,
    ...source,
  };
}

function remote() {
  const keys = new IssuerKeys(DEVELOPMENT);
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

test("an unknown kid causes a new fetch at most every 30 seconds", async () => {
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

test("the last key set of an unreachable issuer is used for an hour, then it is unavailable", async () => {
  const find = remote();
  await find("k1", NOW_MS);
  respond = () => new Response("down", { status: 500 });
  expect(await find("k1", NOW_MS + 60 * MINUTE_MS - 1)).toBe("key");
  expect(await find("k1", NOW_MS + 60 * MINUTE_MS)).toBe("unavailable");
  expect(fetches).toBe(2);
  respond = () => Response.json({ keys: [jwk] });
  expect(await find("k1", NOW_MS + 61 * MINUTE_MS)).toBe("key");
});

test("a key set that was never fetched is unavailable", async () => {
  respond = () => new Response("no", { status: 404 });
  expect(await remote()("k1", NOW_MS)).toBe("unavailable");
});

test("without a kid the only key of the algorithm is used; with several none is", async () => {
  expect(await remote()(null, NOW_MS)).toBe("key");
  respond = () => Response.json({ keys: [jwk, rotated] });
  expect(await remote()(null, NOW_MS)).toBeNull();
});

test("unusable keys are left out and the others still work", async () => {
  const keys = [{ kty: "oct", k: "AAAA", kid: "k1" }, { ...jwk, kid: "k3", key_ops: 7 }, {}, jwk];
  respond = () => Response.json({ keys });
  const find = remote();
  expect(await find("k1", NOW_MS)).toBe("key");
  expect(await find("k3", NOW_MS)).toBeNull();
});

test("a static set needs no network", async () => {
  const keys = new IssuerKeys({ allowPrivate: false });
  const issuer = issuerWith({ jwks_url: null, jwks: { keys: [jwk] } });
  expect(await keys.find(issuer, { alg: ES, kid: "k1" }, NOW_MS)).not.toBeNull();
  expect(await keys.find(issuer, { alg: ES, kid: "k9" }, NOW_MS + 1e9)).toBeNull();
  expect(fetches).toBe(0);
});

/** Verification keys that a static set yields, by `kid`. */
async function usable(jwks: readonly object[]): Promise<string[]> {
  const keys = new IssuerKeys({ allowPrivate: false });
  const issuer = issuerWith({ jwks_url: null, jwks: { keys: jwks as JWK[] } });
  const kids: string[] = [];
  for (const { kid } of jwks as JWK[]) {
    for (const alg of ["ES256", "RS256"] as const) {
      const key = await keys.find(issuer, { alg, kid: kid! }, NOW_MS);
      if (key !== null) kids.push(`${kid} ${alg}`);
    }
  }
  return kids;
}

test("only public signature keys of the two algorithms and of full strength are taken", async () => {
  const extractable = { extractable: true };
  const rsa = await generateKeyPair("RS256", extractable);
  const weak = generateKeyPairSync("rsa", { modulusLength: 1024 });
  const p384 = await generateKeyPair("ES384", extractable);
  const es = jwk;
  const rs = { ...(await exportJWK(rsa.publicKey)), kid: "rs" };
  const good = [
    { ...es, kid: "es", use: "sig" },
    { ...rs, key_ops: ["verify"] },
  ];
  const bad = [
    { ...es, kid: "enc", use: "enc" },
    { ...es, kid: "ops", key_ops: ["deriveKey"] },
    { ...es, kid: "no ops", key_ops: [] },
    { ...es, kid: "ops as text", key_ops: "verify" },
    { ...es, kid: "alg", alg: "ES384" },
    { ...es, kid: "curve", crv: "P-384" },
    { ...es, kid: "off the curve", y: es.x },
    { ...rs, kid: "alg", alg: "PS256" },
    { ...rs, kid: "RSA-OAEP", alg: "RSA-OAEP-256" },
    { ...(await exportJWK(p384.publicKey)), kid: "P-384" },
    { ...weak.publicKey.export({ format: "jwk" }), kid: "1024 bits" },
    { ...(await exportJWK(rsa.privateKey)), kid: "private RSA" },
    { ...es, kid: "private EC", d: es.x },
    { kty: "oct", k: "AAAA", alg: "HS256", kid: "secret" },
    { ...es, kid: "secret of EC", k: "AAAA" },
  ];
  expect(await usable([...good, ...bad])).toEqual(["es ES256", "rs RS256"]);
});

test("two keys with one kid verify nothing", async () => {
  expect(await usable([jwk, { ...rotated, kid: jwk.kid }])).toEqual([]);
});

test("forged kids do not cause repeated fetches from a slow issuer", async () => {
  const find = remote();
  await find("k1", NOW_MS);
  respond = async () => {
    await Bun.sleep(30);
    return Response.json({ keys: [jwk] });
  };
  for (let s = 1; s <= 60; s++) {
    const nowMs = NOW_MS + s * 1000;
    const forged = Array.from({ length: 20 }, (_, i) => find(`forged-${s}-${i}`, nowMs));
    expect(await find("k1", nowMs)).toBe("key");
    expect(new Set(await Promise.all(forged))).toEqual(new Set([null]));
  }
  expect(fetches).toBe(3);
});

test("an issuer that is down is fetched every ten seconds, whatever kids the tokens name", async () => {
  const find = remote();
  respond = () => new Response("down", { status: 500 });
  for (let s = 0; s < 60; s++) {
    const tokens = Array.from({ length: 20 }, (_, i) => find(`kid-${i}`, NOW_MS + s * 1000));
    expect(new Set(await Promise.all(tokens))).toEqual(new Set(["unavailable"]));
  }
  expect(fetches).toBe(6);
});

test("a forbidden host is never called", async () => {
  const refused = [address, "http://example.com/jwks", "file:///etc/hostname", "https://127.0.0.1"];
  for (const each of refused) expect(await fetchJwks(each, { allowPrivate: false })).toBeNull();
  const resolve = async () => ["127.0.0.1"];
  const named = `https://keys.example.com:${server.port}/`;
  expect(await fetchJwks(named, { allowPrivate: false, resolve })).toBeNull();
  expect(fetches).toBe(0);
});

test("redirects, large bodies and other documents are refused", async () => {
  expect(await fetchJwks(address.replace("jwks", "redirect"), DEVELOPMENT)).toBeNull();
  expect(fetches).toBe(0);
  respond = () => new Response(`{"keys":[]}${" ".repeat(64 * 1024)}`);
  expect(await fetchJwks(address, DEVELOPMENT)).toBeNull();
  respond = () => new Response("{");
  expect(await fetchJwks(address, DEVELOPMENT)).toBeNull();
  for (const body of [null, [], { keys: {} }, { keys: ["x"] }, { keys: Array(101).fill({}) }]) {
    respond = () => Response.json(body);
    expect(await fetchJwks(address, DEVELOPMENT)).toBeNull();
  }
  respond = () => Response.json({ keys: [], other: 1 });
  expect(await fetchJwks(address, DEVELOPMENT)).toMatchObject({ keys: [] });
});
