/**
 * The versions of one key. Each decrypts its own texts; the newest whose time has come encrypts.
 * All processes know a successor long before it is used.
 */

export interface KeyVersion {
  /** Part of every text the version has written. */
  readonly kid: string;
  readonly key: Uint8Array;
  /** Epoch milliseconds from which it encrypts; Infinity for one that only decrypts. */
  readonly from_ms: number;
}

export class KeyVersions {
  readonly #lookAgain: () => void;
  #versions: readonly KeyVersion[];

  /**
   * `versions` are oldest first; at least one encrypts. `lookAgain` is called for an unknown `kid`
   * and may `replace` the versions.
   */
  constructor(versions: readonly KeyVersion[], lookAgain: () => void = () => {}) {
    this.#versions = versions;
    this.#lookAgain = lookAgain;
  }

  get all(): readonly KeyVersion[] {
    return this.#versions;
  }

  /** The version that encrypts now. */
  current(nowMs: number = Date.now()): KeyVersion {
    const found = this.#versions.findLast(({ from_ms }) => from_ms <= nowMs);
    if (found === undefined) throw new Error("no version of the key writes");
    return found;
  }

  /** The key of a version, or null. */
  find(kid: string): Uint8Array | null {
    const search = () => this.#versions.find((version) => version.kid === kid)?.key;
    const found = search();
    if (found) return found;
    this.#lookAgain();
    return search() ?? null;
  }

  /** Replaces the versions; the bytes of kept ones stay the same objects. */
  replace(versions: readonly KeyVersion[]): void {
    this.#versions = versions.map((version) => {
      const known = this.#versions.find(({ kid }) => kid === version.kid);
      return known && Buffer.from(known.key).equals(version.key)
        ? { ...version, key: known.key }
        : version;
    });
  }
}
