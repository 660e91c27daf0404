/** What a change of a booking comes to: release all nights and take all new ones, at once. */
import { dateOf, todayIn } from "../../engine/core/calendar.ts";
import type { ModifyBooking } from "../../engine/core/commands.ts";
import type { Row } from "../../engine/core/events/event.ts";
import type { FrozenQuote, QuoteRequest } from "../../engine/core/price/quote.ts";
import { nightCountOf } from "../../engine/core/price/quote-codec.ts";
import { same } from "./check.ts";
import { ZONE } from "./model-desk.ts";
import {
  dataOf,
  type Expected,
  isForeign,
  keyOf,
  type ModelBooking,
  type ModelLedger,
  refused,
  succeeded,
} from "./model-ledger.ts";
import { askRefund, refundedOf } from "./model-money.ts";

/** `PATCH /v1/bookings/{id}`. */
export function expectModify(command: ModifyBooking, stamp: number, ledger: ModelLedger): Expected {
  const booking = ledger.bookings.get(command.booking_id);
  const ids = { booking_id: command.booking_id };
  if (!booking || isForeign(command, booking)) return refused(command, "booking_not_found", ids);
  const problem = expectProblem(command, booking, stamp, ledger);
  if (problem) return problem;
  const { payment, quote: before } = booking;
  const after = command.stay?.quote ?? before;
  const refund = before.due_now - after.due_now;
  const apply = (row: Row) => {
    const told = dataOf(row, "booking.modified");
    same([told.version, told.refund], [booking.version + 1, refund], "version and refund");
    booking.version += 1;
    booking.quote = after;
    booking.stay = after.stay;
  };
  if (refund === 0 || !payment) {
    return succeeded(command, "modification", { events: ["booking.modified"], has: ids, apply });
  }
  return {
    phase: "running",
    replays: null,
    events: ["booking.modified", "refund.requested"],
    key: keyOf(command),
    apply: (row) => {
      same(dataOf(row, "refund.requested").amount, refund, "requested refund");
      askRefund(row, payment, ledger);
      apply(row);
    },
  };
}

function expectProblem(
  command: ModifyBooking,
  booking: ModelBooking,
  stamp: number,
  ledger: ModelLedger,
): Expected | null {
  const { stay } = command;
  const not = (reason: string) => refused(command, "booking_not_modifiable", { reason });
  const isInHouse = booking.state === "checked_in";
  if (booking.state !== "confirmed" && !isInHouse) return not("state");
  if (stay && isInHouse) {
    const reason = expectInHouse(stay.request, booking.quote, stamp);
    if (reason) return not(reason);
  }
  if (stay && stay.difference === null) {
    if (stay.allowed_until_ms === null) return not("non_refundable");
    if (stamp >= stay.allowed_until_ms) return not("cutoff_passed");
  }
  if (stay && ledger.supply.goneOf(stay.quote ?? booking.quote)) return not("room_type_closed");
  if (command.base_version !== booking.version) {
    return refused(command, "conflict", { reason: "version_mismatch", version: booking.version });
  }
  if (stay && stay.quote === null) {
    const isSame = nightCountOf(booking.quote) === stay.priced.nights;
    const reason = isSame ? "total_changed" : "length_changed";
    return refused(command, "booking_modification_price_change", { reason });
  }
  if (!stay?.quote) return null;
  const { quote: kept, agent_id } = booking;
  const isShorter = isInHouse && stay.quote.stay.check_out <= kept.stay.check_out;
  const claims = ledger.claims(stamp, booking);
  const by = { agent: agent_id, stamp };
  const refusal = ledger.supply.refusal(stay.quote, by, claims, { ...kept, isInHouse });
  if (refusal && !isShorter) {
    return refused(command, refusal.code, refusal.reason ? { reason: refusal.reason } : {});
  }
  const requested = kept.due_now - stay.quote.due_now;
  if (requested === 0 || !booking.payment) return null;
  const { remaining } = refundedOf(booking.payment, ledger);
  const has = { requested, remaining };
  return requested > remaining ? refused(command, "refund_exceeds_remaining", has) : null;
}

/** Of a guest who is there only the departure changes, and to no day that is past. */
function expectInHouse(
  { stay, guests, room_type_id, rate_plan_id }: QuoteRequest,
  quote: FrozenQuote,
  stamp: number,
): string | null {
  const asked = [stay.check_in, guests, room_type_id, rate_plan_id];
  const arrived = [quote.stay.check_in, quote.guests, quote.room_type_id, quote.rate_plan_id];
  if (JSON.stringify(asked) !== JSON.stringify(arrived)) return "in_house";
  return stay.check_out < dateOf(todayIn(ZONE, stamp)) ? "check_out_passed" : null;
}
