/** Goal: a row that creates due work is marked, and no other row is. */
import { expect, test } from "bun:test";
import {
  beginBooking,
  cancelBooking,
  createProperty,
  frozenQuote,
  paymentResult,
  placeHold,
  promoteProperty,
  propertyTree,
} from "../../../test/support/builders.ts";
import { given } from "../../../test/support/given.ts";
import { dueOf } from "./due-work.ts";

test("a begun payment and a requested refund are due, nothing else is", () => {
  const tree = propertyTree();
  const world = given(createProperty(tree), promoteProperty(tree));
  const quote = frozenQuote(tree, { due_now: 8_001 });
  const hold_id = world.when(placeHold(quote)).text("hold_id");
  const begun = world.when(beginBooking({ hold_id, quote_id: quote.quote_id }));
  const payment = begun.text("payment_id");
  const booking = world.when(paymentResult(payment, "captured")).text("booking_id");
  const { refund_id } = world.when(cancelBooking(booking)).event("refund.requested");
  const due = world.rows.flatMap((row) => row.events).map(dueOf);
  expect(due.filter((work) => work !== null)).toEqual([
    { kind: "payment", id: payment },
    { kind: "refund", id: refund_id },
  ]);
});
