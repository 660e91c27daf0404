import { expect, test } from "bun:test";
import { looksLikeSecret, mintSecret } from "./credential-secret.ts";

test("a minted secret names its mode, is alphanumeric and has a valid checksum", () => {
  for (const mode of ["live", "test"] as const) {
    const secret = mintSecret(mode);
    expect(secret).toMatch(new RegExp(`^ik_${mode}_[0-9A-Za-z]{42}$`));
    expect(looksLikeSecret(secret)).toBe(true);
  }
});

test("minted secrets differ", () => {
  const secrets = new Set(Array.from({ length: 1000 }, () => mintSecret("live")));
  expect(secrets.size).toBe(1000);
});

test("a secret with any one character changed is invalid", () => {
  const secret = mintSecret("test");
  for (let i = 0; i < secret.length; i++) {
    const replacement = secret[i] === "a" ? "b" : "a";
    expect(looksLikeSecret(secret.slice(0, i) + replacement + secret.slice(i + 1))).toBe(false);
  }
});

test("other texts are not secrets", () => {
  const secret = mintSecret("live");
  const others = [
    "",
    "ik_live_",
    `${secret} `,
    `${secret}\n`,
    secret.slice(1),
    secret.slice(0, -1),
  ];
  for (const text of others) expect(looksLikeSecret(text)).toBe(false);
  expect(looksLikeSecret(secret.replace("live", "test"))).toBe(false);
});
