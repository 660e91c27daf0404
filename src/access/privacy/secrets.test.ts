import { afterEach, beforeEach, expect, test } from "bun:test";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { ConfigError } from "../../config.ts";
import { StartRefused } from "../../lib/lifecycle.ts";
import { loadSecrets } from "./secrets.ts";

let dataDir: string;
let path: string;

beforeEach(() => {
  dataDir = join(mkdtempSync(join(tmpdir(), "innkeep-secrets-")), "data");
  path = join(dataDir, "secrets.json");
});

afterEach(() => rmSync(join(dataDir, ".."), { recursive: true }));

test("the first start creates a file that only its owner can read, later starts use it", () => {
  const first = loadSecrets(dataDir, {});
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(readdirSync(dataDir)).toEqual(["secrets.json"]);
  const bytes = readFileSync(path, "utf8");
  expect(loadSecrets(dataDir, {})).toEqual(first);
  expect(readFileSync(path, "utf8")).toBe(bytes);
});

test("keys are 32 distinct random bytes and receipts are signed as receipt-v1", () => {
  const secrets = loadSecrets(dataDir, {});
  expect(secrets.receipt_kid).toBe("receipt-v1");
  const receiptKey = secrets.receipt_keys["receipt-v1"] ?? "";
  const keys = [receiptKey, secrets.master_key, secrets.hmac_key, secrets.credential_pepper];
  for (const key of keys) expect(Buffer.from(key, "base64url")).toHaveLength(32);
  expect(new Set(keys).size).toBe(4);
});

test("processes that start at once all use the keys of the same one", async () => {
  const script = `
    import { loadSecrets } from "${import.meta.dir}/secrets.ts";
    console.log(loadSecrets(process.argv[1], {}).master_key);`;
  const starts = Array.from({ length: 4 }, async () => {
    const child = Bun.spawn([process.execPath, "-e", script, dataDir]);
    return await child.stdout.text();
  });
  const keys = new Set(await Promise.all(starts));
  expect(keys).toEqual(new Set([`${loadSecrets(dataDir, {}).master_key}\n`]));
});

test("missing keys beside existing data are never created again", () => {
  for (const data of ["control.db", "engine/0.db"]) {
    const file = join(dataDir, data);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, "");
    expect(() => loadSecrets(dataDir, {})).toThrow(StartRefused);
    expect(() => loadSecrets(dataDir, {})).toThrow("is missing");
    expect(existsSync(path)).toBeFalse();
    rmSync(file);
  }
  const key = Buffer.alloc(32, 7).toString("base64url");
  writeFileSync(join(dataDir, "control.db"), "");
  const given = { RECEIPT_KEY: key, MASTER_KEY: key, HMAC_KEY: key, CREDENTIAL_PEPPER: key };
  expect(loadSecrets(dataDir, given).master_key).toBe(key);
});

test("keys of the environment precede the file and are not written to it", () => {
  const generated = loadSecrets(dataDir, {});
  const key = Buffer.alloc(32, 7).toString("base64url");
  const secrets = loadSecrets(dataDir, { RECEIPT_KEY: key, MASTER_KEY: key });
  expect(secrets).toEqual({
    ...generated,
    given: ["receipts", "encryption"],
    receipt_keys: { "receipt-v1": key },
    master_key: key,
  });
  expect(readFileSync(path, "utf8")).not.toContain(key);
});

test("a key of the environment that is not 32 bytes is refused by name", () => {
  const start = () => loadSecrets(dataDir, { MASTER_KEY: "short", HMAC_KEY: "also short" });
  expect(start).toThrow(ConfigError);
  expect(start).toThrow(/MASTER_KEY.*\n.*HMAC_KEY/);
});

test("a file that others can read is refused with the command that repairs it", () => {
  loadSecrets(dataDir, {});
  chmodSync(path, 0o640);
  expect(() => loadSecrets(dataDir, {})).toThrow(StartRefused);
  expect(() => loadSecrets(dataDir, {})).toThrow(`chmod 600 ${path}`);
});

test("a damaged file is refused by name and not changed", async () => {
  const whole = JSON.stringify(loadSecrets(dataDir, {}));
  const lacking = JSON.stringify({ ...JSON.parse(whole), hmac_key: undefined });
  const orphaned = JSON.stringify({ ...JSON.parse(whole), receipt_kid: "receipt-v2" });
  for (const damaged of ["", whole.slice(0, 40), "null", "[]", lacking, orphaned]) {
    await Bun.write(path, damaged);
    expect(() => loadSecrets(dataDir, {})).toThrow(StartRefused);
    expect(() => loadSecrets(dataDir, {})).toThrow(path);
    expect(readFileSync(path, "utf8")).toBe(damaged);
  }
});
