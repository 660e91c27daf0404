/**
 * MACs of what processes tell each other through Redis. Whoever can write to Redis must not be able
 * to command, to answer or to set a price, so each message carries an HMAC-SHA256 under a key that
 * only this installation has, and a message whose MAC is wrong has no effect.
 *
 * Maintained invariant: a message is accepted only as the kind and at the place (queue, channel or
 * key) that it was written for. Places begin with the prefix of `queues.ts`, so they also name the
 * installation and the journal.
 */
import { hkdfSync, timingSafeEqual } from "node:crypto";
import type { Log } from "../engine/shell/service.ts";
import { troubleTeller } from "./trouble.ts";

/** Each kind has a key of its own. */
export const MESSAGE_KINDS = [
  "board",
  "commands",
  "feeds",
  "payments",
  "quotes",
  "replies",
  "webhooks",
] as const;
export type MessageKind = (typeof MESSAGE_KINDS)[number];

/** For how long after a refused message the installation counts as attacked. */
const REFUSED_LATELY_MS = 600_000;

/** The secret that message keys are derived from, in all its versions (`KeyVersions`). */
export interface MessageSecret {
  current(): { readonly kid: string; readonly key: Uint8Array };
  find(kid: string): Uint8Array | null;
}

export interface RefusedMessages {
  readonly kind: MessageKind;
  readonly count: number;
  /** Whether the last one came within ten minutes. */
  readonly isRecent: boolean;
}

/** Writes and reads the messages of one process, and counts those that it refuses. */
export class MessageMacs {
  readonly #secret: MessageSecret;
  readonly #tell: (error: unknown) => void;
  readonly #nowMs: () => number;
  /** By kind and version of the secret: the secret's bytes, and a hasher that has the key. */
  readonly #hashers = new Map<string, { secret: Uint8Array; hasher: Bun.CryptoHasher }>();
  readonly #refused = new Map<MessageKind, { count: number; lastMs: number }>();

  /** `nowMs` is a steady clock. */
  constructor(secret: MessageSecret, log: Log, nowMs: () => number = () => performance.now()) {
    this.#secret = secret;
    this.#tell = troubleTeller(log, "messages on Redis", nowMs);
    this.#nowMs = nowMs;
  }

  /** The message as it may lie in Redis: `<kid>.<MAC, base64url>.<body>`. */
  write(kind: MessageKind, place: string, body: string): string {
    const { kid, key } = this.#secret.current();
    const mac = this.#hasher(kind, kid, key).update(`${place}\n`).update(body).digest("base64url");
    return `${kid}.${mac}.${body}`;
  }

  /** The body of a message, or null for anything that `write` has not made for this place. */
  read(kind: MessageKind, place: string, message: unknown): string | null {
    const body = typeof message === "string" ? this.#bodyOf(kind, place, message) : null;
    if (body === null) this.#refuse(kind, place);
    return body;
  }

  /** What was refused since the process began, of each kind. */
  refused(): RefusedMessages[] {
    return MESSAGE_KINDS.map((kind) => {
      const { count = 0, lastMs = Number.NEGATIVE_INFINITY } = this.#refused.get(kind) ?? {};
      return { kind, count, isRecent: this.#nowMs() - lastMs < REFUSED_LATELY_MS };
    });
  }

  #bodyOf(kind: MessageKind, place: string, message: string): string | null {
    const kidEnd = message.indexOf(".");
    const macEnd = message.indexOf(".", kidEnd + 1);
    const kid = message.slice(0, kidEnd);
    const key = macEnd < 0 ? null : this.#secret.find(kid);
    if (key === null) return null;
    const body = message.slice(macEnd + 1);
    const mac = this.#hasher(kind, kid, key).update(`${place}\n`).update(body).digest();
    const sent = Buffer.from(message.slice(kidEnd + 1, macEnd), "base64url");
    return sent.length === mac.length && timingSafeEqual(sent, mac) ? body : null;
  }

  #hasher(kind: MessageKind, kid: string, secret: Uint8Array): Bun.CryptoHasher {
    const name = `${kind} ${kid}`;
    let known = this.#hashers.get(name);
    if (known?.secret !== secret) {
      const key = hkdfSync("sha256", secret, "", `innkeep redis ${kind}`, 32);
      known = { secret, hasher: new Bun.CryptoHasher("sha256", new Uint8Array(key)) };
      this.#hashers.set(name, known);
    }
    return known.hasher.copy();
  }

  #refuse(kind: MessageKind, place: string): void {
    const count = (this.#refused.get(kind)?.count ?? 0) + 1;
    this.#refused.set(kind, { count, lastMs: this.#nowMs() });
    // The place of a quote is told by its kind: the text would be another one each time.
    const at = kind === "quotes" || kind === "board" ? "" : ` at ${place}`;
    this.#tell(`refused a message without a valid MAC: ${kind}${at}`);
  }
}
