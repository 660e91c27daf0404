import type { Phrases } from "./phrases.ts";

export const de: Phrases = {
  checkin: (time) => `Der Check-in ist ab ${time} Uhr.`,
  checkout: (time) => `Der Check-out ist bis ${time} Uhr.`,
  unpublished: (subject) =>
    `Dazu veröffentlicht das Hotel nichts, ich weiß es daher nicht: ${subject}.`,
  subjects: {
    checkin: "Check-in-Zeit",
    checkout: "Check-out-Zeit",
    early_checkin: "früherer Check-in",
    late_checkout: "späterer Check-out",
    reception: "Zeiten der Rezeption und späte Anreise",
    luggage: "Gepäckaufbewahrung",
    distance: "Entfernungen und Verkehrsmittel in der Nähe",
    phone: "Telefonnummer",
    email: "E-Mail-Adresse für Gäste",
    about: "Beschreibung",
    stars: "Sterne",
    beds: "Betten",
    size: "Zimmergrößen",
    room_count: "Zahl der Zimmer",
    extra_bed: "Zustellbetten",
    children: "Regelung für Kinder",
    minimum_age: "Mindestalter",
    meal_price: "Preise und Zeiten der Mahlzeiten",
    amenities: "Ausstattung",
    cancellation: "Stornobedingungen",
    taxes: "Steuern und Gebühren",
    payment: "Zahlungsmittel",
    discount: "Rabatte und Gutscheine",
    rooms: "Zimmertypen",
  },
  askHotel: (phone) => `Sie können das Hotel fragen: ${phone}.`,
  address: (hotel, address) => `${hotel} liegt hier: ${address}.`,
  phone: (phone) => `Die Telefonnummer des Hotels ist ${phone}.`,
  timezone: (zone) => `Die Zeitzone des Hotels ist ${zone}.`,
  stars: (stars) => `Das Hotel hat ${stars}.`,
  rooms: (names) => `Zimmertypen: ${names}.`,
  bed: (room, bed) => `${room}: ${bed}.`,
  size: (room, squareMetres) => `${room}: ${squareMetres} m².`,
  sleeps: (room, guests) => `${room}: bis ${guests} ${guests === 1 ? "Person" : "Personen"}.`,
  roomCount: (count) => `Das Hotel hat ${count} Zimmer.`,
  smokingNowhere: "Rauchen ist in keinem Zimmer erlaubt.",
  smokingIn: (rooms) => `Rauchen ist hier erlaubt: ${rooms}.`,
  petsYes: "Haustiere sind erlaubt.",
  petsNo: "Haustiere sind nicht erlaubt.",
  childPolicy: (text) => `Das Hotel schreibt über Kinder: „${text}“`,
  meals: (meal, plans) => `${meal}: ${plans}.`,
  noBreakfast: "Kein angebotener Tarif enthält Frühstück.",
  listed: (amenity) => `Das Hotel führt auf: ${amenity}.`,
  unlisted: (words) =>
    `„${words}“ führt das Hotel nicht in seiner Ausstattung auf; ob es das gibt, weiß ich nicht.`,
  inRooms: (amenity, rooms) => `${amenity}: in ${rooms}.`,
  inAllRooms: (amenity) => `${amenity}: in allen Zimmertypen.`,
  costUnknown: (words) => `Was es kostet (${words}), ist nicht veröffentlicht.`,
  amenities: (list) => `Das Hotel führt auf: ${list}.`,
  roomAmenities: (list) => `In allen Zimmertypen: ${list}.`,
  freeUntil: (plans, hours, share) =>
    `Kostenlos stornierbar bis ${hours} Stunden vor dem Check-in, danach kostet es ${share} des ` +
    `vorausbezahlten Betrags: ${plans}.`,
  feeFromBooking: (plans, share) =>
    `Eine Stornierung kostet ab der Buchung ${share} des vorausbezahlten Betrags: ${plans}.`,
  fromCheckIn: (share) => `Ab der Check-in-Zeit kostet eine Stornierung ${share}.`,
  nonRefundable: (plans) => `Nicht erstattbar: ${plans}.`,
  tax: ({ name, amount, basis, isIncluded, isPaidThere, nights, age }) =>
    `${name}: ${amount} ${basis}, ${isIncluded ? "im Preis enthalten" : "zusätzlich zum Preis"}` +
    `${isPaidThere ? ", im Hotel zu zahlen" : ""}` +
    `${age === null ? "" : `, ab ${age} Jahren`}` +
    `${nights === null ? "" : `, für höchstens ${nights} Nächte`}.`,
  bases: {
    percent: "vom Preis",
    per_stay: "pro Aufenthalt",
    per_night: "pro Nacht",
    per_person: "pro Person",
    per_person_per_night: "pro Person und Nacht",
  },
  currency: (currency) => `Die Preise sind in ${currency}.`,
  payment: "Was bei der Buchung und was im Hotel zu zahlen ist, steht bei jedem Preis.",
  booking:
    "Nennen Sie mir Ihre Daten und wer kommt: Ich zeige Preise, und jeder hat einen Link zur Buchung.",
  ownBooking:
    "Buchungen kann ich weder sehen noch ändern; das kann, wer gebucht hat, mit der Buchungs-Id.",
  identity: (hotel) =>
    `Ich bin ein automatischer Assistent für ${hotel}. Ich antworte aus dem, was das Hotel ` +
    "veröffentlicht, und aus seinen aktuellen Preisen.",
  greeting: (hotel) => `Guten Tag! Was möchten Sie über ${hotel} wissen?`,
  thanks: "Gern geschehen.",
  notUnderstood:
    "Das kann ich aus dem, was das Hotel veröffentlicht, nicht beantworten. Ich weiß Bescheid über " +
    "Zeiten, Adresse, Zimmer, Ausstattung, Verpflegung, Haustiere, Stornierung, Steuern und Preise.",
  restUnknown: "Zum Rest Ihrer Frage habe ich nichts gefunden, was das Hotel veröffentlicht.",

  needDates:
    "Preise hängen von den Daten ab. Wann würden Sie an- und abreisen, und wie viele sind Sie?",
  needAges: "Wie alt sind die Kinder? Davon hängen die Preise ab.",
  problems: {
    no_such_date: "Eines dieser Daten gibt es nicht. Welche Daten meinen Sie?",
    ambiguous_date: "Tag und Monat sind nicht zu unterscheiden. Bitte schreiben Sie 12. Dezember.",
    past: "Diese Daten sind vorbei. Welche Daten meinen Sie?",
    far: "So weit im Voraus kann nicht gebucht werden.",
    long: "Ein Aufenthalt ist höchstens 90 Nächte lang.",
    order: "Die Abreise liegt nicht nach der Anreise. Welche Daten meinen Sie?",
    vague: "Für Preise brauche ich genaue Daten. An welchem Tag würden Sie an- und abreisen?",
    end_only: "An welchem Tag würden Sie anreisen?",
  },
  childrenOf: (ages) =>
    `${ages.length === 1 ? "1 Kind" : `${ages.length} Kinder`} (Alter ${ages.join(", ")})`,
  offers: (stay, count) => `${stay}: ${count === 1 ? "1 Angebot" : `${count} Angebote`}.`,
  assumed: (adults) => `Sie haben nicht gesagt, wie viele Sie sind: Die Preise sind für ${adults}.`,
  offer: ({ isCheapest, room, plan, meal, total, paidThere, terms }) =>
    `${isCheapest ? "Am günstigsten" : "Oder"}: ${room}, ${plan} (${meal}): insgesamt ${total}, ` +
    `Steuern und Gebühren inbegriffen` +
    `${paidThere === null ? "" : `, davon ${paidThere} im Hotel zu zahlen`}. ${terms}`,
  noneWith: "So etwas ist an diesen Tagen nicht frei, aber dies:",
  nothingFree: (stay) => `${stay}: Nichts ist frei.`,
  tooMany: (guests) => `Kein Zimmer ist für so viele: Das größte ist für ${guests}.`,
  otherDates: (dates) => `Stattdessen frei: ${dates}.`,
  tooManyGuests: (most) => `Preise kann ich für bis zu ${most} Erwachsene zeigen.`,

  seeRooms: "Zimmer und Preise",
  searchElsewhere: "Andere Daten",
};
