/** Ids as arguments of tools, described by the answer that has them, and values for examples. */
import { describedAs, describedInShort, Id } from "../http/schema/request-parts.ts";

/** The member of a tool's answer; the argument has the member's name. */
function from(tool: string, member: string, inShort = `of ${tool}`) {
  return describedInShort(describedAs(Id, `${member} of the answer of ${tool}`), inShort);
}

export const QUOTE_ARGUMENT = from("quote", "data.quote_id");
export const HOLD_ARGUMENT = from("hold", "data.hold_id");
export const REFUND_ARGUMENT = from("cancel", "data.refund.refund_id");
export const CHECKOUT_ARGUMENT = from("create_checkout_session", "data.session_id");
export const BOOKING_ARGUMENT = from("book", "data.booking_id");
export const AUTHORIZATION_ARGUMENT = from(
  ...(["book", "error.detail.authorization_id", "in error.detail of book"] as const),
);

/** Values for examples of tools; the ids do not exist. */
export const EXAMPLE = {
  hotel_id: "0192f0c4-6d1e-7a51-9f3b-2f6f4d0c8a11",
  stay: { check_in: "2027-06-01", check_out: "2027-06-03" },
  guests: { adults: 2 },
  quote_id: "qt_01m7z5f57f8k2v9d3q6w1x4y7z0a2b5c8e1f",
  hold_id: "hld_01m7z5f57f8k2v9d3q6w1x4y7z0a",
  booking_id: "bkg_01m7z5f57f8k2v9d3q6w1x4y7z0a",
  session_id: "5e8f2f6c-6f0b-4a52-9c1d-3f0e6f7a8b90",
  checkout_session_id: "chk_3f6a0d5b8c1e4f7a9b2d5e8f1a4c7d0e",
  authorization_id: "aut_01m7z5f57f8k2v9d3q6w1x4y7z0a",
  refund_id: "rfd_01m7z5f57f8k2v9d3q6w1x4y7z0a",
  idempotency_key: "6f0d1c52-8a0b-4c1e-9f5e-0d2a4b6c8e10",
  delegation_token: "<the traveler's consent as a JWT>",
} as const;
