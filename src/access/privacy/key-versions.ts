/**
 * The versions of one key. All of them read what they have written; only one writes: the newest
 * whose time has come. A successor is told to every process long before that, so nobody is ever
 * handed what it cannot read.
 */

export interface KeyVersion {
  /** Stands in what the version has written. */
  readonly kid: string;
  readonly key: Uint8Array;
  /** Epoch milliseconds from which it writes; Infinity for one that only reads. */
  readonly from_ms: number;
}

export class KeyVersions {
  readonly #lookAgain: () => void;
  #versions: readonly KeyVersion[];

  /**
   * `versions` are oldest first, at least one of which writes. `lookAgain` is called for a `kid`
   * that is not among them, before it counts as unknown: it may `replace` them.
   */
  constructor(versions: readonly KeyVersion[], lookAgain: () => void = () => {}) {
    this.#versions = versions;
    this.#lookAgain = lookAgain;
  }

  get all(): readonly KeyVersion[] {
    return this.#versions;
  }

  /** The version that writes now. */
  current(nowMs: number = Date.now()): KeyVersion {
    const found = this.#versions.findLast(({ from_ms }) => from_ms <= nowMs);
    if (found === undefined) throw new Error("no version of the key writes");
    return found;
  }

  /** The key of a version; null when it is unknown. */
  find(kid: string): Uint8Array | null {
    const search = () => this.#versions.find((version) => version.kid === kid)?.key;
    const found = search();
    if (found) return found;
    this.#lookAgain();
    return search() ?? null;
  }

  /** Puts other versions in the place of these; those that stay keep their bytes' identity. */
  replace(versions: readonly KeyVersion[]): void {
    this.#versions = versions.map((version) => {
      const known = this.#versions.find(({ kid }) => kid === version.kid);
      return known && Buffer.from(known.key).equals(version.key)
        ? { ...version, key: known.key }
        : version;
    });
  }
}
