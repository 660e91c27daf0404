/**
 * The sandbox's magic tokens with their behaviour and descriptions; all docs about
 * them are made from this table. Only the behaviour is stored, never the token.
 */

interface Script {
  readonly outcome: "captured" | "declined";
  /** From the first confirm to the verdict; null: confirm fails and nothing starts. */
  readonly delayMs: number | null;
  /** The first confirm gets no answer, whatever the verdict. */
  readonly silent: boolean;
  /** The provider's code and message for a decline. */
  readonly code?: string;
  readonly message?: string;
  /** The result for a booking; `backticks` mark code. */
  readonly does: string;
}

const CAPTURED = { outcome: "captured", delayMs: 0, silent: false } as const;
const DECLINED = {
  outcome: "declined",
  delayMs: 0,
  silent: false,
  code: "card_declined",
  message: "The card was declined.",
} as const;
const NO_FUNDS = { code: "insufficient_funds", message: "The card has insufficient funds." };

/** Longer than the 10 s in which a booking is answered. */
const PAST_BUDGET_MS = 11_000;

const SCRIPTS = {
  ok: {
    ...CAPTURED,
    does: "The payment is captured and the booking confirmed, as with any token not named here.",
  },
  declined: {
    ...DECLINED,
    does:
      "`402 payment_failed` with `provider_code` `card_declined`. The hold stays: book again with " +
      "another token and a new key.",
  },
  insufficient_funds: {
    ...DECLINED,
    ...NO_FUNDS,
    does: "`402 payment_failed` with `provider_code` `insufficient_funds`. The hold stays.",
  },
  provider_error: {
    ...CAPTURED,
    delayMs: null,
    does:
      "`502 payment_provider_error`: nothing was charged. The same key starts a new attempt, " +
      "which fails as well; the hold can be booked with another token and a new key.",
  },
  timeout_then_captured: {
    ...CAPTURED,
    delayMs: PAST_BUDGET_MS,
    silent: true,
    does:
      "`504 payment_timeout` after 10 seconds, and the capture a second later. The same key then " +
      "answers `201` with the booking.",
  },
  timeout_then_failed: {
    ...DECLINED,
    delayMs: PAST_BUDGET_MS,
    silent: true,
    does:
      "`504 payment_timeout` after 10 seconds, then a decline. The same key then answers " +
      "`402 payment_failed`.",
  },
  refund_fails: {
    ...CAPTURED,
    does:
      "The payment is captured; every refund of it fails: a cancellation stands and answers " +
      "`refund.state` `failed`.",
  },
  slow_9s: {
    ...CAPTURED,
    delayMs: 9_000,
    does: "The payment is captured after 9 seconds, just within the 10 of a booking.",
  },
} as const satisfies Record<string, Script>;

export type Behaviour = keyof typeof SCRIPTS;

const MAGIC_PREFIX = "tok_test_";

/** The behaviour of a token; tokens that are not magic succeed. */
export function behaviourOf(token: string): Behaviour {
  const name = token.startsWith(MAGIC_PREFIX) ? token.slice(MAGIC_PREFIX.length) : "ok";
  return Object.hasOwn(SCRIPTS, name) ? (name as Behaviour) : "ok";
}

/** How a charge of this behaviour runs after its confirm. */
export function scriptOf(behaviour: Behaviour): Script {
  return SCRIPTS[behaviour];
}

interface Simulation {
  readonly token: string;
  /** `backticks` mark code. */
  readonly does: string;
}

/** Every magic token with its description. */
export const SIMULATIONS: readonly Simulation[] = Object.entries(SCRIPTS).map(
  ([name, { does }]) => ({ token: MAGIC_PREFIX + name, does }),
);
