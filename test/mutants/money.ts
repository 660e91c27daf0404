/** Bugs about money: payments, refunds, the provider, and the books. */
import type { ByKiller } from "./mutant.ts";

export const ABOUT_MONEY: ByKiller = {
  "jobs/payments/stripe/payment-pages.test.ts": [
    {
      name: "whoever knows the id of an intent takes what was reserved",
      in: "jobs/payments/stripe/page-intent.ts isFor",
      drop: "charge.token === tokenOf(intent)",
      test: "a booking with a guessed secret takes nothing",
    },
    {
      name: "what one person has reserved pays for two bookings",
      in: "jobs/payments/stripe/page-intent.ts takeOver",
      instead: ["taken(key)", "taken(charge.key)"],
      test: "two bookings that take it at the same moment are one that has it",
    },
    {
      name: "an ended page keeps what was reserved",
      in: "jobs/payments/stripe/payment-pages.ts StripePages.end",
      drop: "isFree(intent)",
      test: "what was reserved is captured by the booking with its token, once",
    },
  ],
  "jobs/payments/payments.test.ts": [
    {
      name: "money moves before the provider's reference is journaled",
      in: "jobs/payments/settle-payment.ts PaymentRun.#referenced",
      instead: [
        "const isJournaled =",
        "if (reply.ok) return { ...payment, provider_ref: reply.ref }; const isJournaled =",
      ],
      test: "a captured payment confirms the booking, and its reference was journaled before",
    },
    {
      name: "a provider error (502) is final",
      in: "jobs/payments/settle-payment.ts PaymentRun.#withdraw",
      instead: ['result: "provider_error"', 'result: "declined"'],
      test: "after a provider error the same key starts a new attempt on the same hold",
    },
    {
      name: "a payment whose client has gone is confirmed",
      in: "jobs/payments/settle-payment.ts settlePayment",
      instead: ["deadline - settling.now()", "PAYMENT_BUDGET_MS"],
      test: "a job that comes after its deadline registers and cancels but does not confirm",
    },
    {
      name: "a process works on one payment twice at a time",
      in: "jobs/payments/worker.ts PaymentsWorker.wouldDrop",
      drop: "this.#active",
      test: "several jobs for one payment call the provider once",
    },
    {
      name: "one tenant may take all places",
      in: "jobs/payments/worker.ts PER_TENANT_MAX",
      always: "SLOTS_MAX",
      test: "slow payments of one tenant leave three quarters of the slots to the others",
    },
    {
      name: "each try of a refund has a key of its own",
      in: "jobs/payments/settle-refund.ts settleRefund",
      instead: ["key: refundId", "key: crypto.randomUUID()"],
      test: "a refund without a verdict is requested again under the same key",
    },
  ],
  "jobs/payments/stripe/stripe-provider.test.ts": [
    {
      name: "an authorized payment is captured although its booking has ended",
      in: "jobs/payments/stripe/stripe-provider.ts StripeProvider.confirm",
      drop: "!input.isWanted()",
      test: "a payment that is not wanted any more is cancelled between authorization and capture",
    },
    {
      name: "a registration that a stored 500 hides is made again",
      in: "jobs/payments/stripe/stripe-provider.ts StripeProvider.#registered",
      instead: ["intent.metadata.payment_id === paymentId", "false"],
      test: "a stored 500 to a registration (break) leads to the one that is there, each time the same",
    },
    {
      name: "a refund is made again when Stripe has forgotten its key",
      in: "jobs/payments/stripe/stripe-provider.ts StripeProvider.refund",
      drop: "if (known) return",
      test: "a refund that waits longer than Stripe keeps keys is not made again",
    },
    {
      name: "a card that asks for authentication stays authorizable",
      in: "jobs/payments/stripe/stripe-provider.ts StripeProvider.#authorized",
      instead: ['intent.status !== "requires_action"', "true"],
      test: "a card that asks for authentication is cancelled, and every read says why",
    },
    {
      name: "charges of another system on the account are ours",
      in: "jobs/payments/stripe/changes.ts listedOf",
      drop: "if (!payment_id",
      test: "charges of other systems on the account are not listed, and a failed page is no list",
    },
    {
      name: "an inquiry of a bank is a dispute",
      in: "jobs/payments/stripe/reports.ts disputeReportOf",
      instead: ["DISPUTE_STATES[dispute.status]", 'DISPUTE_STATES[dispute.status] ?? "open"'],
      test: "a dispute is read with its payment, and an inquiry is none",
    },
  ],
  "jobs/payments/reconcile.test.ts": [
    {
      name: "what the provider does not know is not looked for",
      in: "jobs/payments/reconcile.ts missingOf",
      instead: ["!listed.has(each)", "false"],
      test: "a captured payment that the provider does not know is missing there",
    },
    {
      name: "a refund that has succeeded is never read again",
      in: "jobs/payments/settle-refund.ts settleRefund",
      instead: ['refund.state === "failed"', 'refund.state !== "pending"'],
      test: "a refund that failed unheard is a difference, which the daily run heals",
    },
    {
      name: "a second capture of one payment is taken for the first",
      in: "jobs/payments/reconcile.ts findingOf",
      instead: ["payment.provider_ref !== ref", "false"],
      test: "a second registration of a payment is no difference, unless it took money",
    },
  ],
  "src/ops/ledger/ledger.test.ts": [
    {
      name: "a refund that fails after its success stays given back",
      in: "src/ops/ledger/movement.ts SIGNS",
      instead: ["refund_failed_after_success: 1", "refund_failed_after_success: 0"],
      test: "the days of a history add up to its payments, one by one",
    },
    {
      name: "a day of the ledger ends at midnight in UTC",
      in: "src/ops/ledger/day.ts Zones.of",
      always: '"UTC"',
      test: "a property that has moved to another time zone has its days from then on",
    },
    {
      name: "what a record says was refunded is not compared",
      in: "src/ops/ledger/compare.ts comparePayment",
      drop: 'found.equal("refunded"',
      test: "a payment's record that tells of another amount is found",
    },
    {
      name: "a receipt proves what it says, whatever its hash",
      in: "src/ops/ledger/compare.ts ownHash",
      always: '"its content\'s"',
      test: "a refund's record and its receipt that differ from their events are found",
    },
    {
      name: "rows that came during the comparison are not read",
      in: "src/ops/ledger/verify.ts verifyLedger",
      drop: "movements += take",
      test: "money that moves while it is compared is no difference",
    },
  ],
  "jobs/payments/stripe/webhook.test.ts": [
    {
      name: "a recorded event is accepted for ever",
      in: "jobs/payments/stripe/webhook.ts TOLERANCE_S",
      always: "0",
      test: "an old signature is refused",
    },
  ],
  "jobs/payments/at-once.test.ts": [
    {
      name: "a verdict at once comes without its reference",
      in: "jobs/payments/settle-payment.ts PaymentRun.#takeAtOnce",
      drop: "provider_ref",
      test: "money is taken in one call, and the reference is journaled with the verdict",
    },
    {
      name: "after an error at once nobody asks what became of the money",
      in: "jobs/payments/settle-payment.ts PaymentRun.#takeAtOnce",
      drop: "this.#referenced",
      test: "after an error the reference is journaled before its state is requested",
    },
    {
      name: "who has given up is charged at once",
      in: "jobs/payments/sandbox.ts SandboxProvider.#take",
      drop: "this.#isOver(signal)",
      test: "the sandbox takes money once, in one call or in two",
    },
  ],
  "engine/core/bookings/amended-quote.test.ts": [
    {
      name: "a stay that is charged at the property cannot be shortened",
      in: "engine/core/bookings/amended-quote.ts chargeOf",
      instead: ["now.total < before.total", "now.due_now < due_now"],
      test: "a stay that was extended at the property's charge is shortened again",
    },
    {
      name: "a change raises what was paid",
      in: "engine/core/bookings/amended-quote.ts chargeOf",
      instead: ["Math.min(now.due_now, due_now)", "now.due_now"],
      test: "after any changes a lower price can be refunded, a higher one charged at the property",
    },
  ],
  "engine/core/payments/payment.test.ts": [
    {
      name: "a reference that is known is journaled again with the verdict",
      in: "engine/core/payments/payment.ts eventsOf",
      drop: "known !== null",
      test: "a known reference is not journaled again with the verdict",
    },
  ],
  "jobs/payments/sweeper.test.ts": [
    {
      name: "payments without a verdict are not due",
      in: "jobs/payments/sweeper.ts Sweeper.#isOpen",
      drop: 'kind === "payment" && state === "unknown"',
      test: "an hour without a verdict makes about 130 attempts",
    },
    {
      name: "a clock that is set back stops the sweeps",
      in: "jobs/payments/sweeper.ts Sweeper.sweep",
      instead: ["Math.max(0, nowMs - this.#lastNowMs)", "nowMs - this.#lastNowMs"],
      test: "a clock that is set back delays no attempt",
    },
    {
      name: "each sweep reads everything that is open",
      in: "jobs/payments/sweeper.ts Sweeper.#learn",
      drop: "sameMs > this.#fromId[kind]",
      test: "a sweep over 50,000 open payments costs only the payments that are due",
    },
  ],
  "jobs/payments/provider-contract.test.ts": [
    {
      name: "a second charge of one booking key takes money",
      in: "jobs/payments/sandbox-ledger.ts SandboxLedger.isBlocked",
      always: "false",
      test: "a second charge of one booking key takes no money while the first stands",
    },
  ],
};
