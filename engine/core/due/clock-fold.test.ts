import { expect, test } from "bun:test";
import {
  beginBooking,
  cancelAtDesk,
  createProperty,
  frozenQuote,
  paymentResult,
  placeHold,
  policyTerms,
  promoteProperty,
  propertyTree,
} from "../../../test/support/builders.ts";
import { dayIn, given } from "../../../test/support/given.ts";
import { dateOf } from "../calendar.ts";
import { evolve } from "../evolve.ts";
import { feeTable } from "../price/policy.ts";
import { pageStart } from "../state/nights.ts";
import { clockCorrection } from "./due-by-time.ts";

const DAY_MS = 86_400_000;

test("a stay over forgotten nights can be cancelled after the clock was set back before them", () => {
  const tree = propertyTree();
  const world = given(createProperty(tree), promoteProperty(tree));
  const pageEnd = pageStart(dayIn(128));
  const checkInDay = pageEnd - 3;
  const stay = { check_in: dateOf(checkInDay), check_out: dateOf(checkInDay + 8) };
  const priced = { room_subtotal: 80_000, due_now: 80_000, total: 80_000 };
  const fees = feeTable({ tree, terms: policyTerms(), checkInDay, priced });
  const quote = frozenQuote(tree, { stay, fees });
  const placed = world.when(placeHold(quote));
  const hold = { hold_id: placed.text("hold_id"), quote_id: quote.quote_id };
  const begun = world.when(beginBooking(hold));
  const booked = world.when(paymentResult(begun.text("payment_id"), "captured"));
  const sold = () =>
    Array.from({ length: 8 }, (_, i) => world.cell(tree.id, "room-double", checkInDay + i).sold);
  world.live(pageEnd + 2 - dayIn(0));
  expect(sold()).toEqual([0, 0, 0, 1, 1, 1, 1, 1]);
  world.at(world.stamp - 2 * DAY_MS);
  const { events } = clockCorrection(world.context())!.decision;
  const row = { ...world.rows.at(-1)!, row: world.state.row + 1, stamp: world.stamp, events };
  evolve(world.state, { ...row, tenant_id: "", key: null, phase: null }, world.records);
  expect(pageStart(world.state.keptDay)).toBeLessThan(checkInDay);
  expect(world.when(cancelAtDesk(booked.text("booking_id"))).outcome.ok).toBe(true);
  expect(sold()).toEqual([0, 0, 0, 0, 0, 0, 0, 0]);
});
