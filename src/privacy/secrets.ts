/**
 * The keys of an installation. They are made once, on the first start, and live in
 * `DATA_DIR/secrets.json` unless the environment gives them.
 */
import { randomBytes } from "node:crypto";
import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { ConfigError, controlPath, type Environment, journalPath } from "../config.ts";
import { StartRefused } from "../lifecycle.ts";

/** Every key is 32 random bytes, base64url without padding. Field names are those of the file. */
export interface Secrets {
  /** The key that signs new receipts; the others verify older ones. */
  readonly receipt_kid: string;
  readonly receipt_keys: Readonly<Record<string, string>>;
  /** Wraps the data keys of personal data. */
  readonly master_key: string;
  /** Body hashes and quote ids. */
  readonly hmac_key: string;
  /** Makes a stolen table of credential hashes useless on its own. */
  readonly credential_pepper: string;
}

/** The file of `DATA_DIR` that holds them. */
const FILE_NAME = "secrets.json";
const FIRST_KID = "receipt-v1";

/**
 * The secrets of `dataDir`: read from `secrets.json`, which is created with mode 0600 when it is
 * missing from a directory without data. `RECEIPT_KEY` (the active receipt key), `MASTER_KEY`,
 * `HMAC_KEY` and `CREDENTIAL_PEPPER` of the environment go before the file and are never written
 * to it.
 *
 * @throws ConfigError naming every variable that is not 32 bytes of base64url.
 * @throws StartRefused naming the file, when others may read it, it cannot be understood, or it is
 *   gone from beside data that were written with its keys.
 */
export function loadSecrets(dataDir: string, env: Environment): Secrets {
  const names = ["RECEIPT_KEY", "MASTER_KEY", "HMAC_KEY", "CREDENTIAL_PEPPER"] as const;
  const bad = names.filter((name) => env[name] && !isKey(env[name]));
  if (bad.length > 0) {
    throw new ConfigError(bad.map((name) => `${name}: expected 32 bytes as base64url`));
  }
  const path = join(dataDir, FILE_NAME);
  // Looked for before the keys: whoever makes them at the same time makes data only after them.
  const hasData = [controlPath(dataDir), journalPath(dataDir)].some((data) => existsSync(data));
  const read = readSecrets(path);
  if (read === null && hasData && !names.every((name) => env[name])) {
    throw new StartRefused(`${path} is gone, and the data beside it need it: restore it`);
  }
  const file = read ?? createSecrets(path);
  const receiptKeys = { ...file.receipt_keys };
  if (env.RECEIPT_KEY) receiptKeys[file.receipt_kid] = env.RECEIPT_KEY;
  return {
    receipt_kid: file.receipt_kid,
    receipt_keys: receiptKeys,
    master_key: env.MASTER_KEY || file.master_key,
    hmac_key: env.HMAC_KEY || file.hmac_key,
    credential_pepper: env.CREDENTIAL_PEPPER || file.credential_pepper,
  };
}

/** Null when there is no file; a file that is there is never replaced. */
function readSecrets(path: string): Secrets | null {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat === undefined) return null;
  if ((stat.mode & 0o077) !== 0) {
    throw new StartRefused(`${path} can be read by other users: run chmod 600 ${path}`);
  }
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(path, "utf8"));
  } catch (cause) {
    throw new StartRefused(`${path} cannot be read: restore it from a backup`, { cause });
  }
  if (isSecrets(value)) return value;
  throw new StartRefused(`${path} lacks keys or holds bad ones: restore it from a backup`);
}

/**
 * Writes a whole file under another name, then links it into place: a crash leaves no half file,
 * and of two processes that start at once one wins and both use its keys.
 */
function createSecrets(path: string): Secrets {
  const secrets: Secrets = {
    receipt_kid: FIRST_KID,
    receipt_keys: { [FIRST_KID]: newKey() },
    master_key: newKey(),
    hmac_key: newKey(),
    credential_pepper: newKey(),
  };
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const temporary = `${path}.${process.pid}.tmp`;
  writeFileSync(temporary, `${JSON.stringify(secrets, null, 2)}\n`, { mode: 0o600, flush: true });
  try {
    linkSync(temporary, path);
  } catch (error) {
    const winner = readSecrets(path);
    if (winner === null) throw error;
    return winner;
  } finally {
    rmSync(temporary);
  }
  const directory = openSync(dirname(path), "r");
  fsyncSync(directory);
  closeSync(directory);
  return secrets;
}

function newKey(): string {
  return randomBytes(32).toString("base64url");
}

function isKey(value: unknown): value is string {
  return typeof value === "string" && /^[A-Za-z0-9_-]{43}$/.test(value);
}

function isSecrets(value: unknown): value is Secrets {
  if (typeof value !== "object" || value === null) return false;
  const file = value as Partial<Record<keyof Secrets, unknown>>;
  const { receipt_kid, receipt_keys, master_key, hmac_key, credential_pepper } = file;
  if (typeof receipt_kid !== "string" || typeof receipt_keys !== "object") return false;
  const keys = Object.entries(receipt_keys ?? {});
  return (
    keys.some(([kid]) => kid === receipt_kid) &&
    keys.every(([, key]) => isKey(key)) &&
    [master_key, hmac_key, credential_pepper].every(isKey)
  );
}

/** The receipt keys as bytes, in the shape the signer takes. */
export function receiptKeysOf(secrets: Secrets): {
  readonly active: string;
  readonly keys: Readonly<Record<string, Uint8Array>>;
} {
  const entries = Object.entries(secrets.receipt_keys);
  const keys = Object.fromEntries(
    entries.map(([kid, key]) => [kid, Buffer.from(key, "base64url")]),
  );
  return { active: secrets.receipt_kid, keys };
}
