/**
 * The keys of an installation, made on the first start and kept in `DATA_DIR/secrets.json` unless
 * the environment gives them.
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
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { ConfigError, controlPath, journalPath } from "../../config.ts";
import { StartRefused } from "../../lib/lifecycle.ts";
import { refusedStart } from "../../lib/refused-starts.ts";
import type { Environment } from "../../settings-reader.ts";

/** Every key is 32 random bytes, base64url without padding. Field names are those of the file. */
export interface Secrets {
  /** Signs new receipts; the others verify older ones. */
  readonly receipt_kid: string;
  readonly receipt_keys: Readonly<Record<string, string>>;
  /** Wraps the data keys of personal data. */
  readonly master_key: string;
  /** Body hashes and quote ids. */
  readonly hmac_key: string;
  /** Without it a stolen table of credential hashes cannot be searched. */
  readonly credential_pepper: string;
  /** Added by rotations, oldest first. */
  readonly successors?: Readonly<Partial<Record<RotatingKey, readonly Successor[]>>>;
  /** Keys given by the environment; never in the file. */
  readonly given?: readonly RotatingKey[];
}

/**
 * The keys with versions. `hmac_key` and the pepper do not rotate: their hashes are compared with
 * stored ones, whose texts are not kept.
 */
export const ROTATING = ["receipts", "encryption", "quotes"] as const;
export type RotatingKey = (typeof ROTATING)[number];

/** Version names before any rotation. */
export const FIRST_KIDS = {
  receipts: "receipt-v1",
  encryption: "encryption-v1",
  quotes: "quote-v1",
} as const satisfies Record<RotatingKey, string>;

export interface Successor {
  readonly kid: string;
  readonly key: string;
  /** Epoch milliseconds from which it encrypts. */
  readonly from_ms: number;
}

/** Cache lifetime of the published key set, far longer than a poll. */
const TAKES_OVER_AFTER_MS = 300_000;

const FILE_NAME = "secrets.json";
const FIRST_KID = FIRST_KIDS.receipts;
const GIVEN_BY = {
  receipts: "RECEIPT_KEY",
  encryption: "MASTER_KEY",
  quotes: "HMAC_KEY",
} as const satisfies Record<RotatingKey, string>;

/** Path of a data directory's secrets file. */
export function secretsPath(dataDir: string): string {
  return join(dataDir, FILE_NAME);
}

/**
 * The secrets of `dataDir`: read from `secrets.json`, which is created with mode 0600 when it is
 * missing from a directory without data. `RECEIPT_KEY` (the active receipt key), `MASTER_KEY`,
 * `HMAC_KEY` and `CREDENTIAL_PEPPER` of the environment take precedence and are never written to
 * it.
 *
 * @throws ConfigError naming every variable that is not 32 bytes of base64url.
 * @throws StartRefused naming the file, when it is readable by others, invalid, or missing beside
 *   existing data.
 */
export function loadSecrets(dataDir: string, env: Environment): Secrets {
  const names = ["RECEIPT_KEY", "MASTER_KEY", "HMAC_KEY", "CREDENTIAL_PEPPER"] as const;
  const bad = names.filter((name) => env[name] && !isKey(env[name]));
  if (bad.length > 0) {
    throw new ConfigError(bad.map((name) => `${name}: expected 32 bytes as base64url`));
  }
  const path = secretsPath(dataDir);
  // Checked before the keys: another process writes data only after it has made them.
  const hasData = [controlPath(dataDir), journalPath(dataDir)].some((data) => existsSync(data));
  const read = readSecrets(path);
  if (read === null && hasData && !names.every((name) => env[name])) {
    throw new StartRefused(`${path} is missing, and the data needs it: restore it from a back-up`);
  }
  const file = read ?? createSecrets(path);
  const receiptKeys = { ...file.receipt_keys };
  if (env.RECEIPT_KEY) receiptKeys[file.receipt_kid] = env.RECEIPT_KEY;
  const given = ROTATING.filter((name) => env[GIVEN_BY[name]]);
  return {
    ...(file.successors ? { successors: file.successors } : {}),
    ...(given.length > 0 ? { given } : {}),
    receipt_kid: file.receipt_kid,
    receipt_keys: receiptKeys,
    master_key: env.MASTER_KEY || file.master_key,
    hmac_key: env.HMAC_KEY || file.hmac_key,
    credential_pepper: env.CREDENTIAL_PEPPER || file.credential_pepper,
  };
}

/** Null without a file; an existing file is never replaced. */
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
    throw refusedStart("secrets_unreadable", { file: path }, cause);
  }
  if (isSecrets(value)) return value;
  throw refusedStart("secrets_incomplete", { file: path });
}

/**
 * Writes the whole file under another name, then links it into place: a crash leaves no half file,
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
  syncDirectory(dirname(path));
  return secrets;
}

function syncDirectory(path: string): void {
  const directory = openSync(path, "r");
  fsyncSync(directory);
  closeSync(directory);
}

/** The successors in the file; none without a file. */
export function readSuccessors(dataDir: string): NonNullable<Secrets["successors"]> {
  return readSecrets(secretsPath(dataDir))?.successors ?? {};
}

/**
 * Adds a version to each key. It is published at once and encrypts after 300 s. The file is
 * replaced atomically, by one rotation at a time.
 *
 * @throws StartRefused when there is no file, or the environment gives one of the keys.
 */
export function rotateKeys(
  dataDir: string,
  env: Environment,
  { names, nowMs }: { readonly names: readonly RotatingKey[]; readonly nowMs: number },
): ReadonlyMap<RotatingKey, Successor> {
  const path = secretsPath(dataDir);
  const given = names.map((name) => GIVEN_BY[name]).filter((name) => env[name]);
  if (given.length > 0) {
    const what = `${given.join(", ")} of the environment`;
    throw new StartRefused(`${what} has one version only: only keys of ${FILE_NAME} can rotate`);
  }
  if (!existsSync(path)) throw new StartRefused(`${path} does not exist: set DATA_DIR`);
  const next = `${path}.next`;
  const file = takeNext(next);
  try {
    const secrets = readSecrets(path)!;
    const added = new Map(names.map((name) => [name, successorOf(secrets, name, nowMs)] as const));
    const successors: Record<string, readonly Successor[]> = { ...secrets.successors };
    for (const [name, made] of added) successors[name] = [...(successors[name] ?? []), made];
    writeFileSync(file, `${JSON.stringify({ ...secrets, successors }, null, 2)}\n`);
    fsyncSync(file);
    renameSync(next, path);
    syncDirectory(dirname(path));
    return added;
  } catch (error) {
    rmSync(next, { force: true });
    throw error;
  } finally {
    closeSync(file);
  }
}

/** The next file doubles as the lock of the rotation. */
function takeNext(path: string): number {
  try {
    return openSync(path, "wx", 0o600);
  } catch (cause) {
    const why = "another rotation is under way, or one was cut off and changed nothing";
    throw new StartRefused(`${path} exists: ${why}; then remove it`, { cause });
  }
}

function successorOf(secrets: Secrets, name: RotatingKey, nowMs: number): Successor {
  const [first] = FIRST_KIDS[name].split("-v");
  const known = [
    ...(name === "receipts" ? Object.keys(secrets.receipt_keys) : [FIRST_KIDS[name]]),
    ...(secrets.successors?.[name] ?? []).map(({ kid }) => kid),
  ];
  const latest = Math.max(...known.map((kid) => Number(/-v(\d+)$/.exec(kid)?.[1] ?? 0)));
  return { kid: `${first}-v${latest + 1}`, key: newKey(), from_ms: nowMs + TAKES_OVER_AFTER_MS };
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
  if (!isSuccessors(file.successors ?? {})) return false;
  if (typeof receipt_kid !== "string" || typeof receipt_keys !== "object") return false;
  const keys = Object.entries(receipt_keys ?? {});
  return (
    keys.some(([kid]) => kid === receipt_kid) &&
    keys.every(([, key]) => isKey(key)) &&
    [master_key, hmac_key, credential_pepper].every(isKey)
  );
}

function isSuccessors(value: unknown): value is NonNullable<Secrets["successors"]> {
  if (typeof value !== "object" || value === null) return false;
  return Object.entries(value).every(([name, list]) => {
    return (
      ROTATING.some((known) => known === name) && Array.isArray(list) && list.every(isSuccessor)
    );
  });
}

function isSuccessor(value: Partial<Successor> | null): value is Successor {
  const { kid, key, from_ms } = value ?? {};
  return (
    typeof kid === "string" &&
    /^[a-z]+-v\d+$/.test(kid) &&
    isKey(key) &&
    Number.isSafeInteger(from_ms)
  );
}
