import type { PortalWords } from "./words.ts";

export const en: PortalWords = {
  findTitle: "See your booking",
  findIntro:
    "Enter the e-mail address and the confirmation code of your booking. A link comes to that " +
    "address by mail.",
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
  notSecure: "This page needs https: a browser keeps no session of a plain connection.",
  signedOut: "You are signed out. Ask for a mail to see your booking again.",

  title: "Your stay",

  money: "Money",
  kept: "Kept",
  refundStates: {
    pending: "Refund on its way",
    succeeded: "Refunded",
    failed: "Refund failed: contact the hotel",
  },

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
  mailLanguage: "Language of mails to you",
  save: "Save",
  saved: "Your changes are saved.",
  otherLength: "The new stay has another number of nights. Choose as many nights as before.",
  otherTotal: (total) =>
    `The new dates cost ${total}, which is another total. Choose other dates, or ask the hotel.`,
  noRoom: "The room is not free on these dates. Choose others.",
  notChangeable: "This cannot be changed here any more. Ask the hotel.",

  resend: "Send the confirmation again",
  resent: "The mail is on its way.",
  tooOften: "The mail was sent several times already. Try again in an hour.",
  notSent: "The mail could not be sent. Try again later.",
  signOut: "Sign out",
};
