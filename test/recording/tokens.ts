/** Delegation tokens of issuers whose keys are made anew for each recording. */
import { type CryptoKey, exportJWK, generateKeyPair, type JWK, SignJWT } from "jose";

type Json = Readonly<Record<string, unknown>>;

export const AUDIENCE = "https://innkeep.test";
export const ISS = "https://issuer.example";

interface Pair {
  readonly publicKey: CryptoKey;
  readonly privateKey: CryptoKey;
  readonly jwk: JWK;
}

async function newPair(alg: string, kid: string): Promise<Pair> {
  const pair = await generateKeyPair(alg, { extractable: true });
  return { ...pair, jwk: { ...(await exportJWK(pair.publicKey)), kid, alg, use: "sig" } };
}

/** The keys of good issuers, and one that nobody knows. */
export class Tokens {
  readonly es: Pair;
  readonly rs: Pair;
  readonly stranger: Pair;
  #count = 0;

  private constructor(es: Pair, rs: Pair, stranger: Pair) {
    this.es = es;
    this.rs = rs;
    this.stranger = stranger;
  }

  /** Makes all keys. */
  static async open(): Promise<Tokens> {
    const pairs = [newPair("ES256", "rec-es"), newPair("RS256", "rec-rs"), newPair("ES256", "x")];
    const [es, rs, stranger] = (await Promise.all(pairs)) as [Pair, Pair, Pair];
    return new Tokens(es, rs, stranger);
  }

  /** What an issuer is registered with. */
  get jwks() {
    return { keys: [this.es.jwk, this.rs.jwk] };
  }

  /** A token with nothing wrong but what `claims` (undefined leaves one out) and `header` say. */
  sign(claims: Json = {}, header: Json = {}, pair?: Pair): Promise<string> {
    const iat = Math.floor(Date.now() / 1000);
    // A signature of RS256 follows from the claims: two tokens of one second shall differ.
    this.#count += 1;
    const jti = `jti-${this.#count}`;
    const good = { iss: ISS, sub: "traveler-1", aud: AUDIENCE, iat, exp: iat + 300, jti };
    const isRs = header.alg === "RS256";
    const { privateKey } = pair ?? (isRs ? this.rs : this.es);
    return new SignJWT({ ...good, ...claims })
      .setProtectedHeader({ alg: "ES256", kid: isRs ? "rec-rs" : "rec-es", ...header })
      .sign(privateKey);
  }

  /** Every token that a booking refuses, by what is wrong with it. */
  async bad(): Promise<Readonly<Record<string, string>>> {
    const now = Math.floor(Date.now() / 1000);
    const [head = "", claims = "", signature = ""] = (await this.sign()).split(".");
    const none = Buffer.from('{"alg":"none"}').toString("base64url");
    return {
      "no token": "not.a.token",
      "two parts": `${head}.${claims}`,
      unsigned: `${none}.${claims}.`,
      "bad signature": `${head}.${claims}.${signature.slice(0, -6)}AAAAAA`,
      "other key": await this.sign({}, {}, this.stranger),
      "unknown kid": await this.sign({}, { kid: "rec-unknown" }),
      "no sub": await this.sign({ sub: undefined }),
      "no aud": await this.sign({ aud: undefined }),
      "no exp": await this.sign({ exp: undefined }),
      "other audience": await this.sign({ aud: "https://elsewhere.example" }),
      "unknown issuer": await this.sign({ iss: "https://unknown.example" }),
      "suspended issuer": await this.sign({ iss: "https://suspended.example" }),
      "revoked issuer": await this.sign({ iss: "https://revoked.example" }),
      "issuer of others": await this.sign({ iss: "https://elsewhere.example" }),
      "algorithm not allowed": await this.sign(
        { iss: "https://es-only.example" },
        { alg: "RS256" },
      ),
      expired: await this.sign({ iat: now - 900, exp: now - 600 }),
      "not yet": await this.sign({ nbf: now + 900, exp: now + 1000 }),
      "too long": await this.sign({ exp: now + 90_000 }),
      "other hold": await this.sign({ hold_id: "hld_other" }),
      "too little": await this.sign({ max_amount: 1 }),
      "bound by text": await this.sign({ max_amount: "1" }),
    };
  }
}
