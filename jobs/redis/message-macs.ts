/**
 * MACs of messages through Redis. Write access to Redis must not be enough to send commands, forge
 * answers or set prices. So each message has an HMAC-SHA256 under a key of this installation, and a
 * message with a wrong MAC has no effect.
 *
 * Invariant: a message is accepted only as its kind and at its address (queue, channel or key).
 * Addresses start with the prefix of `queues.ts`, which identifies installation and journal.
 */
import { hkdfSync, timingSafeEqual } from "node:crypto";
import type { Log } from "../../src/lib/service.ts";
import { throttledWarnings } from "./throttled-warnings.ts";

/** Each kind has its own key. */
export const MESSAGE_KINDS = ["board", "commands", "payments", "quotes", "replies"] as const;
export type MessageKind = (typeof MESSAGE_KINDS)[number];

/** How long a refused message counts as a recent attack. */
const RECENT_MS = 600_000;

/** The secret that message keys are derived from, with its versions (`KeyVersions`). */
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

/** Signs and verifies the messages of one process, and counts refused ones. */
export class MessageMacs {
  readonly #secret: MessageSecret;
  readonly #warn: (error: unknown) => void;
  readonly #nowMs: () => number;
  /** By kind and version: the secret, and a hasher initialised with the key. */
  readonly #hashers = new Map<string, { secret: Uint8Array; hasher: Bun.CryptoHasher }>();
  readonly #refused = new Map<MessageKind, { count: number; lastMs: number }>();

  /** `nowMs` is a steady clock. */
  constructor(secret: MessageSecret, log: Log, nowMs: () => number = () => performance.now()) {
    this.#secret = secret;
    this.#warn = throttledWarnings(log, "messages on Redis", nowMs);
    this.#nowMs = nowMs;
  }

  /** The message as stored in Redis: `<kid>.<MAC, base64url>.<body>`. */
  write(kind: MessageKind, address: string, body: string): string {
    const { kid, key } = this.#secret.current();
    const mac = this.#hasher(kind, kid, key)
      .update(`${address}\n`)
      .update(body)
      .digest("base64url");
    return `${kid}.${mac}.${body}`;
  }

  /** The body of a message; null for anything but a result of `write` for this address. */
  read(kind: MessageKind, address: string, message: unknown): string | null {
    const body = typeof message === "string" ? this.#bodyOf(kind, address, message) : null;
    if (body === null) this.#refuse(kind, address);
    return body;
  }

  /** Refused messages since the start of the process, by kind. */
  refused(): RefusedMessages[] {
    return MESSAGE_KINDS.map((kind) => {
      const { count = 0, lastMs = Number.NEGATIVE_INFINITY } = this.#refused.get(kind) ?? {};
      return { kind, count, isRecent: this.#nowMs() - lastMs < RECENT_MS };
    });
  }

  #bodyOf(kind: MessageKind, address: string, message: string): string | null {
    const kidEnd = message.indexOf(".");
    const macEnd = message.indexOf(".", kidEnd + 1);
    const kid = message.slice(0, kidEnd);
    const key = macEnd < 0 ? null : this.#secret.find(kid);
    if (key === null) return null;
    const body = message.slice(macEnd + 1);
    const mac = this.#hasher(kind, kid, key).update(`${address}\n`).update(body).digest();
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

  #refuse(kind: MessageKind, address: string): void {
    const count = (this.#refused.get(kind)?.count ?? 0) + 1;
    this.#refused.set(kind, { count, lastMs: this.#nowMs() });
    // Addresses of quotes and posts differ each time, so only the kind is logged.
    const at = kind === "quotes" || kind === "board" ? "" : ` at ${address}`;
    this.#warn(`refused a message without a valid MAC: ${kind}${at}`);
  }
}
