import { afterAll, beforeAll, expect, test } from "bun:test";
import { type AgentCard, verifyAgentCardSignature } from "@a2a-js/sdk";
import { decodeProtectedHeader } from "jose";
import { KeyRing } from "../../access/auth/key-ring.ts";
import { ensureSigningKeys, rotateSigningKey } from "../../access/control/signing-keys.ts";
import { openTestControl, type TestControl } from "../../access/control/test-control.ts";
import { KeyVersions } from "../../access/privacy/key-versions.ts";
import { ROUTES } from "../../app.ts";
import { readConfig } from "../../config.ts";
import type { Context } from "../../http/context.ts";
import { compile } from "../../http/validate.ts";
import { toolsOf } from "../tools/catalogue.ts";
import { a2aCard, discoveryCard, skillsOf } from "./cards.ts";

const MASTER_KEY = new KeyVersions([{ kid: "encryption-v1", key: new Uint8Array(32), from_ms: 0 }]);
const NOW_MS = 1_800_000_000_000;

let control: TestControl;

beforeAll(async () => {
  control = openTestControl();
  await ensureSigningKeys(control.store, MASTER_KEY, NOW_MS);
  control.view.refresh();
});
afterAll(() => control.close());

/** What the cards are made of; each has signed nothing yet, like a process of its own. */
function partsOf(env: Readonly<Record<string, string>> = {}): Context {
  const config = readConfig({ BASE_URL: "https://hotels.example", ...env });
  const keyRing = new KeyRing(control.view, MASTER_KEY);
  return { config, keyRing, routes: ROUTES, now: () => NOW_MS } as unknown as Context;
}

type Signatures = AgentCard["signatures"];

test("a card is signed with the card key, and names the address of its key set", async () => {
  const parts = partsOf();
  for (const cardOf of [a2aCard, discoveryCard]) {
    const { card } = await cardOf(parts);
    const header = decodeProtectedHeader((card.signatures as Signatures)[0]!);
    const { kid } = await parts.keyRing.signer("agent_card", NOW_MS);
    const jku = "https://hotels.example/.well-known/jwks.json";
    expect(header).toEqual({ alg: "ES256", kid, typ: "JOSE", jku });
    const keyOf = () => parts.keyRing.verifier("agent_card", kid, NOW_MS) as Promise<CryptoKey>;
    await verifyAgentCardSignature(keyOf)(card as unknown as AgentCard);
  }
});

test("the signature verifies for a client that reads older security schemes as those of 1.0", async () => {
  const parts = partsOf();
  const { card } = await discoveryCard(parts);
  const { securitySchemes } = (await a2aCard(parts)).card;
  const { kid } = await parts.keyRing.signer("agent_card", NOW_MS);
  const keyOf = () => parts.keyRing.verifier("agent_card", kid, NOW_MS) as Promise<CryptoKey>;
  const [, second] = card.signatures as Signatures;
  const read = { ...card, securitySchemes, signatures: [second] };
  await verifyAgentCardSignature(keyOf)(read as unknown as AgentCard);
});

test("cards are plain ASCII, because some verifiers escape other characters before hashing", async () => {
  for (const cardOf of [a2aCard, discoveryCard]) {
    expect((await cardOf(partsOf())).etagOf).toMatch(/^[\x20-\x7e]*$/);
  }
});

test("a card is signed once, and its ETag does not depend on the signature", async () => {
  const parts = partsOf();
  const first = await a2aCard(parts);
  expect(await a2aCard(parts)).toBe(first);
  const other = await a2aCard(partsOf());
  expect(other.card.signatures).not.toEqual(first.card.signatures);
  expect(other.etagOf).toBe(first.etagOf);
});

test("a new key gives a newly signed card", async () => {
  const parts = partsOf();
  const before = await a2aCard(parts);
  const terms = { nowMs: NOW_MS, immediately: true };
  await rotateSigningKey(control.store, MASTER_KEY, "agent_card", terms);
  control.view.refresh();
  const after = await a2aCard(parts);
  expect(after.etagOf).not.toBe(before.etagOf);
  const [signature] = after.card.signatures as Signatures;
  const { kid } = await parts.keyRing.signer("agent_card", NOW_MS);
  expect(decodeProtectedHeader(signature!).kid).toBe(kid);
});

test("without OAuth the cards are unsigned and list only bearer authentication", async () => {
  const parts = partsOf({ OAUTH_ISSUER: "" });
  for (const cardOf of [a2aCard, discoveryCard]) {
    const { card } = await cardOf(parts);
    expect(card).not.toHaveProperty("signatures");
    expect(Object.keys(card.securitySchemes as object)).toEqual(["bearer"]);
  }
});

const TOOLS = toolsOf(ROUTES);
const SKILLS = skillsOf(ROUTES);

test("every tool is a skill, and its example is a valid data part of its input", () => {
  expect(SKILLS.map(({ id }) => id)).toEqual(TOOLS.map(({ id }) => id));
  for (const { input, ...tool } of TOOLS) {
    const { examples, tags } = SKILLS.find(({ id }) => id === tool.id)!;
    const example = JSON.parse(examples[0]!);
    expect(example.skill).toBe(tool.id);
    const blank = (_: string, value: unknown) =>
      typeof value === "string" && value.startsWith("<") ? "x" : value;
    const faults = compile(input)(JSON.parse(JSON.stringify(example.input), blank));
    expect({ id: tool.id, faults }).toEqual({ id: tool.id, faults: [] });
    expect(tags).not.toBeEmpty();
  }
});
