/**
 * The keys of a running process. It polls the secrets file every second for rotations, and so knows
 * a successor minutes before it is used.
 */
import { statSync } from "node:fs";
import type { ReceiptKeys } from "../../../engine/writer/receipts.ts";
import { every, type Log, type Service } from "../../lib/service.ts";
import { type KeyVersion, KeyVersions } from "./key-versions.ts";
import {
  FIRST_KIDS,
  type RotatingKey,
  readSuccessors,
  type Secrets,
  secretsPath,
} from "./secrets.ts";

const LOOK_EVERY_MS = 1_000;

const bytesOf = (key: string) => Buffer.from(key, "base64url");

/** A key with all its versions. */
export function keyVersionsOf(
  secrets: Secrets,
  name: RotatingKey,
  lookAgain?: () => void,
): KeyVersions {
  return new KeyVersions(versionsOf(secrets, name), lookAgain);
}

/** Versions of rotations come last. */
function versionsOf(secrets: Secrets, name: RotatingKey): readonly KeyVersion[] {
  const isGiven = secrets.given?.includes(name) ?? false;
  const successors = (secrets.successors?.[name] ?? []).map(({ kid, key, from_ms }) => {
    // A key given by the environment encrypts, whatever the file says.
    return { kid, key: bytesOf(key), from_ms: isGiven ? Infinity : from_ms };
  });
  return [...firstVersions(secrets, name), ...successors];
}

function firstVersions(secrets: Secrets, name: RotatingKey): readonly KeyVersion[] {
  if (name === "receipts") {
    const { receipt_kid, receipt_keys } = secrets;
    return Object.entries(receipt_keys)
      .map(([kid, key]) => ({ kid, key: bytesOf(key), from_ms: kid === receipt_kid ? 0 : -1 }))
      .sort((a, b) => a.from_ms - b.from_ms);
  }
  const key = name === "encryption" ? secrets.master_key : secrets.hmac_key;
  return [{ kid: FIRST_KIDS[name], key: bytesOf(key), from_ms: 0 }];
}

/** Signs and verifies receipts with the current versions. */
export function receiptKeysOf(versions: KeyVersions): ReceiptKeys {
  return {
    get active() {
      return versions.current().kid;
    },
    get keys() {
      return Object.fromEntries(versions.all.map(({ kid, key }) => [kid, key]));
    },
  };
}

export class Keychain implements Service {
  readonly id = "keychain";
  readonly receipts: KeyVersions;
  readonly encryption: KeyVersions;
  readonly quotes: KeyVersions;
  /** Does not rotate: its hashes are compared with stored ones. */
  readonly hmac: Uint8Array;
  readonly #dataDir: string;
  readonly #secrets: Secrets;
  readonly #log: Log;
  readonly #timer = every(this.id, LOOK_EVERY_MS, () => this.refresh());
  #seen: string;

  constructor(dataDir: string, secrets: Secrets, log: Log) {
    this.#dataDir = dataDir;
    this.#secrets = secrets;
    this.#log = log;
    // Changes since the secrets were read are found at the first poll.
    this.#seen = "";
    const lookAgain = () => this.refresh();
    this.receipts = keyVersionsOf(secrets, "receipts", lookAgain);
    this.encryption = keyVersionsOf(secrets, "encryption", lookAgain);
    this.quotes = keyVersionsOf(secrets, "quotes", lookAgain);
    this.hmac = bytesOf(secrets.hmac_key);
  }

  start(): void {
    this.#timer.start();
  }

  stop(): void {
    this.#timer.stop();
  }

  /** Reads the versions of a replaced file; keeps its own when it is unreadable. */
  refresh(): void {
    const state = statSync(secretsPath(this.#dataDir), { throwIfNoEntry: false });
    // Absent where the environment gives every key.
    const found = state === undefined ? "" : `${state.ino} ${state.mtimeMs} ${state.size}`;
    if (found === this.#seen) return;
    this.#seen = found;
    try {
      this.#take(readSuccessors(this.#dataDir));
    } catch (error) {
      this.#log("error", "cannot reload the keys of secrets.json", { error: String(error) });
    }
  }

  #take(successors: NonNullable<Secrets["successors"]>): void {
    const secrets = { ...this.#secrets, successors };
    this.receipts.replace(versionsOf(secrets, "receipts"));
    this.encryption.replace(versionsOf(secrets, "encryption"));
    this.quotes.replace(versionsOf(secrets, "quotes"));
  }
}
