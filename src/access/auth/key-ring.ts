/** The service's signing keys in memory; decrypted and imported on first use. */
import { type CryptoKey, importJWK, type JWK } from "jose";
import {
  isPublished,
  type KeyPurpose,
  openPrivateKey,
  publicKeyOf,
} from "../control/signing-keys.ts";
import type { ControlView, SigningKeyRow } from "../control/view.ts";
import type { KeyVersions } from "../privacy/key-versions.ts";

/** The current signing key and its `kid`. */
export interface Signer {
  readonly kid: string;
  readonly alg: string;
  readonly key: CryptoKey;
}

type Imported = Promise<CryptoKey>;

async function importKey(jwk: JWK): Imported {
  const key = await importJWK(jwk);
  if (key instanceof Uint8Array) throw new Error("a signing key is symmetric");
  return key;
}

export class KeyRing {
  readonly #control: Pick<ControlView, "signingKeys" | "refresh">;
  readonly #masters: KeyVersions;
  /** By row, so that a key is dropped with the table it was read from. */
  readonly #private = new WeakMap<SigningKeyRow, Imported>();
  readonly #public = new WeakMap<SigningKeyRow, Imported>();

  /** `masters` decrypt the private keys. */
  constructor(control: Pick<ControlView, "signingKeys" | "refresh">, masters: KeyVersions) {
    this.#control = control;
    this.#masters = masters;
  }

  /** The current signing key of a purpose. Throws when there is none or it does not decrypt. */
  async signer(purpose: KeyPurpose, nowMs: number): Promise<Signer> {
    const rows = this.#published(nowMs).filter((row) => row.purpose === purpose);
    // If the clock was set back before the first key was made, the oldest key signs.
    const row = rows.find(({ signs_from }) => signs_from <= nowMs) ?? rows.at(-1);
    if (row === undefined) throw new Error(`no key signs for ${purpose}`);
    const key = await kept(this.#private, row, () => openPrivateKey(row, this.#masters));
    return { kid: row.kid, alg: publicKeyOf(row).alg ?? "", key };
  }

  /** The published verification key, or null. */
  async verifier(purpose: KeyPurpose, kid: string, nowMs: number): Promise<CryptoKey | null> {
    const find = () => this.#published(nowMs).find((row) => row.kid === kid);
    // Another process may sign with a key that this view has not read yet.
    const row = find() ?? (this.#control.refresh() ? find() : undefined);
    if (row?.purpose !== purpose) return null;
    return kept(this.#public, row, () => publicKeyOf(row));
  }

  /** True while signatures of that key are valid. */
  isPublished(kid: string, nowMs: number): boolean {
    return this.#control.signingKeys.some((row) => row.kid === kid && isPublished(row, nowMs));
  }

  /** Published keys (RFC 7517); the one that signs last comes first. */
  publicKeys(nowMs: number): readonly JWK[] {
    return this.#published(nowMs).map(publicKeyOf);
  }

  #published(nowMs: number): readonly SigningKeyRow[] {
    return this.#control.signingKeys.filter((row) => isPublished(row, nowMs));
  }
}

function kept(keys: WeakMap<SigningKeyRow, Imported>, row: SigningKeyRow, jwk: () => JWK) {
  const known = keys.get(row);
  if (known) return known;
  const imported = importKey(jwk());
  keys.set(row, imported);
  return imported;
}
