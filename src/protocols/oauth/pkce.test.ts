import { expect, test } from "bun:test";
import { isChallenge, isVerifierOf } from "./pkce.ts";

/** Of RFC 7636, appendix B. */
const VERIFIER = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
const CHALLENGE = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";

test("a verifier fits its challenge alone, and is not the challenge itself", () => {
  expect(isVerifierOf(CHALLENGE, VERIFIER)).toBeTrue();
  for (const wrong of ["", CHALLENGE, `${VERIFIER}x`, VERIFIER.slice(1), VERIFIER.toLowerCase()]) {
    expect(isVerifierOf(CHALLENGE, wrong)).toBeFalse();
  }
});

test("verifiers have 43 to 128 characters (RFC 7636 §4.1)", () => {
  const fits = (text: string) => isVerifierOf(Bun.SHA256.hash(text, "base64url") as string, text);
  expect([42, 43, 128, 129].map((length) => fits("a".repeat(length)))).toEqual([
    ...[false, true, true, false],
  ]);
  expect(fits(`${"a".repeat(43)} `)).toBeFalse();
});

test("a challenge is a SHA-256 in base64url", () => {
  expect(isChallenge(CHALLENGE)).toBeTrue();
  for (const wrong of ["", `${CHALLENGE}=`, CHALLENGE.slice(1), `${CHALLENGE.slice(1)}+`]) {
    expect(isChallenge(wrong)).toBeFalse();
  }
});
