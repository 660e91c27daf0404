/** What refunds by the property come to: of an amount, repeated, or given back another way. */
import type {
  RefundPayment,
  RetryRefund,
  SettleRefundElsewhere,
} from "../../engine/core/commands.ts";
import type { Row } from "../../engine/core/events/event.ts";
import { same } from "./check.ts";
import {
  dataOf,
  type Expected,
  isForeign,
  keyOf,
  type ModelLedger,
  type ModelPayment,
  type ModelRefund,
  refused,
  succeeded,
} from "./model-ledger.ts";
import { askRefund, refundedOf, stateAfter } from "./model-money.ts";

type RefundCommand = RefundPayment | RetryRefund | SettleRefundElsewhere;

/** `POST /v1/admin/bookings/{id}/refunds`, `/v1/admin/refunds/{id}/retry`, `/settle-elsewhere`. */
export function expectDeskRefund(command: RefundCommand, ledger: ModelLedger): Expected {
  if (command.type === "RefundPayment") return expectRefund(command, ledger);
  const refund = ledger.refunds.get(command.refund_id)!;
  if (refund.retriedBy) {
    const has = { reason: "refund_retried", refund_id: refund.retriedBy };
    return refused(command, "conflict", has);
  }
  if (refund.state !== "failed") {
    return refused(command, "conflict", { reason: "refund_state", state: refund.state });
  }
  const { payment, amount } = refund;
  const problem = tooMuch(command, payment, amount, ledger);
  if (problem) return problem;
  if (command.type === "SettleRefundElsewhere") return expectElsewhere(command, refund);
  return expectRequested(command, payment, amount, (row) => {
    refund.retriedBy = askRefund(row, payment, ledger);
  });
}

function expectRefund(command: RefundPayment, ledger: ModelLedger): Expected {
  const booking = ledger.bookings.get(command.booking_id);
  const ids = { booking_id: command.booking_id };
  if (!booking || isForeign(command, booking)) return refused(command, "booking_not_found", ids);
  const { payment } = booking;
  if (!payment) return refused(command, "no_capturable_payment", ids);
  const amount = command.amount ?? refundedOf(payment, ledger).remaining;
  const problem = tooMuch(command, payment, amount, ledger);
  if (problem) return problem;
  return expectRequested(command, payment, amount, (row) => {
    askRefund(row, payment, ledger);
  });
}

function tooMuch(
  command: RefundCommand,
  payment: ModelPayment,
  amount: number,
  ledger: ModelLedger,
): Expected | null {
  const { refunded, pending, disputed, remaining } = refundedOf(payment, ledger);
  const figures = { captured: payment.amount, refunded, pending };
  const state = disputed > 0 ? "disputed" : "refunded";
  if (remaining === 0) return refused(command, "payment_not_refundable", { state, ...figures });
  const has = { requested: amount, remaining, ...figures };
  return amount > remaining ? refused(command, "refund_exceeds_remaining", has) : null;
}

function expectRequested(
  command: RefundPayment | RetryRefund,
  payment: ModelPayment,
  amount: number,
  apply: (row: Row) => void,
): Expected {
  return {
    phase: "running",
    replays: null,
    events: ["refund.requested"],
    key: keyOf(command),
    apply: (row) => {
      const told = dataOf(row, "refund.requested");
      same([told.payment_id, told.amount], [payment.id, amount], "requested refund");
      apply(row);
    },
  };
}

function expectElsewhere(command: SettleRefundElsewhere, refund: ModelRefund): Expected {
  const { id, payment, amount } = refund;
  return succeeded(command, "refund", {
    events: ["refund.settled_elsewhere"],
    has: { refund_id: id, amount, state: "succeeded", method: command.method },
    apply: () => {
      refund.state = "succeeded";
      refund.isElsewhere = true;
      payment.refunded += amount;
      payment.state = stateAfter(payment);
    },
  });
}
