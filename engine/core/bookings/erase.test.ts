/** Erasure of a guest: what a stay to come or open money needs is kept. */
import { expect, test } from "bun:test";
import { bookedAt } from "../../../test/support/booked.ts";
import {
  cancelAtDesk,
  commandMeta,
  OTHER_TENANT,
  propertyTree,
  refundResult,
  settleElsewhere,
} from "../../../test/support/builders.ts";
import type { EraseGuest } from "../commands.ts";

const TREE = propertyTree();

function eraseGuest(booking_id: string, over: Partial<EraseGuest> = {}): EraseGuest {
  const actor = { kind: "operator", id: "agt_ops" } as const;
  return { ...commandMeta({ actor }), type: "EraseGuest", booking_id, ...over };
}

test("a guest is erased once stay and refunds are settled, and only once", () => {
  const { world, bookingId } = bookedAt(TREE);
  const erase = () => world.when(eraseGuest(bookingId));
  erase().refused("conflict", { reason: "booking_state", state: "confirmed" });
  const cancelled = world.when(cancelAtDesk(bookingId, { waives_fee: true }));
  const { refund_id } = cancelled.event("refund.requested");
  erase().refused("conflict", { reason: "refund_open", refund_id });
  world.when(refundResult(refund_id, "failed"));
  erase().refused("conflict", { reason: "refund_open", refund_id });
  world.when(settleElsewhere(refund_id));
  const came = erase().recorded("guest.erased");
  expect(came.data).toMatchObject({ booking_id: bookingId });
  const booking = world.records.booking(bookingId)!;
  expect(booking.encrypted).toEqual({});
  expect(booking.erased).toMatchObject({ by: { id: "agt_ops" } });
  expect(booking.history.at(-1)).toMatchObject({ type: "guest.erased", version: booking.version });
  expect([...world.records.erased]).toEqual([bookingId]);
  expect(erase().recorded().data).toMatchObject({ seq: null });
});

test("a guest is found in its own tenant alone", () => {
  const { world, bookingId } = bookedAt(TREE);
  world.when(eraseGuest(bookingId, { tenant_id: OTHER_TENANT })).refused("booking_not_found");
  world.when(eraseGuest("bkg_x")).refused("booking_not_found");
});
