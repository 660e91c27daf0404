/** Movements of money: what each event of a payment, a dispute or a refund moves. */
import type { Event, Row } from "../../../engine/core/events/event.ts";

/** What moved money, or asked for it. */
export const MOVEMENT_KINDS = [
  ...(["capture", "late_capture", "refund_requested", "refund_succeeded"] as const),
  ...(["refund_failed", "refund_failed_after_success", "refund_settled_elsewhere"] as const),
  ...(["disputed", "dispute_won", "dispute_lost"] as const),
] as const;
export type MovementKind = (typeof MOVEMENT_KINDS)[number];

/** A movement as its event tells it; null where only a record has it. */
export interface Movement {
  readonly kind: MovementKind;
  readonly payment_id: string;
  /** Null for a capture that came too late for a booking. */
  readonly booking_id: string | null;
  readonly refund_id: string | null;
  readonly dispute_id: string | null;
  /** The amount that it is about, minor units. */
  readonly stated_amount: number | null;
  readonly currency: string | null;
  /** Of the receipt that was issued with it. */
  readonly receipt_hash: string | null;
  readonly seq: number;
}

/** How each kind changes what the property has of a payment. */
const SIGNS: Readonly<Record<MovementKind, 1 | 0 | -1>> = {
  capture: 1,
  late_capture: 1,
  refund_requested: 0,
  refund_succeeded: -1,
  refund_failed: 0,
  refund_failed_after_success: 1,
  refund_settled_elsewhere: -1,
  disputed: -1,
  dispute_won: 1,
  dispute_lost: 0,
};

/** What a movement adds to what the property has, minor units; `stated` is what it is about. */
export function movedBy(kind: MovementKind, stated: number): number {
  return SIGNS[kind] === 0 ? 0 : SIGNS[kind] * stated;
}

/** One of these texts is in every row with a movement. */
const WORDS = ['"payment.captured"', '"payment.dispute', '"refund.'];

/** False for the line of a row without movements, so that it need not be decoded. */
export function mayMove(line: string): boolean {
  return WORDS.some((word) => line.includes(word));
}

/** The movements of a row, in their order. */
export function movementsIn({ events }: Row): Movement[] {
  return events.flatMap((event) => movementOf(event, events) ?? []);
}

const NOTHING = { refund_id: null, dispute_id: null, currency: null, receipt_hash: null };

function movementOf(event: Event, all: readonly Event[]): Movement | null {
  const { seq } = event;
  switch (event.type) {
    case "payment.captured":
      return captured(event.data, seq, all);
    case "payment.disputed": {
      const { payment_id, booking_id, dispute_id, disputed } = event.data;
      const ids = { ...NOTHING, payment_id, booking_id, dispute_id };
      return { ...ids, kind: "disputed", stated_amount: disputed, seq };
    }
    case "payment.dispute_closed": {
      const { payment_id, booking_id, dispute_id, outcome } = event.data;
      const ids = { ...NOTHING, payment_id, booking_id, dispute_id };
      return { ...ids, kind: `dispute_${outcome}`, stated_amount: null, seq };
    }
    case "refund.requested": {
      const { refund_id, payment_id, booking_id, amount, currency } = event.data;
      const ids = { ...NOTHING, refund_id, payment_id, booking_id };
      return { ...ids, kind: "refund_requested", stated_amount: amount, currency, seq };
    }
    case "refund.succeeded":
    case "refund.settled_elsewhere": {
      const { refund_id, payment_id, booking_id, amount, receipt } = event.data;
      const ids = { ...NOTHING, refund_id, payment_id, booking_id };
      const isOurs = event.type === "refund.settled_elsewhere";
      const kind = isOurs ? "refund_settled_elsewhere" : "refund_succeeded";
      const receipt_hash = receipt.payload_hash;
      return { ...ids, kind, stated_amount: amount, receipt_hash, seq };
    }
    case "refund.failed": {
      const { refund_id, payment_id, booking_id, after_success, amount = null } = event.data;
      const ids = { ...NOTHING, refund_id, payment_id, booking_id };
      const kind = after_success ? "refund_failed_after_success" : "refund_failed";
      return { ...ids, kind, stated_amount: amount, seq };
    }
    default:
      return null;
  }
}

interface Captured {
  readonly payment_id: string;
  readonly booking_id: string;
  readonly amount: number;
  readonly currency: string;
}

/** The same row confirms the booking, or requests the refund of a capture that came too late. */
function captured(
  { payment_id, booking_id, amount, currency }: Captured,
  seq: number,
  all: readonly Event[],
): Movement {
  const confirmed = all.find((other) => {
    return other.type === "booking.confirmed" && other.data.payment_id === payment_id;
  });
  const receipt = confirmed?.type === "booking.confirmed" ? confirmed.data.receipt : null;
  return {
    ...{ ...NOTHING, payment_id, booking_id: receipt ? booking_id : null },
    kind: receipt ? "capture" : "late_capture",
    ...{ stated_amount: amount, currency, receipt_hash: receipt?.payload_hash ?? null, seq },
  };
}
