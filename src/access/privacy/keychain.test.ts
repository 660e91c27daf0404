/**
 * Goal: data of older versions stays readable after a rotation, and no process encrypts with a
 * version before all others know it.
 */
import { afterEach, beforeEach, expect, setSystemTime, test } from "bun:test";
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { signReceipt, verifyReceipt } from "../../../engine/writer/receipts.ts";
import { newQuoteId, quoteIdTime } from "../../api/quotes/quote-id.ts";
import { StartRefused } from "../../lib/lifecycle.ts";
import { Keychain, receiptKeysOf } from "./keychain.ts";
import { decryptFields, encryptFields, encryptMoreFields } from "./personal-data.ts";
import { loadSecrets, ROTATING, rotateKeys } from "./secrets.ts";

const NOW_MS = Date.UTC(2027, 0, 1);
const LEAD_MS = 300_000;
const CONTENT = {
  kind: "booking_confirmed",
  issuer: "https://innkeep.example",
  issued_at: "2027-01-01T00:00:00.000Z",
  subject: { booking_id: "bkg_1" },
} as const;
const BINDING = { tenant_id: "t-1", command: "c-1" };

let dataDir: string;
let path: string;
let logged: string[];

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), "innkeep-keychain-"));
  path = join(dataDir, "secrets.json");
  logged = [];
  setSystemTime(NOW_MS);
});
afterEach(() => {
  setSystemTime();
  rmSync(dataDir, { recursive: true });
});

const keychainOf = (env = {}) =>
  new Keychain(dataDir, loadSecrets(dataDir, env), (_level, message) => logged.push(message));
const rotateAll = () => rotateKeys(dataDir, {}, { names: ROTATING, nowMs: NOW_MS });
const kidsOf = (keys: Keychain) => ROTATING.map((name) => keys[name].current().kid);
const FIRST = ["receipt-v1", "encryption-v1", "quote-v1"];
const SECOND = ["receipt-v2", "encryption-v2", "quote-v2"];

test("all running processes know a successor at once and encrypt with it after 300 s", () => {
  const [one, other] = [keychainOf(), keychainOf()];
  rotateAll();
  one.refresh();
  other.refresh();
  const late = keychainOf();
  for (const keys of [one, other, late]) {
    expect(keys.encryption.find("encryption-v2")).toHaveLength(32);
    expect(kidsOf(keys)).toEqual(FIRST);
  }
  setSystemTime(NOW_MS + LEAD_MS - 1);
  expect(kidsOf(one)).toEqual(FIRST);
  setSystemTime(NOW_MS + LEAD_MS);
  for (const keys of [one, other, late]) expect(kidsOf(keys)).toEqual(SECOND);
});

test("data of earlier versions is readable by all later ones, and names its version", () => {
  const keys = keychainOf();
  const receipts = receiptKeysOf(keys.receipts);
  const write = () => ({
    receipt: signReceipt(receipts, CONTENT),
    quoteId: newQuoteId(keys.quotes, "t-1", NOW_MS),
    guest: encryptFields(keys.encryption, BINDING, { name: "Zoë" }),
  });
  const written = [write()];
  for (const years of [1, 2]) {
    rotateAll();
    keys.refresh();
    setSystemTime(NOW_MS + years * LEAD_MS);
    written.push(write());
    setSystemTime(NOW_MS + LEAD_MS);
  }
  expect(written.map(({ receipt }) => receipt.kid)).toEqual([
    ...["receipt-v1", "receipt-v2", "receipt-v3"],
  ]);
  const wrapping = written.map(({ guest }) => guest.wrapped_key.split(".")[0]);
  expect(wrapping).toEqual(["encryption-v1", "encryption-v2", "encryption-v3"]);
  expect(written.map(({ quoteId }) => quoteId.slice(41))).toEqual(["", "v2", "v3"]);
  for (const reader of [keys, keychainOf()]) {
    for (const { receipt, quoteId, guest } of written) {
      const verdict = { valid: true, kid: receipt.kid };
      expect(verifyReceipt(receiptKeysOf(reader.receipts), receipt)).toEqual(verdict);
      expect(quoteIdTime(reader.quotes, "t-1", quoteId)).toBe(NOW_MS);
      expect(quoteIdTime(reader.quotes, "t-2", quoteId)).toBeNull();
      const { encrypted, wrapped_key } = guest;
      const more = encryptMoreFields(reader.encryption, BINDING, { note: "late" }, wrapped_key);
      const all = decryptFields(reader.encryption, BINDING, { ...encrypted, ...more }, wrapped_key);
      expect(all).toEqual({ name: "Zoë", note: "late" });
    }
  }
  const [first] = written;
  expect(quoteIdTime(keys.quotes, "t-1", `${first!.quoteId}v2`)).toBeNull();
  expect(quoteIdTime(keys.quotes, "t-1", `${first!.quoteId}v9`)).toBeNull();
});

test("a process that has not refreshed yet finds the key of the data it is given", () => {
  const [ahead, behind] = [keychainOf(), keychainOf()];
  rotateAll();
  setSystemTime(NOW_MS + LEAD_MS);
  ahead.refresh();
  const { encrypted, wrapped_key } = encryptFields(ahead.encryption, BINDING, { name: "Zoë" });
  expect(wrapped_key).toStartWith("encryption-v2.");
  expect(decryptFields(behind.encryption, BINDING, encrypted, wrapped_key)).toEqual({
    name: "Zoë",
  });
});

test("the file is replaced atomically, only its owner reads it, and only successors are added", () => {
  const before = loadSecrets(dataDir, {});
  rotateKeys(dataDir, {}, { names: ["receipts"], nowMs: NOW_MS });
  const { successors, ...rest } = loadSecrets(dataDir, {});
  expect(rest).toEqual(before);
  expect(successors).toEqual({
    receipts: [{ kid: "receipt-v2", key: expect.any(String), from_ms: NOW_MS + LEAD_MS }],
  });
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(readdirSync(dataDir)).toEqual(["secrets.json"]);
});

test("one of two concurrent rotations is refused by name and changes nothing", () => {
  loadSecrets(dataDir, {});
  const bytes = readFileSync(path, "utf8");
  writeFileSync(`${path}.next`, "");
  expect(rotateAll).toThrow(StartRefused);
  expect(rotateAll).toThrow(`${path}.next exists`);
  expect(readFileSync(path, "utf8")).toBe(bytes);
  rmSync(`${path}.next`);
  writeFileSync(path, "{");
  expect(rotateAll).toThrow(path);
  expect(existsSync(`${path}.next`)).toBeFalse();
});

test("rotating a key of the environment is refused by name, and others rotate beside it", () => {
  const key = Buffer.alloc(32, 7).toString("base64url");
  const env = { MASTER_KEY: key };
  keychainOf(env);
  const rotate = () => rotateKeys(dataDir, env, { names: ROTATING, nowMs: NOW_MS });
  expect(rotate).toThrow("MASTER_KEY of the environment has one version only");
  rotateKeys(dataDir, env, { names: ["receipts", "quotes"], nowMs: NOW_MS });
  rotateAll();
  setSystemTime(NOW_MS + LEAD_MS);
  const given = keychainOf(env);
  expect(kidsOf(given)).toEqual(["receipt-v3", "encryption-v1", "quote-v3"]);
  expect(Buffer.from(given.encryption.current().key).toString("base64url")).toBe(key);
});

test("a process keeps its keys when the file becomes unreadable, and logs that", () => {
  const keys = keychainOf();
  rotateAll();
  keys.refresh();
  writeFileSync(path, "{");
  keys.refresh();
  expect(logged).toEqual(["cannot reload the keys of secrets.json"]);
  setSystemTime(NOW_MS + LEAD_MS);
  expect(kidsOf(keys)).toEqual(SECOND);
});
