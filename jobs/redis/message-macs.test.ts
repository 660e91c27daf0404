/** Goal: a message is valid only for its own purpose, under any version of the secret. */
import { expect, test } from "bun:test";
import { KeyVersions } from "../../src/access/privacy/key-versions.ts";
import { macsOf } from "../../test/support/macs.ts";
import { MESSAGE_KINDS, MessageMacs } from "./message-macs.ts";

const PLACE = "ik-one-journal-1:inventory-00";
const BODY = '{"name":"Zürich | 東京"}';

test("a message is valid only at its own place and as its own kind", () => {
  const macs = macsOf();
  for (const kind of MESSAGE_KINDS) {
    const message = macs.write(kind, PLACE, BODY);
    const reads = MESSAGE_KINDS.map((as) => macs.read(as, PLACE, message));
    expect(reads).toEqual(MESSAGE_KINDS.map((as) => (as === kind ? BODY : null)));
    expect(macs.read(kind, PLACE.replace("one", "two"), message)).toBeNull();
    expect(macsOf(2).read(kind, PLACE, message)).toBeNull();
  }
});

test("a message with any flipped bit is refused", () => {
  const macs = macsOf();
  const message = macs.write("commands", PLACE, "plain");
  for (let at = 0; at < message.length; at += 1) {
    const other = String.fromCharCode(message.charCodeAt(at) ^ 1);
    const altered = message.slice(0, at) + other + message.slice(at + 1);
    const isSpare = at === message.lastIndexOf(".") - 1;
    // The last digit of base64url has two bits that belong to no byte.
    if (!isSpare) expect([altered, macs.read("commands", PLACE, altered)]).toEqual([altered, null]);
  }
});

test("a malformed message is refused", () => {
  const macs = macsOf();
  const odd = [undefined, null, 7, {}, "", ".", "..", "...", "quote-v1..", "{}", "x".repeat(1e6)];
  for (const each of odd) expect(macs.read("commands", PLACE, each)).toBeNull();
  expect(macs.refused().find(({ kind }) => kind === "commands")?.count).toBe(odd.length);
});

test("the newest key writes, all keys read, and an unknown key version is looked up", () => {
  const first = { kid: "quote-v1", key: new Uint8Array(32).fill(1), from_ms: 0 };
  const second = { kid: "quote-v2", key: new Uint8Array(32).fill(2), from_ms: 0 };
  const before = new MessageMacs(new KeyVersions([first]), () => {});
  const after = new MessageMacs(new KeyVersions([first, second]), () => {});
  const [older, newer] = [before, after].map((macs) => macs.write("quotes", PLACE, BODY));
  expect(newer).toStartWith("quote-v2.");
  expect([older, newer].map((each) => after.read("quotes", PLACE, each))).toEqual([BODY, BODY]);
  expect(before.read("quotes", PLACE, newer)).toBeNull();
  const versions = new KeyVersions([first], () => versions.replace([first, second]));
  expect(new MessageMacs(versions, () => {}).read("quotes", PLACE, newer)).toBe(BODY);
});

test("a refusal is logged once, always counted, and recent for ten minutes", () => {
  const lines: unknown[] = [];
  let nowMs = 5;
  const secret = new KeyVersions([{ kid: "quote-v1", key: new Uint8Array(32), from_ms: 0 }]);
  const macs = new MessageMacs(
    secret,
    (...line) => lines.push(line),
    () => nowMs,
  );
  const payments = () => macs.refused().find(({ kind }) => kind === "payments");
  expect(payments()).toEqual({ kind: "payments", count: 0, isRecent: false });
  macs.read("payments", "ik-x:payments", "one");
  macs.read("payments", "ik-x:payments", "two");
  expect(payments()).toEqual({ kind: "payments", count: 2, isRecent: true });
  nowMs += 600_000;
  expect(payments()).toEqual({ kind: "payments", count: 2, isRecent: false });
  const error = "refused a message without a valid MAC: payments at ik-x:payments";
  expect(lines).toEqual([["warn", "trouble with messages on Redis", { error }]]);
});
