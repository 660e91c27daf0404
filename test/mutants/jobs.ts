/** Bugs in what happens beside the engine: lanes, payments, refunds, calls to others. */
import type { ByKiller } from "./mutant.ts";

export const IN_JOBS: ByKiller = {
  "jobs/kpis/traffic.test.ts": [
    {
      name: "the last counts of a process wait for another writer as briefly as all others",
      in: "jobs/kpis/traffic-counter.ts LAST_WAIT_MS",
      always: "20",
      test: "the last counts wait for another writer: stop",
    },
    {
      name: "counts are not written before the process may be killed",
      in: "jobs/kpis/traffic-counter.ts TrafficCounter.drain",
      drop: "this.#write",
      test: "the last counts wait for another writer: drain",
    },
  ],
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
  "jobs/webhooks/send/send.test.ts": [
    {
      name: "a secret that begins another is masked first",
      in: "jobs/webhooks/send/answer.ts secretsIn",
      instead: ["b.length - a.length", "a.length - b.length"],
      test: "a secret that begins another, and a short one, are masked as a whole",
    },
  ],
  "jobs/lanes/inventory-lanes.test.ts": [
    {
      name: "what a dead engine had in work is not taken back",
      in: "jobs/lanes/reclaim-queue.ts RECLAIM",
      text: ["redis.call('RPUSH', KEYS[2], id)", ""],
      test: "jobs of a dead engine are taken back before any later job",
    },
  ],
  "jobs/lanes/forged-messages.test.ts": [
    {
      name: "an envelope of another installation is decided",
      in: "jobs/lanes/queues.ts queueAddress",
      always: "name",
      test: "a command added by hand is refused, counted and logged by name, and has no effect",
    },
  ],
  "jobs/lanes/submitter.test.ts": [
    {
      name: "changes of supply share the way of everybody else",
      in: "jobs/lanes/submitter.ts Submitter.#queueFor",
      instead: ["isBulk(command)", "false"],
      test: "a hold does not wait for a supply envelope",
    },
    {
      name: "as many envelopes are under way as there are commands",
      in: "jobs/lanes/send-queues.ts maySend",
      drop: "inFlight < inFlightMax",
      test: "under load a second envelope is sent before the first is answered, but never a third",
    },
    {
      name: "an outcome whose reply was lost is not looked up",
      in: "jobs/lanes/submitter.ts Submitter.#findStored",
      always: "false",
      test: "an outcome whose reply was lost is found by its key",
    },
    {
      name: "a running key's answer reaches whoever waits, whatever the key",
      in: "jobs/lanes/submitter.ts Submitter.#onAnswered",
      instead: [
        "this.#byAwaitedKey.get(key)",
        "[...this.#waiting.values()].filter((each) => each.awaitedKey !== null)",
      ],
      test: "a repeat of a running key gets its answer; callers of other keys do not",
    },
  ],
  "jobs/webhooks/send/sender.test.ts": [
    {
      name: "a pause is heard of after the events that came after it",
      in: "jobs/webhooks/dispatch/dispatcher.ts Dispatcher.nudge",
      drop: "this.#follow",
      test: "no event is sent after a pause, however soon it comes",
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
  "engine/core/bookings/modify.test.ts": [
    {
      name: "a booking is changed without end",
      in: "engine/core/bookings/modify.ts stateProblem",
      drop: "version > CHANGES_MAX",
      test: "a booking is changed at most a hundred times",
    },
  ],
  "test/int/oversell.int.test.ts": [
    {
      name: "a repeated move is priced again before its key is known",
      in: "src/api/incidents/resolve.ts resolve",
      drop: "call.key === null",
      test: "a repeated move has the stored answer, also when its room has that rate plan no more",
    },
    {
      name: "what an incident offers is refused for ever when it was once",
      in: "src/api/incidents/actions.ts incidentActions",
      instead: ["offeredKey(key, incident_id, atMs)", "offeredKey(key, incident_id, 1)"],
      test: "a move that was refused for want of a room is offered anew once there is one",
    },
    {
      name: "whoever works on incidents sets prices",
      in: "src/api/incidents/requests.ts memberProblems",
      instead: ['(name) => name !== "inventory"', "() => false"],
      test: "each wrong member is named, and what cannot be done is refused",
    },
    {
      name: "a refused move leads to a refund",
      in: "src/api/incidents/resolve.ts resolve",
      instead: ["answer.ok ? answer : atIncident(answer, incident_id)", "answer"],
      test: "a move that is refused changes nothing, and leads back to the incident",
    },
  ],
  "engine/core/incidents/incidents.test.ts": [
    {
      name: "a new tree opens no incident",
      in: "engine/core/properties/tree.ts replaced",
      instead: ["seq === null ? {} :", "seq !== null ? {} :"],
      test: "a new tree opens incidents, and one with enough rooms ends them",
    },
    {
      name: "no units left make rooms of nothing for guests without one",
      in: "engine/core/properties/units-left.ts rangesLeaving",
      instead: ["!isOversold(roomType, room, day)", "true"],
      test: "a channel that has no units left leaves an oversold night as it is; units left end it",
    },
  ],
  "engine/core/authorizations/authorizations.test.ts": [
    {
      name: "an agent is granted authorizations without end",
      in: "engine/core/authorizations/decide.ts grantAuthorization",
      instead: ["if (tooMany) return reject(command, tooMany);", ""],
      test: "an agent has at most 500 authorizations that no booking has used, granted ones too",
    },
    {
      name: "an authorization is given back after its time",
      in: "engine/core/authorizations/use.ts addReturned",
      drop: "ctx.now >= found.expires_at",
      test: "declined: the failed payment gives it back in its row, unless it has expired",
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
  "jobs/mail/follower.test.ts": [
    {
      name: "a mail that was found in the fold is forgotten when the disk is full",
      in: "jobs/mail/follower.ts JournalFollower.readSlice",
      instead: ["...this.#found", "...this.#found.splice(0)"],
      test: "rows seen during the fold are not read again, nor lost on a full disk",
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
  "jobs/mail/letter.test.ts": [
    {
      name: "a guest who has paid nothing reads that the terms keep it",
      in: "jobs/mail/letter.ts refundSentence",
      instead: ["paid === 0", "false"],
      test: "of a booking that is paid at the property nothing is kept and nothing paid back",
    },
  ],
  "test/int/desk-walk-in.int.test.ts": [
    {
      name: "nights that nobody has paid are revenue of an early departure",
      in: "jobs/kpis/fold.ts KpiFold.#left",
      instead: ["quote.due_now > 0 ? freed : 0", "freed"],
      test: "key figures count the nights of unpaid bookings, and no fee, refund or paid empty night",
    },
  ],
  "jobs/redis/lease.test.ts": [
    {
      name: "whoever comes takes the lease of another directory",
      in: "jobs/redis/lease.ts TAKE",
      text: ["~= ARGV[2]", "== ''"],
      test: "another directory is refused while the holder renews",
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
  "jobs/net/guarded-fetch.test.ts": [
    {
      name: "one global address vouches for the private ones beside it",
      in: "jobs/net/guarded-request.ts addressesOf",
      instead: ["addresses.every", "addresses.some"],
      test: "answers of a resolver are refused without a connection",
    },
    {
      name: "an answer may be as large as it likes",
      in: "jobs/net/guarded-fetch.ts read",
      drop: "bytes > bytesMax",
      test: "an answer larger than the limit is refused, whatever length it declares",
    },
  ],
};
