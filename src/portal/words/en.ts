import type { PortalWords } from "./words.ts";

export const en: PortalWords = {
  findTitle: "See your booking",
  findIntro:
    "Enter the e-mail address and the confirmation code of your booking. A link comes to that " +
    "address by mail.",
  email: "E-mail address",
  code: "Confirmation code",
  sendLink: "Send me the link",
  sentTitle: "Open the link in your mail",
  sentIntro:
    "If there is a booking with this address and code, a mail with a link is on its way. The link " +
    "can be used once, within 15 minutes. If you cannot open it here, enter the six digits of the " +
    "mail.",
  digits: "Six digits of the mail",
  show: "Show my booking",
  askAgain: "Ask for another mail",
  enterIntro: "Press the button to see your booking. The link can be used once.",

  badLink:
    "This link or code cannot be used: it is wrong, was used before, or is older than 15 minutes. " +
    "Ask for another mail.",
  badInput: "Something is missing or not as it should be. Look at what you entered.",
  notSecure: "This page needs https: a browser keeps no session of a plain connection.",
  notTaken: "Nothing was changed: the form was not sent by this page. Repeat it here.",
  signedOut: "You are signed out. Ask for a mail to see your booking again.",
  failed: "That did not work. Try again in a moment.",
  test: "TEST: bookings and money of this mode are not real",

  title: "Your stay",
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

  money: "Money",
  paid: "Paid",
  kept: "Kept",
  refundStates: {
    pending: "Refund on its way",
    succeeded: "Refunded",
    failed: "Refund failed: contact the hotel",
  },

  terms: "If you cancel",
  until: (when) => `until ${when}`,
  afterwards: "after that",
  noShow: "if you do not arrive",
  free: "free",
  costs: (fee) => `costs ${fee}`,
  now: "now",
  backNow: (refund, fee) => `If you cancel now, you get ${refund} back and ${fee} is kept.`,
  allBackNow: (refund) => `If you cancel now, you get all of it back: ${refund}.`,
  nothingBackNow: "If you cancel now, nothing comes back.",
  nothingToPay: "Nothing was paid in advance, so cancelling costs nothing.",
  nothingBackFrom: (when) => `From ${when} on nothing comes back.`,

  cancel: "Cancel the booking…",
  cancelTitle: "Cancel this booking?",
  cancelFinal: "The room goes back on sale at once. This cannot be undone.",
  cancelFor: (refund) => `Cancel and get ${refund} back`,
  cancelPlain: "Cancel, nothing comes back",
  keep: "Keep the booking",
  amountChanged: "The amount changed while you were reading. Nothing was cancelled; look again.",
  notCancellable: "This booking can no longer be cancelled here.",

  change: "Change dates or details",
  dateRule: (when) =>
    `Other dates need as many nights and the same total. You can change them until ${when}.`,
  datesFixed: "The terms of this booking do not allow other dates.",
  name: "Full name",
  phone: "Phone",
  requests: "Wishes for the hotel",
  mailLanguage: "Language of mails to you",
  save: "Save",
  saved: "Your changes are saved.",
  otherLength: "The new stay has another number of nights. Choose as many nights as before.",
  otherTotal: (total) =>
    `The new dates cost ${total}, which is another total. Choose other dates, or ask the hotel.`,
  noRoom: "The room is not free on these dates. Choose others.",
  notChangeable: "This cannot be changed here any more. Ask the hotel.",

  receipts: "Receipts",
  receiptKinds: {
    booking_confirmed: "Confirmation",
    booking_cancelled: "Cancellation",
    refund_issued: "Refund",
  },
  verify: "Each file is signed. Anyone can check it at this address:",

  resend: "Send the confirmation again",
  resent: "The mail is on its way.",
  tooOften: "The mail was sent several times already. Try again in an hour.",
  notSent: "The mail could not be sent. Try again later.",
  signOut: "Sign out",
};
