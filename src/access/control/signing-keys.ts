/**
 * The service's signing key pairs, one kind per purpose, so that signatures are not interchangeable
 * (RFC 8725 §3.9). Private halves are encrypted under the master key.
 *
 * A successor is published at once but signs only when no cache can hold a key set without it; a
 * predecessor stays published until its last token has expired.
 */
import { calculateJwkThumbprint, exportJWK, generateKeyPair, type JWK } from "jose";
import { decryptByVersion, encryptByVersion } from "../privacy/encryption.ts";
import type { KeyVersions } from "../privacy/key-versions.ts";
import { changeSound, selectOf, soundRows, stamp } from "./checked-rows.ts";
import type { ControlStore } from "./store.ts";
import type { SigningKeyRow } from "./view.ts";

export type KeyPurpose = SigningKeyRow["purpose"];

/** RFC 9068 §2.1 requires RS256; agent cards use the shorter signature. */
const ALGORITHMS = { access_token: "RS256", agent_card: "ES256" } as const;
export const PURPOSES = Object.keys(ALGORITHMS) as readonly KeyPurpose[];

/** Life of an access token, seconds. */
export const ACCESS_TOKEN_TTL_S = 900;
/** Cache lifetime of the published key set. */
const PUBLISHED_BEFORE_SIGNING_MS = 300_000;
/** For clock differences, and processes that have not read the successor yet. */
const PUBLISHED_AFTER_TOKENS_MS = 60_000;

interface NewKey {
  readonly kid: string;
  readonly purpose: KeyPurpose;
  readonly private_encrypted: string;
  readonly public_jwk: string;
}

function contextOf(kid: string, purpose: KeyPurpose): readonly string[] {
  return ["signing-key", purpose, kid];
}

async function newKey(masters: KeyVersions, purpose: KeyPurpose): Promise<NewKey> {
  const alg = ALGORITHMS[purpose];
  const pair = await generateKeyPair(alg, { extractable: true, modulusLength: 2048 });
  const [privateJwk, publicJwk] = await Promise.all([
    exportJWK(pair.privateKey),
    exportJWK(pair.publicKey),
  ]);
  const kid = await calculateJwkThumbprint(publicJwk);
  const plain = Buffer.from(JSON.stringify({ ...privateJwk, alg, kid }));
  return {
    ...{ kid, purpose },
    private_encrypted: encryptByVersion(masters, plain, contextOf(kid, purpose)),
    public_jwk: JSON.stringify({ kid, alg, use: "sig", ...publicJwk }),
  };
}

function insert(store: ControlStore, key: NewKey, nowMs: number, signsFrom: number): void {
  const { kid, purpose, private_encrypted, public_jwk } = key;
  const statement = `INSERT INTO signing_key (kid, purpose, private_encrypted, public_jwk, created_at,
    signs_from, published_until) VALUES (?, ?, ?, ?, ?, ?, NULL)`;
  store.db.query(statement).run(kid, purpose, private_encrypted, public_jwk, nowMs, signsFrom);
  stamp(store.db, "signing_key", kid);
}

function hasKey(store: ControlStore, purpose: KeyPurpose): boolean {
  const select = `${selectOf("signing_key")} WHERE purpose = ?`;
  const rows = store.db.query<SigningKeyRow, [string]>(select).all(purpose);
  return soundRows("signing_key", rows).length > 0;
}

/**
 * Creates the missing keys. Of processes that start together one wins and all use its keys. Throws
 * SQLITE_BUSY as every write does.
 */
export async function ensureSigningKeys(
  store: ControlStore,
  masters: KeyVersions,
  nowMs: number = Date.now(),
): Promise<void> {
  const missing = PURPOSES.filter((purpose) => !hasKey(store, purpose));
  // Generating an RSA key takes a while; the file must not be locked meanwhile.
  const keys = await Promise.all(missing.map((purpose) => newKey(masters, purpose)));
  if (keys.length === 0) return;
  store.write(() => {
    for (const key of keys) {
      if (!hasKey(store, key.purpose)) insert(store, key, nowMs, nowMs);
    }
  });
}

export interface Rotation {
  readonly nowMs: number;
  /** After a compromise: the successor signs at once and predecessors' signatures are refused. */
  readonly immediately?: boolean;
}

export interface Successor {
  readonly kid: string;
  /** Epoch milliseconds. */
  readonly signsFrom: number;
}

/** Makes a successor of a purpose's keys; deletes keys whose signatures are no longer valid. */
export async function rotateSigningKey(
  store: ControlStore,
  masters: KeyVersions,
  purpose: KeyPurpose,
  { nowMs, immediately = false }: Rotation,
): Promise<Successor> {
  const key = await newKey(masters, purpose);
  const signsFrom = immediately ? nowMs : nowMs + PUBLISHED_BEFORE_SIGNING_MS;
  const lastTokenMs = ACCESS_TOKEN_TTL_S * 1000 + PUBLISHED_AFTER_TOKENS_MS;
  const publishedUntil = immediately ? nowMs : signsFrom + lastTokenMs;
  const limit = "published_until = min(ifnull(published_until, ?), ?)";
  store.write(() => {
    changeSound(
      store.db,
      "signing_key",
      ["purpose = ?", purpose],
      [limit, publishedUntil, publishedUntil],
    );
    store.db.query("DELETE FROM signing_key WHERE published_until <= ?").run(nowMs);
    insert(store, key, nowMs, signsFrom);
  });
  return { kid: key.kid, signsFrom };
}

/** The private key of a row. Throws when the master key is another one. */
export function openPrivateKey(row: SigningKeyRow, masters: KeyVersions): JWK {
  const { kid, purpose, private_encrypted } = row;
  return JSON.parse(
    decryptByVersion(masters, private_encrypted, contextOf(kid, purpose)).toString("utf8"),
  );
}

/** The published key of a row: `kid`, `alg`, `use` and the key itself. */
export function publicKeyOf(row: SigningKeyRow): JWK {
  return JSON.parse(row.public_jwk);
}

/** True while the row's signatures are valid. */
export function isPublished(row: SigningKeyRow, nowMs: number): boolean {
  return row.published_until === null || nowMs < row.published_until;
}
