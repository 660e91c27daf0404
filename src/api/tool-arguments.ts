/** Ids as arguments of tools, described by the answer that has them. */
import { Id, said } from "../http/schema/request-parts.ts";

export const QUOTE_ARGUMENT = said(Id, "data.quote_id of the answer of quote");
export const HOLD_ARGUMENT = said(Id, "data.hold_id of the answer of hold");
export const REFUND_ARGUMENT = said(Id, "data.refund.refund_id of the answer of cancel");
export const BOOKING_ARGUMENT = said(Id, "data.booking_id of the answer of book");
