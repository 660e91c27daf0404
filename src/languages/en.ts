import type { Words } from "./words.ts";

export const en: Words = {
  name: "English",
  terms: null,
  assumed: {
    no_dates: "No dates came with your link: this is tonight. Choose your own above.",
    dates_past: "The dates of your link are past: this is a stay from today on.",
    dates_far: "Rooms cannot be booked that far ahead: this is a stay from today on.",
    dates_order: "Check-out was not after check-in: this is a stay of one night.",
    stay_long: "A stay is of 90 nights at most: it was shortened to that.",
    adults: "The number of guests could not be read: prices are for two adults.",
    room_unknown: "The room or rate of your link is no longer offered: here are all others.",
    rate_sold_out: "The room or rate of your link is not free on these dates.",
    not_kept:
      "The room could not be kept for you, and nothing was booked. These are the offers now.",
    busy: "The room could not be kept for you at the moment. Nothing was booked; try again shortly.",
    too_many:
      "Rooms were asked for too often from where you are. Nothing was booked; try again in a minute.",
  },
  meals: {
    room_only: "Room only",
    breakfast: "Breakfast included",
    half_board: "Half board included",
    full_board: "Full board included",
    all_inclusive: "All inclusive",
  },
  nights: (count) => (count === 1 ? "1 night" : `${count} nights`),
  adultsOf: (count) => (count === 1 ? "1 adult" : `${count} adults`),
  starsOf: (count) => (count === 1 ? "1 star" : `${count} stars`),
  sleeps: (count) => `Sleeps ${count}`,

  checkIn: "Check-in",
  checkOut: "Check-out",
  adults: "Adults",
  showPrices: "Show prices",
  onMap: "Show on a map",

  yourStay: "Your stay",
  total: "Total",
  allIncluded: "All taxes and fees included",
  included: "taxes and fees included",
  about: (amount) => `about ${amount}`,
  approximate: (currency, asOf) =>
    `Converted at the rates of ${asOf}, for orientation. The price is in ${currency}.`,
  notConverted: (currency) => `There is no exchange rate for ${currency}.`,
  aNight: (amount) => `${amount} a night on average`,
  roomCharge: "Room",
  price: "Price",
  paidThere: "paid at the hotel",
  dueNow: "You pay when booking",
  dueThere: "You pay at the hotel",
  howToBook: "How to book",

  rooms: "Rooms and rates",
  choose: "Choose",
  chosen: "Your choice",
  forOne: "Price for 1 adult",
  moreRates: (count) =>
    (count === 1
      ? "1 more rate is free on these dates. "
      : `${count} more rates are free on these dates. `) +
    "Agents and programs get every one of them from the API:",
  unavailable: "Not on these dates",
  soldOut: "sold out",
  nightsAtLeast: (count) => `from ${count} nights on`,
  nightsAtMost: (count) => `up to ${count} nights`,
  noArrival: "no arrival on that day",
  noDeparture: "no departure on that day",
  sleepsOnly: (count) => (count === 1 ? "for 1 guest only" : `for up to ${count} guests`),

  nothingFree: "Nothing is free on these dates",
  tryOthers: "These stays can be booked now:",
  otherDates: "The same room on other dates",
  fromPrice: (amount) => `from ${amount}`,
  noOthers: "No stay near these dates is free either. Try others with the form above.",

  aboutHotel: "About the hotel",
  amenities: "Amenities",
  fromTime: (time) => `from ${time}`,
  untilTime: (time) => `until ${time}`,
  children: "Children",
  pets: "Pets",
  petsYes: "Allowed",
  petsNo: "Not allowed",
  phone: "Telephone",

  book: "Book",
  bookByAssistant: "An assistant can book for you too: it speaks to the hotel directly.",
  bookIntro: "This hotel is booked through an assistant that speaks to it directly.",
  askAssistant: "Tell your assistant",
  prompt: ({ hotel, room, rate, dates, party, total, address }) =>
    `Book ${room} (${rate}) at ${hotel}, ${dates}, for ${party}. The total should be ${total}, ` +
    `taxes included. You reach the hotel at ${address}`,
  forAgents: "For agents and developers",
  agentsIntro:
    "A quote freezes the price and the cancellation terms shown here; a hold and a booking follow.",
  reference: "API reference",
  agentCard: "Agent card",
  readyCall: "The request for this quote",

  askTitle: "Questions and answers",
  askLabel: "Your question",
  askButton: "Ask",

  asOf: (instant) => `Prices and availability as of ${instant}.`,
  firm: "A price is firm once it is quoted.",
  language: "Language",
  legal: "Legal information",

  notFound: "This hotel cannot be booked here",
  notFoundText:
    "It may have moved, or the link is incomplete. Please go back to where you found it.",
  whichHotel: "Which hotel do you mean?",
};
