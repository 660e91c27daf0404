import { expect, test } from "bun:test";
import { generateKeyPairSync } from "node:crypto";
import { exportJWK, exportPKCS8, generateKeyPair, jwtVerify } from "jose";
import { mintDelegation, type PrivateKey } from "./index.ts";

const TERMS = { issuer: "https://agent.example", subject: "traveler-1", audience: "innkeep" };

for (const algorithm of ["ES256", "RS256"] as const) {
  test(`a token of a key for ${algorithm} verifies, in whatever form the key is`, async () => {
    const pair = await generateKeyPair(algorithm, { extractable: true });
    const jwk = { ...(await exportJWK(pair.privateKey)), kid: "k1", use: "sig" };
    const pem = await exportPKCS8(pair.privateKey);
    const keys: PrivateKey[] = [jwk as PrivateKey, pem, pair.privateKey as CryptoKey];
    for (const privateKey of keys) {
      const options = { ...TERMS, privateKey, keyId: "k1", holdId: "hld_1", maxAmountMinor: 5 };
      const token = await mintDelegation(options);
      const { issuer, audience } = TERMS;
      const { payload, protectedHeader } = await jwtVerify(token, pair.publicKey, {
        ...{ issuer, audience, algorithms: [algorithm] },
      });
      expect(protectedHeader).toEqual({ alg: algorithm, typ: "JWT", kid: "k1" });
      expect(payload).toMatchObject({ sub: "traveler-1", hold_id: "hld_1", max_amount: 5 });
      expect(payload.exp! - payload.iat!).toBe(300);
    }
  });
}

test("another key is refused with the expected kind", async () => {
  const ec = generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey;
  const p384 = generateKeyPairSync("ec", { namedCurve: "P-384" }).privateKey;
  const { d: _, ...publicJwk } = ec.export({ format: "jwk" });
  const keys = {
    sec1: ec.export({ type: "sec1", format: "pem" }),
    public: publicJwk,
    "P-384": p384.export({ format: "jwk" }),
    Ed25519: generateKeyPairSync("ed25519").privateKey.export({ format: "jwk" }),
    KeyObject: ec,
    text: JSON.stringify(ec.export({ format: "jwk" })),
  };
  for (const [name, key] of Object.entries(keys)) {
    const minting = mintDelegation({ ...TERMS, privateKey: key as PrivateKey });
    const fault = await minting.then(
      () => "none",
      (error: Error) => error.message,
    );
    expect({ name, fault }).toEqual({ name, fault: expect.stringContaining("privateKey must") });
  }
});

test("every token has its own id, and a JSON Web Key's id is used", async () => {
  const { privateKey: own } = await generateKeyPair("ES256", { extractable: true });
  const privateKey = { ...(await exportJWK(own)), kid: "k7" } as PrivateKey;
  const mint = () => mintDelegation({ ...TERMS, privateKey });
  const [one, other] = await Promise.all([mint(), mint()]);
  expect(one).not.toBe(other);
  expect(JSON.parse(atob(one.split(".")[0]!))).toMatchObject({ kid: "k7" });
});
