import type { CheckoutWords } from "./words.ts";

export const en: CheckoutWords = {
  bookTitle: "Book your stay",
  keptFor: (minutes, until) =>
    `The room is kept for you for ${minutes === 1 ? "1 minute" : `${minutes} minutes`}, until ` +
    `${until}.`,
  keepLonger: "Keep the room longer",
  inPrice: "In the price",

  details: "Your details",
  optional: "optional",
  nameHint: "Write the guest's name.",
  emailHint: "Write a complete address.",
  phoneHint: "Write 4 to 32 characters.",
  payWith: "Pay with",
  cards: {
    ok: "Test card that is charged",
    declined: "Test card that is declined",
    "no-funds": "Test card with insufficient funds",
    late: "Test card that is charged after more than ten seconds",
  },
  accept: "You accept the price and the cancellation terms above.",
  sandbox: "No real money moves: this service uses a sandbox for payments.",
  cardNext:
    "Your card is asked for on the next page, by the payment provider, and charged only when the " +
    "room is booked.",
  pay: (amount) => `Pay ${amount}`,

  nothingCharged: "Nothing was charged.",
  notConfigured: "This page cannot take payments: checkout is not configured.",
  noAgent: "The agent that gave you this link can no longer book. Ask it for another page.",
  cardDeclined: "The card was declined.",
  cardWithoutFunds: "The card has insufficient funds.",
  otherCard: "The room is still kept for you: choose another card and pay again.",
  notStarted: "The payment could not be started, and nothing was charged. Try another card.",
  mustApprove:
    "The hotel must approve this booking, and has been asked. Nothing was charged. Pay again when " +
    "it has approved, while the room is kept for you.",

  payingTitle: "The payment is in progress",
  paying: "Do not pay again: the outcome will be shown here.",
  lookAgain: "Look again",

  bookedTitle: "Your stay is booked",
  bookingTitle: "Your booking",
  writeDown: "The hotel finds your booking by this code and your name: write it down.",
  manage: "See, change or cancel the booking",
  manageWith: "You need the code and your e-mail address.",
  backTo: "Back to",

  endedTitle: "This page has ended",
  expired: "The room was kept for a limited time, which is over.",
  takenBack: "The agent has taken this page back.",
  nothingBooked: "Nothing was booked here.",
  askAgent: "Ask the agent that gave you the link for another page.",
  seeFree: "See what is free at the hotel now",

  unknownTitle: "There is no such page",
  unknown: "The address is incomplete, or the page is more than a day old.",
};
