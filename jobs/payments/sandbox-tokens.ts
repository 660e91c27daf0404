/**
 * What each magic token makes the sandbox do (domain §19). Only the class of behaviour is ever
 * stored, never the token.
 */

interface Script {
  readonly outcome: "captured" | "declined";
  /** From the first confirm to the verdict; null: confirm answers an error and nothing starts. */
  readonly delayMs: number | null;
  /** The confirm that started it gets no answer, whatever the verdict. */
  readonly silent: boolean;
  /** The provider's words on a decline. */
  readonly code?: string;
  readonly message?: string;
}

const CAPTURED: Script = { outcome: "captured", delayMs: 0, silent: false };
const DECLINED: Script = {
  outcome: "declined",
  delayMs: 0,
  silent: false,
  code: "card_declined",
  message: "The card was declined.",
};
const NO_FUNDS = { code: "insufficient_funds", message: "The card has insufficient funds." };

/** Longer than the 10 s in which a booking is answered. */
const PAST_BUDGET_MS = 11_000;

const SCRIPTS = {
  ok: CAPTURED,
  declined: DECLINED,
  insufficient_funds: { ...DECLINED, ...NO_FUNDS },
  provider_error: { ...CAPTURED, delayMs: null },
  timeout_then_captured: { ...CAPTURED, delayMs: PAST_BUDGET_MS, silent: true },
  timeout_then_failed: { ...DECLINED, delayMs: PAST_BUDGET_MS, silent: true },
  refund_fails: CAPTURED,
  slow_9s: { ...CAPTURED, delayMs: 9_000 },
} as const satisfies Record<string, Script>;

export type Behaviour = keyof typeof SCRIPTS;

const MAGIC_PREFIX = "tok_test_";

/** The behaviour a token asks for; every token that is not magic succeeds (rules §7). */
export function behaviourOf(token: string): Behaviour {
  const name = token.startsWith(MAGIC_PREFIX) ? token.slice(MAGIC_PREFIX.length) : "ok";
  return Object.hasOwn(SCRIPTS, name) ? (name as Behaviour) : "ok";
}

/** How a charge of this behaviour runs once it is confirmed. */
export function scriptOf(behaviour: Behaviour): Script {
  return SCRIPTS[behaviour];
}
