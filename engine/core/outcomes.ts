/**
 * What a command came to. A refusal is a value with one of the catalogue's codes, never a throw.
 * Outcomes are journaled and rendered by a pure function of themselves and immutable supply
 * versions, so a replay is byte-identical after any restart: every value that comes from
 * configuration, keys or the request (trace id, docs base, receipts) is stored inside.
 */

import type { RefusalCode } from "./refusals.ts";

export interface Rejection {
  readonly code: RefusalCode;
  readonly detail: Readonly<Record<string, unknown>>;
  /** Seconds; only where rules §9 gives the code a number that depends on state. */
  readonly retry_after?: number;
  /** Ids and ready bodies that recovery calls need and `detail` does not carry. */
  readonly hints?: Readonly<Record<string, unknown>>;
}

/** Spec 2.4. `signature` is empty between the core, which fixes the content, and the shell. */
export interface Receipt {
  readonly kind: "booking_confirmed" | "booking_cancelled" | "refund_issued";
  readonly issuer: string;
  readonly issued_at: string;
  readonly subject: Readonly<Record<string, string | number>>;
  readonly payload_hash: string;
  readonly algorithm: "HS256";
  readonly kid: string;
  readonly signature: string;
}

export type OutcomeKind =
  | "property"
  | "promotion"
  | "ari"
  | "fx"
  | "hold"
  | "hold_extended"
  | "hold_released"
  | "booking"
  | "cancellation"
  | "internal";

/** Version of the rendering rules an outcome was stored under. */
export const RENDER_VERSION = 1;

export interface Success {
  readonly ok: true;
  readonly render: typeof RENDER_VERSION;
  readonly kind: OutcomeKind;
  readonly trace_id: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly receipt?: Receipt;
  /** What next actions need and `data` does not carry. */
  readonly hints?: Readonly<Record<string, unknown>>;
}

export interface Refusal extends Rejection {
  readonly ok: false;
  readonly render: typeof RENDER_VERSION;
  readonly trace_id: string;
  /** Base of `docs_url`, without trailing slash. */
  readonly docs: string;
}

export type Outcome = Success | Refusal;

/**
 * Where an idempotency key stands: `sealed` for ever, `running` while its payment is open,
 * `open` when the attempt ended without a verdict (rules §7, provider error) and the same key may
 * start another one. `transient` outcomes were never journaled.
 */
export type KeyPhase = "sealed" | "running" | "open" | "transient";
