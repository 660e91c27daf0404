import type { Phrases } from "./phrases.ts";

export const en: Phrases = {
  checkin: (time) => `Check-in is from ${time}.`,
  checkout: (time) => `Check-out is until ${time}.`,
  unpublished: (subject) => `The hotel publishes nothing about ${subject}, so I cannot say.`,
  subjects: {
    checkin: "check-in times",
    checkout: "check-out times",
    early_checkin: "earlier check-in",
    late_checkout: "later check-out",
    reception: "reception hours and late arrivals",
    luggage: "luggage storage",
    distance: "distances and transport nearby",
    phone: "a telephone number",
    email: "an e-mail address for guests",
    about: "a description",
    stars: "a star rating",
    beds: "beds",
    size: "room sizes",
    room_count: "the number of rooms",
    extra_bed: "extra beds",
    children: "a policy for children",
    minimum_age: "a minimum age",
    meal_price: "prices and times of meals",
    amenities: "amenities",
    cancellation: "cancellation terms",
    taxes: "taxes and fees",
    payment: "means of payment",
    discount: "discounts and vouchers",
    rooms: "room types",
  },
  askHotel: (phone) => `You can ask the hotel: ${phone}.`,
  address: (hotel, address) => `${hotel} is at ${address}.`,
  phone: (phone) => `The hotel's telephone number is ${phone}.`,
  timezone: (zone) => `The hotel's time zone is ${zone}.`,
  stars: (stars) => `The hotel has ${stars}.`,
  rooms: (names) => `Room types: ${names}.`,
  bed: (room, bed) => `${room}: ${bed}.`,
  size: (room, squareMetres) => `${room}: ${squareMetres} m².`,
  sleeps: (room, guests) => `${room}: up to ${guests} ${guests === 1 ? "guest" : "guests"}.`,
  roomCount: (count) => `The hotel has ${count} rooms.`,
  smokingNowhere: "Smoking is not allowed in any room.",
  smokingIn: (rooms) => `Smoking is allowed in: ${rooms}.`,
  petsYes: "Pets are allowed.",
  petsNo: "Pets are not allowed.",
  childPolicy: (text) => `The hotel says about children: “${text}”`,
  meals: (meal, plans) => `${meal}: ${plans}.`,
  noBreakfast: "No rate on sale includes breakfast.",
  listed: (amenity) => `The hotel lists: ${amenity}.`,
  unlisted: (words) =>
    `“${words}” is not listed among the hotel's amenities; whether there is any, I do not know.`,
  inRooms: (amenity, rooms) => `${amenity}: in ${rooms}.`,
  inAllRooms: (amenity) => `${amenity}: in all room types.`,
  costUnknown: (words) => `What it costs (${words}) is not published.`,
  amenities: (list) => `The hotel lists: ${list}.`,
  roomAmenities: (list) => `In all room types: ${list}.`,
  freeUntil: (plans, hours, share) =>
    `Free cancellation until ${hours} hours before check-in, then it costs ${share} of the ` +
    `prepaid amount: ${plans}.`,
  feeFromBooking: (plans, share) =>
    `Cancelling costs ${share} of the prepaid amount from the booking on: ${plans}.`,
  fromCheckIn: (share) => `From the check-in time on, cancelling costs ${share}.`,
  nonRefundable: (plans) => `Non-refundable: ${plans}.`,
  tax: ({ name, amount, basis, isIncluded, isPaidThere, nights, age }) =>
    `${name}: ${amount} ${basis}, ${isIncluded ? "included in the rate" : "added to the rate"}` +
    `${isPaidThere ? ", paid at the hotel" : ""}` +
    `${age === null ? "" : `, from the age of ${age}`}` +
    `${nights === null ? "" : `, for ${nights} nights at most`}.`,
  bases: {
    percent: "of the price",
    per_stay: "per stay",
    per_night: "per night",
    per_person: "per person",
    per_person_per_night: "per person and night",
  },
  currency: (currency) => `Prices are in ${currency}.`,
  payment: "How much is paid when booking and how much at the hotel is told with each price.",
  booking:
    "Tell me your dates and who comes: I show prices, and each has a link that leads on to booking.",
  ownBooking: "I cannot see or change bookings; the one who booked can, with the booking's id.",
  identity: (hotel) =>
    `I am an automatic assistant for ${hotel}. I answer from what the hotel publishes and from ` +
    "its live prices.",
  greeting: (hotel) => `Hello! What would you like to know about ${hotel}?`,
  thanks: "You are welcome.",
  notUnderstood:
    "I cannot answer that from what the hotel publishes. I know about times, address, rooms, " +
    "amenities, meals, pets, cancellation, taxes, and prices for dates.",
  restUnknown: "To the rest of your question I have found nothing that the hotel publishes.",

  needDates: "Prices depend on dates. When would you arrive and leave, and how many are you?",
  needAges: "How old are the children? Prices depend on their ages.",
  problems: {
    no_such_date: "One of these dates does not exist. Which dates do you mean?",
    ambiguous_date: "I cannot tell day from month. Please write the dates as 12 Dec or 2026-12-12.",
    past: "These dates are past. Which dates do you mean?",
    far: "Rooms cannot be booked that far ahead.",
    long: "A stay is of 90 nights at most.",
    order: "The departure is not after the arrival. Which dates do you mean?",
    vague: "For prices I need exact dates. On which day would you arrive, and on which leave?",
    end_only: "On which day would you arrive?",
  },
  childrenOf: (ages) =>
    `${ages.length === 1 ? "1 child" : `${ages.length} children`} (age ${ages.join(", ")})`,
  offers: (stay, count) => `${stay}: ${count === 1 ? "1 offer" : `${count} offers`}.`,
  assumed: (adults) => `You did not say how many you are: prices are for ${adults}.`,
  offer: ({ isCheapest, room, plan, meal, total, paidThere, terms }) =>
    `${isCheapest ? "Cheapest" : "Or"}: ${room}, ${plan} (${meal}): ${total} in all, taxes and fees ` +
    `included${paidThere === null ? "" : `, of which ${paidThere} is paid at the hotel`}. ${terms}`,
  noneWith: "Nothing like that is free on these dates; these are:",
  nothingFree: (stay) => `${stay}: nothing is free.`,
  tooMany: (guests) => `No room takes so many: the largest is for ${guests}.`,
  otherDates: (dates) => `Free instead: ${dates}.`,
  tooManyGuests: (most) => `I can show prices for up to ${most} adults.`,

  seeRooms: "Rooms and prices",
  searchElsewhere: "Other dates",
};
