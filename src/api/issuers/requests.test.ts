import { expect, test } from "bun:test";
import { compile } from "../../http/validate.ts";
import { IssuerBody, NewIssuer, sourceProblems } from "./requests.ts";

const checkIssuer = compile(IssuerBody);

const jwk = { kty: "EC", crv: "P-256", x: "A", y: "A" } as const;
const IN_PRODUCTION = { isRequired: true, allowPrivate: false };
const IN_DEVELOPMENT = { isRequired: true, allowPrivate: true };
const paths = (faults: readonly { readonly path: string }[]) => faults.map(({ path }) => path);

test("a key set contains only public members of keys that can verify", () => {
  const faults = (key: object) =>
    paths(checkIssuer({ iss: "https://a.example", name: "A", jwks: { keys: [key] } }));
  expect(faults(jwk)).toEqual([]);
  for (const member of ["d", "p", "q", "dp", "dq", "qi", "oth", "k"]) {
    expect(faults({ ...jwk, [member]: "A" })).toEqual([`/jwks/keys/0/${member}`]);
  }
  expect(faults({ ...jwk, kty: "oct" })).toEqual(["/jwks/keys/0/kty"]);
});

test("a key has every member that its type requires", () => {
  const faults = (key: Parameters<typeof sourceProblems>[0]["jwks"]) =>
    paths(sourceProblems({ jwks: key }, IN_PRODUCTION));
  expect(faults({ keys: [jwk, { kty: "RSA", n: "A", e: "AQAB" }] })).toEqual([]);
  expect(faults({ keys: [{ kty: "EC" }, { kty: "RSA" }] })).toEqual([
    ...["/jwks/keys/0/crv", "/jwks/keys/0/x", "/jwks/keys/0/y"],
    ...["/jwks/keys/1/n", "/jwks/keys/1/e"],
  ]);
});

test("keys have one source, which a change need not name", () => {
  const both = { jwks_url: "https://a.example/", jwks: { keys: [jwk] } };
  expect(paths(sourceProblems(both, IN_PRODUCTION))).toEqual(["/jwks_url"]);
  expect(paths(sourceProblems({}, IN_PRODUCTION))).toEqual(["/jwks_url"]);
  expect(sourceProblems({}, { ...IN_PRODUCTION, isRequired: false })).toEqual([]);
});

test("a missing key source is reported beside other faults of an issuer", () => {
  const reading = NewIssuer.read({ name: "Ours", surprise: 1 }, 0);
  const errors = reading.ok ? [] : reading.errors;
  expect(paths(errors).sort()).toEqual(["/iss", "/jwks_url", "/surprise"]);
});

test("key sets are fetched over https from public hosts; in development also from loopback", () => {
  const isFine = (jwks_url: string, rules: typeof IN_PRODUCTION) =>
    sourceProblems({ jwks_url }, rules).length === 0;
  expect(isFine("https://keys.example.com/jwks?v=1", IN_PRODUCTION)).toBeTrue();
  for (const address of [
    ...["https://127.0.0.1/", "https://localhost/", "https://[::1]/", "https://10.0.0.1/"],
    ...["https://169.254.169.254/", "https://2130706433/", "http://127.0.0.1:8080/"],
  ]) {
    expect({ address, isFine: isFine(address, IN_PRODUCTION) }).toEqual({ address, isFine: false });
    expect({ address, isFine: isFine(address, IN_DEVELOPMENT) }).toEqual({ address, isFine: true });
  }
  for (const address of ["http://keys.example.com/", "https://u:p@keys.example.com/", "keys", ""]) {
    expect(isFine(address, IN_DEVELOPMENT)).toBeFalse();
  }
});
