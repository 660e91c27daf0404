/** Goal: a kept form has what was typed and its key, and nothing that proves who is signed in. */
import { expect, test } from "bun:test";
import { render } from "preact-render-to-string";
import { KEY_FIELD, PASSKEY_FIELD, PROOF_FIELD, TOKEN_FIELD } from "./form.ts";
import { hasFields, SignedOut } from "./kept-form.tsx";

const PROOFS = [
  [TOKEN_FIELD, "token-of-before"],
  [PROOF_FIELD, "ink_secret"],
  [PASSKEY_FIELD, "signed-answer"],
] as const;

test("a form whose session ended is kept without its token and proofs", () => {
  const sent = new Map([...PROOFS, [KEY_FIELD, "key-1"], ["amount", "5.01"]]);
  const html = render(SignedOut({ root: "", path: "/console/x", sent }));
  const hidden = [...html.matchAll(/name="([^"]*)" value="([^"]*)"/g)].map(([, ...pair]) => pair);
  expect(hidden).toEqual([
    [KEY_FIELD, "key-1"],
    ["amount", "5.01"],
  ]);
  expect(html).toContain("1 field<");
  for (const [name, value] of PROOFS) {
    expect(html).not.toContain(name);
    expect(html).not.toContain(value);
  }
});

test("a form of proofs alone has nothing that would be lost", () => {
  expect(hasFields(new Map(PROOFS))).toBe(false);
  expect(hasFields(new Map([...PROOFS, ["reason", ""]]))).toBe(true);
});
