import type { Words } from "./words.ts";

export const de: Words = {
  name: "Deutsch",
  terms: {
    freeAlways: "Jederzeit kostenlos stornierbar",
    freeUntil: (when) => `Kostenlos stornierbar bis ${when}`,
    lost: "Nicht erstattbar",
    lostInFull: "Nicht erstattbar: Der vorausbezahlte Betrag wird einbehalten",
    costsNow: (share) => `Eine Stornierung kostet ab sofort ${share} des vorausbezahlten Betrags`,
    afterwards: (share) => `danach kostet sie ${share} des vorausbezahlten Betrags`,
    from: (share, when) => `ab ${when} ${share}`,
    nothing: "nichts",
    localTime: (when, city) => `${when} (Ortszeit ${city})`,
  },
  assumed: {
    no_dates:
      "Ihr Link enthielt keine Daten: Gezeigt wird heute Nacht. Wählen Sie oben Ihre Daten.",
    dates_past: "Die Daten Ihres Links sind vorbei: Gezeigt wird ein Aufenthalt ab heute.",
    dates_far: "So weit im Voraus kann nicht gebucht werden: Gezeigt wird ein Aufenthalt ab heute.",
    dates_order: "Die Abreise lag nicht nach der Anreise: Gezeigt wird eine Nacht.",
    stay_long: "Ein Aufenthalt hat höchstens 90 Nächte: Er wurde darauf gekürzt.",
    adults: "Die Zahl der Gäste war nicht lesbar: Die Preise gelten für zwei Erwachsene.",
    room_unknown:
      "Das Zimmer oder der Tarif Ihres Links wird nicht mehr angeboten: Hier sind alle anderen.",
    rate_sold_out: "Das Zimmer oder der Tarif Ihres Links ist an diesen Tagen nicht frei.",
    not_kept:
      "Das Zimmer konnte nicht für Sie reserviert werden, und es wurde nichts gebucht. Dies sind die Angebote jetzt.",
    busy: "Das Zimmer konnte im Moment nicht für Sie reserviert werden. Es wurde nichts gebucht; versuchen Sie es gleich noch einmal.",
    too_many:
      "Von Ihrem Anschluss wurden zu oft Zimmer angefragt. Es wurde nichts gebucht; versuchen Sie es in einer Minute noch einmal.",
  },
  meals: {
    room_only: "Ohne Verpflegung",
    breakfast: "Frühstück inbegriffen",
    half_board: "Halbpension inbegriffen",
    full_board: "Vollpension inbegriffen",
    all_inclusive: "All-inclusive",
  },
  nights: (count) => (count === 1 ? "1 Nacht" : `${count} Nächte`),
  adultsOf: (count) => (count === 1 ? "1 Erwachsener" : `${count} Erwachsene`),
  starsOf: (count) => (count === 1 ? "1 Stern" : `${count} Sterne`),
  sleeps: (count) => (count === 1 ? "Für 1 Person" : `Bis ${count} Personen`),

  checkIn: "Anreise",
  checkOut: "Abreise",
  adults: "Erwachsene",
  showPrices: "Preise zeigen",
  onMap: "Auf der Karte zeigen",

  yourStay: "Ihr Aufenthalt",
  total: "Gesamtpreis",
  allIncluded: "Alle Steuern und Gebühren inbegriffen",
  included: "inkl. Steuern und Gebühren",
  about: (amount) => `etwa ${amount}`,
  approximate: (currency, asOf) =>
    `Umgerechnet zu den Kursen vom ${asOf}, zur Orientierung. Der Preis gilt in ${currency}.`,
  notConverted: (currency) => `Für ${currency} gibt es keinen Wechselkurs.`,
  aNight: (amount) => `im Schnitt ${amount} pro Nacht`,
  roomCharge: "Zimmer",
  price: "Preis",
  paidThere: "im Hotel zu zahlen",
  dueNow: "Sie zahlen bei der Buchung",
  dueThere: "Sie zahlen im Hotel",
  howToBook: "So buchen Sie",

  rooms: "Zimmer und Tarife",
  choose: "Wählen",
  chosen: "Ihre Wahl",
  forOne: "Preis für 1 Erwachsenen",
  moreRates: (count) =>
    (count === 1
      ? "1 weiterer Tarif ist in diesem Zeitraum frei. "
      : `${count} weitere Tarife sind in diesem Zeitraum frei. `) +
    "Agenten und Programme erhalten jeden davon über die Schnittstelle:",
  unavailable: "An diesen Tagen nicht verfügbar",
  soldOut: "ausgebucht",
  nightsAtLeast: (count) => `ab ${count} Nächten`,
  nightsAtMost: (count) => `höchstens ${count} Nächte`,
  noArrival: "keine Anreise an diesem Tag",
  noDeparture: "keine Abreise an diesem Tag",
  sleepsOnly: (count) => (count === 1 ? "nur für 1 Gast" : `für höchstens ${count} Gäste`),

  nothingFree: "An diesen Tagen ist nichts frei",
  tryOthers: "Diese Aufenthalte können jetzt gebucht werden:",
  otherDates: "Dasselbe Zimmer an anderen Tagen",
  fromPrice: (amount) => `ab ${amount}`,
  noOthers: "Auch an den Tagen davor und danach ist nichts frei. Wählen Sie oben andere Daten.",

  aboutHotel: "Über das Hotel",
  amenities: "Ausstattung",
  fromTime: (time) => `ab ${time}`,
  untilTime: (time) => `bis ${time}`,
  children: "Kinder",
  pets: "Haustiere",
  petsYes: "Erlaubt",
  petsNo: "Nicht erlaubt",
  phone: "Telefon",

  book: "Buchen",
  bookByAssistant: "Auch ein Assistent kann für Sie buchen: Er spricht direkt mit dem Hotel.",
  bookIntro: "Dieses Hotel wird über einen Assistenten gebucht, der direkt mit ihm spricht.",
  askAssistant: "Sagen Sie Ihrem Assistenten",
  prompt: ({ hotel, room, rate, dates, party, total, address }) =>
    `Buche ${room} (${rate}) im ${hotel}, ${dates}, für ${party}. Der Gesamtpreis soll ${total} ` +
    `sein, Steuern inbegriffen. Das Hotel erreichst du unter ${address}`,
  forAgents: "Für Agenten und Entwickler",
  agentsIntro:
    "Ein Angebot hält Preis und Stornobedingungen fest, wie sie hier stehen; Reservierung und " +
    "Buchung folgen.",
  reference: "API-Referenz",
  agentCard: "Agent Card",
  readyCall: "Die Anfrage für dieses Angebot",

  askTitle: "Fragen zum Hotel",
  askLabel: "Ihre Frage",
  askButton: "Fragen",

  asOf: (instant) => `Preise und Verfügbarkeit von ${instant}.`,
  firm: "Verbindlich wird ein Preis mit dem Angebot.",
  language: "Sprache",
  legal: "Rechtliches",

  notFound: "Dieses Hotel kann hier nicht gebucht werden",
  notFoundText:
    "Vielleicht ist es umgezogen, oder der Link ist unvollständig. Gehen Sie bitte dorthin zurück, " +
    "wo Sie ihn gefunden haben.",
  whichHotel: "Welches Hotel meinen Sie?",
};
