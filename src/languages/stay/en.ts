import type { StayWords } from "./words.ts";

export const en: StayWords = {
  email: "E-mail address",
  code: "Confirmation code",

  badInput: "Something is missing or not as it should be. Look at what you entered.",
  notTaken: "Nothing was changed: the form was not sent by this page. Repeat it here.",
  failed: "That did not work. Try again in a moment.",
  test: "TEST: bookings and money of this mode are not real",

  states: {
    confirmed: "Confirmed",
    checked_in: "You have checked in",
    completed: "You have checked out",
    cancelled: "Cancelled",
    no_show: "You did not arrive",
    relocated: "Moved to another hotel",
  },
  hotel: "Hotel",
  room: "Room",
  stay: "Stay",
  party: "Guests",
  childrenOf: (count) => (count === 1 ? "1 child" : `${count} children`),
  directions: "Show on a map",

  paid: "Paid",

  terms: "If you cancel",
  until: (when) => `until ${when}`,
  noShow: "if you do not arrive",
  free: "free",
  costs: (fee) => `costs ${fee}`,
  now: "now",

  name: "Full name",
  phone: "Phone",
  requests: "Wishes for the hotel",

  receipts: "Receipts",
  receiptKinds: {
    booking_confirmed: "Confirmation",
    booking_cancelled: "Cancellation",
    refund_issued: "Refund",
  },
  verify: "Each file is signed. Anyone can check it at this address:",
};
