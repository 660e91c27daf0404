/** Bodies of refunds by the property. */
import { type Static, Type } from "@sinclair/typebox";
import { TOTAL_MAX } from "../../../engine/core/price/price-bounds.ts";
import { OPERATOR_REASONS } from "../../../engine/core/refund-words.ts";
import { OtherMethod } from "../../http/schema/answer-parts.ts";
import {
  BodyKey,
  closed,
  describedAs,
  integer,
  oneOf,
  text,
} from "../../http/schema/request-parts.ts";

const Note = Type.Optional(
  describedAs(text(0, 500), "text of at most 500 characters, stored encrypted for the property"),
);

/** `amount` in minor units of the booking's currency. */
export const RefundBody = closed({
  amount: Type.Optional(
    describedAs(integer(1, TOTAL_MAX), "minor units, at least 1; all that remains if left out"),
  ),
  reason: oneOf(OPERATOR_REASONS),
  note: Note,
  idempotency_key: BodyKey,
});
export type RefundRequest = Static<typeof RefundBody>;

export const SettleElsewhereBody = closed({
  method: OtherMethod,
  note: Note,
  idempotency_key: BodyKey,
});
export type SettleElsewhereRequest = Static<typeof SettleElsewhereBody>;
