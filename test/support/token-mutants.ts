/**
 * Random changes to good delegation tokens: of their text, their parts, their bytes, and of what
 * their header and claims say, signed by a trusted key, by a stranger's, or not again.
 */
import type { Random } from "../sim/random.ts";
import {
  b64,
  ELSEWHERE,
  ES_ONLY,
  FOREIGN,
  type Forger,
  ISS,
  type Json,
  NEIGHBOUR,
} from "./forger.ts";

export interface Mutant {
  /** What was done, for messages. */
  readonly kind: string;
  readonly token: string;
  /** True when a trusted key has signed exactly this, so that it may be good. */
  readonly isSigned: boolean;
}

const CHARACTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
const OTHER_CHARACTERS = "+/=. ,\"'%~";
const STRANGE: readonly unknown[] = [
  ...[null, true, false, "", " ", "x", 0, -1, 1, 0.5, 1e21, -1e300, Number.MAX_SAFE_INTEGER],
  ...[[], {}, [[]], [null], [0], { a: 1 }, "\u0000", "\ud800", "é", "𝔸", "\u202e", "__proto__"],
  ...["x".repeat(5000), Array(500).fill("x"), "null", "0", "none", "ES256", "RS256", "HS256"],
];
const HEADERS = [
  ...["alg", "kid", "typ", "cty", "crit", "jwk", "jku", "x5u", "x5c", "x5t", "b64", "zip", "enc"],
  ...["__proto__", "constructor", "ALG", "Kid", "iss"],
];
const CLAIMS = [
  ...["iss", "sub", "aud", "exp", "nbf", "iat", "jti"],
  ...["azp", "client_id", "hold_id", "max_amount"],
  ...["__proto__", "toString", "ISS", "scope"],
];
const TYPES = ["JWT", "jwt", "delegation+jwt", "application/JWT", "at+jwt", "x/jwt", ["JWT"]];
const SECONDS = [0, 1, 59, 60, 61, 299, 300, 599, 600, 601, 660, 661, 3600, 86_400, 1e9];

type Kind = "text" | "parts" | "bytes" | "header" | "claims" | "duplicate" | "json";

const KINDS: Readonly<Record<Kind, number>> = {
  ...{ text: 3, parts: 2, bytes: 2, header: 3, claims: 5, duplicate: 2, json: 1 },
};

export class Mutants {
  readonly #random: Random;
  readonly #forger: Forger;
  readonly #untouched = new Set<string>();

  constructor(random: Random, forger: Forger) {
    this.#random = random;
    this.#forger = forger;
  }

  /** The next one. It may be the good token itself. */
  async next(): Promise<Mutant> {
    const kind = this.#random.weighted(KINDS);
    const made = await this.#make(kind);
    const isSigned = made.isSigned === true || this.#untouched.has(made.token);
    return { token: made.token, isSigned, kind: `${kind} ${made.kind ?? ""}`.trim() };
  }

  #make(kind: Kind): Promise<Partial<Mutant> & Pick<Mutant, "token">> {
    switch (kind) {
      case "text":
        return this.#changedText();
      case "parts":
        return this.#changedParts();
      case "bytes":
        return this.#changedBytes();
      case "header":
        return this.#resigned({}, this.#edits(HEADERS));
      case "claims":
        return this.#resigned(this.#edits(CLAIMS), {});
      case "duplicate":
        return this.#duplicated();
      case "json":
        return this.#oddJson();
    }
  }

  async #good(claims: Json = {}): Promise<string> {
    const token = await this.#forger.sign(claims, this.#random.chance(20) ? { alg: "RS256" } : {});
    this.#untouched.add(token);
    return token;
  }

  /** One to three characters changed, put in or taken out, or the end cut off. */
  async #changedText() {
    let token = await this.#good();
    for (let left = this.#random.between(1, 3); left > 0; left -= 1) {
      const at = this.#random.below(token.length);
      const set = this.#random.chance(80) ? CHARACTERS : OTHER_CHARACTERS;
      const character = this.#random.pick([...set]);
      const way = this.#random.weighted({ change: 5, insert: 2, remove: 2, cut: 1 });
      if (way === "change") token = token.slice(0, at) + character + token.slice(at + 1);
      if (way === "insert") token = token.slice(0, at) + character + token.slice(at);
      if (way === "remove") token = token.slice(0, at) + token.slice(at + 1);
      if (way === "cut") token = token.slice(0, at);
    }
    return { token };
  }

  /** Parts of two tokens in any number and order. */
  async #changedParts() {
    const other = await this.#good({ sub: "traveler-2", exp: this.#forger.at(200) });
    const pool = [...(await this.#good()).split("."), ...other.split("."), ""];
    const count = this.#random.weighted({ 1: 1, 2: 2, 3: 14, 4: 2, 5: 1 });
    const parts = Array.from({ length: Number(count) }, () => this.#random.pick(pool));
    return { token: parts.join(".") };
  }

  /** Bits of one decoded part flipped; the spelling stays good. */
  async #changedBytes() {
    const parts = (await this.#good()).split(".");
    const which = this.#random.below(3);
    const bytes = Buffer.from(parts[which]!, "base64url");
    for (let left = this.#random.between(1, 4); left > 0; left -= 1) {
      const at = this.#random.below(bytes.length);
      bytes[at] = bytes[at]! ^ (1 << this.#random.below(8));
    }
    parts[which] = b64(bytes);
    return { token: parts.join("."), kind: String(which) };
  }

  /** One or two members replaced or left out. */
  #edits(names: readonly string[]): Json {
    const edits: [string, unknown][] = [];
    for (let left = this.#random.between(1, 2); left > 0; left -= 1) {
      const name = this.#random.pick(names);
      edits.push([name, this.#value(name)]);
    }
    return Object.fromEntries(edits);
  }

  #value(name: string): unknown {
    if (this.#random.chance(15)) return undefined;
    if (this.#random.chance(35)) return this.#random.pick(STRANGE);
    const { audience, agentId } = this.#forger;
    if (name === "iss") {
      return this.#random.pick([ISS, ES_ONLY, ELSEWHERE, NEIGHBOUR, FOREIGN, audience]);
    }
    if (name === "typ") return this.#random.pick(TYPES);
    if (name === "azp" || name === "client_id") {
      return this.#random.pick([agentId, "agt_another", agentId.toUpperCase(), [agentId]]);
    }
    if (name === "aud") {
      return this.#random.pick([audience, [audience], ["x", audience], [audience, 1], "x"]);
    }
    if (name === "alg") return this.#random.pick(["ES256", "RS256", "HS256", "none", "PS256"]);
    if (name === "kid") return this.#random.pick(["es", "rs", "enc", "neighbour", "ES"]);
    if (["exp", "nbf", "iat"].includes(name)) {
      return this.#forger.at(this.#random.pick(SECONDS) * this.#random.pick([1, -1]));
    }
    if (name === "max_amount") return this.#random.between(0, 1_000_000);
    return this.#random.pick(["traveler-2", "hld_1", "JWT", "at+jwt", ["x"], 7]);
  }

  /** Signed as the header says, if it can be, by a trusted key, a stranger's or nobody. */
  async #resigned(claims: Json, header: Json) {
    const alg = this.#random.chance(25) ? "RS256" : "ES256";
    const kid = alg === "RS256" ? "rs" : "es";
    const head = JSON.stringify({ alg, kid, ...header });
    const body = JSON.stringify({ ...this.#forger.goodClaims(), ...claims });
    return this.#signed(head, body, alg);
  }

  async #signed(head: string, body: string, alg = "ES256") {
    const signer = this.#random.weighted({ trusted: 6, stranger: 2, nobody: 1 });
    const { es, rs, stranger, strangerRs } = this.#forger;
    const [own, other] = alg === "RS256" ? [rs, strangerRs] : [es, stranger];
    const pair = signer === "trusted" ? own : other;
    const signed = await this.#forger.signParts(b64(head), b64(body), pair);
    const token = signer === "nobody" ? signed.replace(/[^.]+$/, "") : signed;
    return { token, kind: signer, isSigned: signer === "trusted" };
  }

  /** A member that is there twice. The last one counts (RFC 7515 §4). */
  #duplicated() {
    const inHeader = this.#random.chance(40);
    const names = inHeader ? HEADERS : CLAIMS;
    const name = this.#random.pick(names);
    const value = JSON.stringify(this.#value(name) ?? null);
    const member = `${JSON.stringify(name)}:${value}`;
    const twice = (text: string) =>
      this.#random.chance(50) ? `{${member},${text.slice(1)}` : `${text.slice(0, -1)},${member}}`;
    const head = '{"alg":"ES256","kid":"es"}';
    const body = JSON.stringify(this.#forger.goodClaims());
    return this.#signed(inHeader ? twice(head) : head, inHeader ? body : twice(body));
  }

  /** Texts that parsers disagree about. */
  #oddJson() {
    const body = JSON.stringify(this.#forger.goodClaims());
    const bodies = [
      ...[` ${body}\n`, `\uFEFF${body}`, `${body}x`, `${body}${body}`, `[${body}]`, `${body},`],
      ...[body.replace(/"exp":\d+/, '"exp":1e999'), body.replace(/"exp":/, '"exp":-')],
      ...[body.replace(/"exp":(\d+)/, '"exp":$1.5'), body.replace(/"exp":(\d+)/, '"exp":$10e-1')],
      ...[
        body.replace(/"exp":/, '"exp":0'),
        body.replaceAll('"', "'"),
        body.replace("iss", "\\u0069ss"),
      ],
      ...[
        body.replace("traveler", "tra\nveler"),
        `{"a":${"[".repeat(2500)}${"]".repeat(2500)},${body.slice(1)}`,
      ],
      ...[body.replace("traveler-1", "\\ud800"), "{}", "", "null", "NaN", "//", "{__proto__:null}"],
    ];
    return this.#signed('{"alg":"ES256","kid":"es"}', this.#random.pick(bodies));
  }
}
