/**
 * What two runs of the same program cannot have in common, replaced by what they must have in
 * common: an id becomes its kind and the number of its first appearance, so that the same id in two
 * places stays the same. Everything else stays as it is, to the byte.
 */

/** Ids that a recording chooses itself start like this; they are the same in every run. */
export const OWN = "5eed";

interface Pattern {
  /** Name of what it finds; without one the text before `_` in it is the name. */
  readonly name?: string;
  /** What the groups `before` and `after` hold stays, the rest is replaced. */
  readonly pattern: RegExp;
  /** All look alike: which is which follows from time alone. */
  readonly isAlike?: boolean;
}

/** A quote as JSON has it, or as JSON inside a JSON string has it. */
const Q = String.raw`\\?"`;

/** A JSON member with a text value. */
function member(name: string, names: string, value: string, isAlike = false): Pattern {
  const pattern = new RegExp(`(?<before>${Q}(?:${names})${Q}:\\s?${Q})${value}(?<after>${Q})`, "g");
  return { name, pattern, isAlike };
}

/** A JSON member with a number, or with null beside a text. */
function bare(name: string, names: string, value: string): Pattern {
  return {
    name,
    pattern: new RegExp(`(?<before>${Q}(?:${names})${Q}:\\s?)${value}`, "g"),
    isAlike: true,
  };
}

/** Whatever stands after a text. */
function after(name: string, before: string, value: string): Pattern {
  return { name, pattern: new RegExp(`(?<before>${before})${value}`, "g") };
}

/** How long a caller over its rate is to wait; what others are told is fixed. */
function bucket(): Pattern {
  const before = `${Q}code${Q}:${Q}rate_limited${Q}[^]*?${Q}retry_after${Q}:`;
  return { name: "s", pattern: new RegExp(`(?<before>${before})\\d+`, "g"), isAlike: true };
}

const HASH = "sha256:[0-9a-f]{64}";

/** In this order: a pattern does not see what an earlier one has replaced. */
const PATTERNS: readonly Pattern[] = [
  bare("seen", "last_seen_at|last_used_at", `(?:null|${Q}[^"\\\\]*${Q})`),
  bucket(),
  bare("epoch", "exp|iat|nbf", String.raw`\d{10}`),
  member("protected", "protected", "[\\w-]+"),
  member("signature", "signature", "[\\w-]{20,}"),
  // The hash of a price is left: it follows from the price alone.
  member("hash", "policy_hash|prev_hash|payload_hash", HASH),
  after("hash", `${Q}captured_at${Q}:${Q}[^"\\\\]*${Q},${Q}hash${Q}:${Q}`, HASH),
  after("hash", `${Q}policy${Q}:\\{${Q}hash${Q}:${Q}`, HASH),
  after("hash", `${Q}prev_hash${Q}:(?:null|${Q}<hash#\\d+>${Q}),${Q}hash${Q}:${Q}`, HASH),
  member("kid", "kid", '(?!receipt-|rec-)[^"\\\\]{8,}'),
  member("coordinate", "x|y|n", "[\\w-]{40,}"),
  member("code", "confirmation_code", '[^"\\\\]+'),
  member("last4", "last4", '[^"\\\\]+', true),
  { name: "basic", pattern: /(?<before>Basic )[\w+/=]{40,}/gi },
  { name: "jwt", pattern: /eyJ[\w-]+\.eyJ[\w-]+(?:\.[\w-]*)?/g },
  { name: "secret", pattern: /ik_(?:live|test)_[0-9A-Za-z]{42}/g },
  { pattern: /\b(?:qt|hld|bkg|pay|rfd|agt|crd|iss)_[0-9a-z]{28,38}\b/g },
  {
    name: "uuid",
    pattern: /\b(?!5eed)[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi,
  },
  { name: "trace", pattern: /\b(?!5eed)[0-9a-f]{32}\b/g },
];

const INSTANT = /\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2})/g;
const EPOCH_MS = /(?<![\w.-])\d{13}(?![\w.-])/g;
const DAY_MS = 86_400_000;

function isNow(epochMs: number): boolean {
  return Math.abs(epochMs - Date.now()) < 2 * DAY_MS;
}

/** Replaces in texts; one for a whole recording, because it remembers. */
export class Normaliser {
  readonly #numbers = new Map<string, string>();
  readonly #counts = new Map<string, number>();
  readonly #tags = new Map<string, string>();

  /** The text with everything replaced that is not the same in every run. */
  text(text: string): string {
    let out = this.#tags.size > 0 ? this.#withoutTags(text) : text;
    for (const { name, pattern, isAlike } of PATTERNS) {
      out = out.replace(pattern, (...args) => {
        const { before = "", after = "" } = (args.at(-1) as Groups | undefined) ?? {};
        const [found] = args as unknown as [string];
        const value = found.slice(before.length, found.length - after.length);
        return before + (isAlike ? `<${name}>` : this.#numbered(name, value)) + after;
      });
    }
    return out
      .replace(EPOCH_MS, (found) => (isNow(Number(found)) ? "<now in ms>" : found))
      .replace(INSTANT, (found, fraction = "", zone = "") => {
        return isNow(Date.parse(found)) ? `<now${fraction === "" ? "" : ".ms"}${zone}>` : found;
      });
  }

  /** The ETag of a body in which something was replaced; from now on replaced everywhere. */
  derivedTag(etag: string): string {
    const opaque = etag.replace(/^W\//, "");
    this.#tags.set(opaque, this.#numbered("etag", opaque));
    return this.#withoutTags(etag);
  }

  #withoutTags(text: string): string {
    return text.replace(/"[0-9a-z]+"/g, (tag) => this.#tags.get(tag) ?? tag);
  }

  #numbered(given: string | undefined, value: string): string {
    const name = given ?? value.slice(0, value.indexOf("_"));
    const key = `${name} ${value}`;
    const known = this.#numbers.get(key);
    if (known !== undefined) return known;
    const count = (this.#counts.get(name) ?? 0) + 1;
    this.#counts.set(name, count);
    const numbered = `<${name}#${count}>`;
    this.#numbers.set(key, numbered);
    return numbered;
  }
}

type Groups = { readonly before?: string; readonly after?: string };
