/** Goal: an answer of an authenticator is taken only as it was signed, for this service. */
import { expect, test } from "bun:test";
import { createHash, generateKeyPairSync, sign } from "node:crypto";
import { assertedCounter, challengeIn, registeredKey, relyingPartyOf } from "./passkey.ts";

const PARTY = relyingPartyOf("https://inn.example/hotels");
const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "prime256v1" });
const SPKI = publicKey.export({ format: "der", type: "spki" }).toString("base64url");
const ID = Buffer.from("a passkey's id");

function clientData(change: object = {}): string {
  const challenge = Buffer.from("asked").toString("base64url");
  const said = { type: "webauthn.get", origin: "https://inn.example", challenge, ...change };
  return Buffer.from(JSON.stringify(said)).toString("base64url");
}

function dataOf(flags: number, counter: number, { party = "inn.example", more = "" } = {}): Buffer {
  const head = Buffer.alloc(5);
  head.writeUInt8(flags);
  head.writeUInt32BE(counter, 1);
  return Buffer.concat([
    createHash("sha256").update(party).digest(),
    head,
    Buffer.from(more, "hex"),
  ]);
}

function assertion(data: Buffer, client_data = clientData()) {
  const hash = createHash("sha256").update(Buffer.from(client_data, "base64url")).digest();
  const signature = sign("sha256", Buffer.concat([data, hash]), privateKey).toString("base64url");
  const authenticator_data = data.toString("base64url");
  return { id: ID.toString("base64url"), client_data, authenticator_data, signature };
}

test("a challenge is read only from an answer of this kind and origin", () => {
  expect(challengeIn(clientData(), "webauthn.get", PARTY)).toBe("asked");
  expect(challengeIn(clientData(), "webauthn.create", PARTY)).toBeNull();
  for (const change of [{ origin: "https://inn.example:8443" }, { crossOrigin: true }]) {
    expect(challengeIn(clientData(change), "webauthn.get", PARTY)).toBeNull();
  }
  expect(challengeIn("e30", "webauthn.get", PARTY)).toBeNull();
  expect(challengeIn("?", "webauthn.get", PARTY)).toBeNull();
});

test("an assertion needs the key, this host, a verified user and a counter that grows", () => {
  const key = { public_key: SPKI, counter: 7 };
  const counterOf = (data: Buffer, of = key) => assertedCounter(assertion(data), of, PARTY);
  expect(counterOf(dataOf(5, 8))).toBe(8);
  for (const counter of [0, 6, 7]) expect(counterOf(dataOf(5, counter))).toBeNull();
  expect(counterOf(dataOf(5, 0), { ...key, counter: 0 })).toBe(0);
  for (const flags of [0, 1, 4]) expect(counterOf(dataOf(flags, 8))).toBeNull();
  expect(counterOf(dataOf(5, 8, { party: "evil.example" }))).toBeNull();
  const other = generateKeyPairSync("ec", { namedCurve: "prime256v1" }).publicKey;
  const others = other.export({ format: "der", type: "spki" }).toString("base64url");
  expect(counterOf(dataOf(5, 8), { ...key, public_key: others })).toBeNull();
  const changed = { ...assertion(dataOf(5, 8)), client_data: clientData({ more: 1 }) };
  expect(assertedCounter(changed, key, PARTY)).toBeNull();
});

test("a new key is of a verified user, with the id that the authenticator says", () => {
  const length = ID.length.toString(16).padStart(4, "0");
  const more = `${"00".repeat(16)}${length}${ID.toString("hex")}`;
  const sent = (flags: number, change: object = {}) => ({
    ...{ id: ID.toString("base64url"), client_data: "", public_key: SPKI },
    ...{ authenticator_data: dataOf(flags, 3, { more }).toString("base64url"), ...change },
  });
  expect(registeredKey(sent(0x45), PARTY)).toMatchObject({ counter: 3, public_key: SPKI });
  for (const flags of [0x41, 0x44, 0x05]) expect(registeredKey(sent(flags), PARTY)).toBeNull();
  expect(registeredKey(sent(0x45, { id: "other" }), PARTY)).toBeNull();
  expect(registeredKey(sent(0x45, { public_key: "AAAA" }), PARTY)).toBeNull();
  const longer = generateKeyPairSync("ec", { namedCurve: "secp384r1" }).publicKey;
  const spki = longer.export({ format: "der", type: "spki" }).toString("base64url");
  expect(registeredKey(sent(0x45, { public_key: spki }), PARTY)).toBeNull();
});
