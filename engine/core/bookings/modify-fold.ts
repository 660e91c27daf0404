/** How a change moves a booking's nights, and its record. */
import type { EventOf, Row } from "../events/event.ts";
import type { Folds } from "../fold.ts";
import { moveOf, moveUnits, roomOf } from "../holds/units.ts";
import type { FrozenQuote } from "../price/quote.ts";
import type { RecordSink } from "../records.ts";
import type { State } from "../state/state.ts";
import { changeBooking, freeUnits } from "./changes.ts";

function bookingModified(
  state: State,
  event: EventOf<"booking.modified">,
  row: Row,
  sink: RecordSink | null,
): void {
  const { data, secret } = event;
  const quote = secret?.quote;
  if (quote) moveStay(state, data, quote, row);
  changeBooking(event, null, row, sink, (booking) => {
    if (quote) {
      booking.earlier = [...(booking.earlier ?? []), { until_row: row.row, quote: booking.quote }];
      booking.quote = quote;
    }
    if (secret?.encrypted) booking.encrypted = { ...booking.encrypted, ...secret.encrypted };
    if (data.receipt) booking.receipts.push(data.receipt);
  });
}

/** Frees the former nights and takes the new ones. */
function moveStay(
  state: State,
  { property_id, agent_id, before }: EventOf<"booking.modified">["data"],
  quote: FrozenQuote,
  row: Row,
): void {
  freeUnits(state, { property_id, agent_id, ...before, free_from: before.stay.check_in }, row);
  moveUnits(state, roomOf(state, quote), moveOf({ quote, agent_id }), 0, 1);
}

export const MODIFICATION_FOLDS = {
  "booking.modified": bookingModified,
} satisfies Partial<Folds>;
