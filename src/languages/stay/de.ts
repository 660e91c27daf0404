import type { StayWords } from "./words.ts";

export const de: StayWords = {
  email: "E-Mail-Adresse",
  code: "Bestätigungscode",

  badInput: "Etwas fehlt oder stimmt nicht. Prüfen Sie Ihre Eingaben.",
  notTaken:
    "Es wurde nichts geändert: Das Formular kam nicht von dieser Seite. Wiederholen Sie es hier.",
  failed: "Das hat nicht geklappt. Versuchen Sie es gleich noch einmal.",
  test: "TEST: Buchungen und Geld sind hier nicht echt",

  states: {
    confirmed: "Bestätigt",
    checked_in: "Sie sind angereist",
    completed: "Sie sind abgereist",
    cancelled: "Storniert",
    no_show: "Sie sind nicht angereist",
    relocated: "In ein anderes Hotel verlegt",
  },
  hotel: "Hotel",
  room: "Zimmer",
  stay: "Aufenthalt",
  party: "Gäste",
  childrenOf: (count) => (count === 1 ? "1 Kind" : `${count} Kinder`),
  directions: "Auf der Karte zeigen",

  paid: "Bezahlt",

  terms: "Wenn Sie stornieren",
  until: (when) => `bis ${when}`,
  noShow: "wenn Sie nicht anreisen",
  free: "kostenlos",
  costs: (fee) => `kostet ${fee}`,
  now: "jetzt",

  name: "Vollständiger Name",
  phone: "Telefon",
  requests: "Wünsche an das Hotel",

  receipts: "Belege",
  receiptKinds: {
    booking_confirmed: "Bestätigung",
    booking_cancelled: "Stornierung",
    refund_issued: "Erstattung",
  },
  verify: "Jede Datei ist signiert. Prüfen kann sie jeder unter dieser Adresse:",
};
