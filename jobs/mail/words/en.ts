import type { MailWords } from "./words.ts";

export const en: MailWords = {
  hello: (name) => (name === null ? "Hello," : `Hello ${name},`),
  confirmed: "Booking confirmed",
  changed: "Booking changed",
  cancelled: "Booking cancelled",
  linkSubject: "Your link to the booking",

  confirmedOpening: "Your booking is confirmed. Please show the confirmation code when you arrive.",
  changedOpening: "Your booking has been changed. This is how it is now.",
  cancelledOpening: "Your booking is cancelled. The room is no longer reserved for you.",
  linkOpening:
    "Open this link to see your booking. It can be used once, within 15 minutes. Or enter the " +
    "code on the page where you asked for it.",

  code: "Confirmation code",
  property: "Property",
  address: "Address",
  room: "Room",
  arrival: "Arrival",
  departure: "Departure",
  nights: "Nights",
  guests: "Guests",
  total: "Total price",
  paid: "Paid at booking",
  dueThere: "Due at the property",
  cancellation: "Cancellation",
  cancelledOn: "Cancelled on",
  fee: "Cancellation fee",
  paidBack: "Paid back",
  digits: "Code",

  from: (time) => `from ${time}`,
  until: (time) => `until ${time}`,
  adults: (count) => (count === 1 ? "1 adult" : `${count} adults`),
  children: (count, ages) => `${count} ${count === 1 ? "child" : "children"} (age ${ages})`,

  refundOnItsWay:
    "The refund goes to your original payment method; your bank may take some days to show it.",
  refundWithheld:
    "Your bank is looking into this payment, so the property cannot refund it. Your bank decides.",
  noRefund: "By the cancellation terms of the booking there is no refund.",
  nothingPaid: "Nothing was paid for the booking, so there is nothing to refund.",
  ownPage: "See, change or cancel your booking, with your e-mail address and the code, at:",
  contact: "To change or cancel the booking, contact the service that you booked with.",
  notAsked: "If you did not ask for this mail, ignore it. Do not pass the link or the code on.",
};
