import type { CheckoutWords } from "./words.ts";

export const de: CheckoutWords = {
  bookTitle: "Ihren Aufenthalt buchen",
  keptFor: (minutes, until) =>
    `Das Zimmer ist noch ${minutes === 1 ? "1 Minute" : `${minutes} Minuten`} für Sie reserviert, ` +
    `bis ${until}.`,
  keepLonger: "Zimmer länger reservieren",
  inPrice: "Im Preis enthalten",

  details: "Ihre Angaben",
  optional: "freiwillig",
  nameHint: "Geben Sie den Namen des Gastes ein.",
  emailHint: "Geben Sie eine vollständige Adresse ein.",
  phoneHint: "Geben Sie 4 bis 32 Zeichen ein.",
  payWith: "Bezahlen mit",
  cards: {
    ok: "Testkarte, die belastet wird",
    declined: "Testkarte, die abgelehnt wird",
    "no-funds": "Testkarte ohne ausreichende Deckung",
    late: "Testkarte, die erst nach mehr als zehn Sekunden belastet wird",
  },
  accept: "Mit der Buchung stimmen Sie dem Preis und den Stornobedingungen oben zu.",
  sandbox: "Es fließt kein echtes Geld: Dieser Dienst nutzt eine Testumgebung für Zahlungen.",
  cardNext:
    "Nach Ihrer Karte fragt der Zahlungsanbieter auf der nächsten Seite. Belastet wird sie erst, " +
    "wenn das Zimmer gebucht ist.",
  pay: (amount) => `${amount} bezahlen`,

  nothingCharged: "Es wurde nichts abgebucht.",
  notConfigured: "Zahlungen sind auf dieser Seite nicht eingerichtet.",
  noAgent:
    "Der Agent, der Ihnen diesen Link gegeben hat, kann nicht mehr buchen. Bitten Sie ihn um eine " +
    "neue Seite.",
  cardDeclined: "Die Karte wurde abgelehnt.",
  cardWithoutFunds: "Die Karte ist nicht ausreichend gedeckt.",
  otherCard:
    "Das Zimmer ist weiterhin für Sie reserviert: Wählen Sie eine andere Karte und bezahlen Sie " +
    "noch einmal.",
  notStarted:
    "Die Zahlung konnte nicht begonnen werden, und es wurde nichts abgebucht. Versuchen Sie es mit " +
    "einer anderen Karte.",
  mustApprove:
    "Das Hotel muss dieser Buchung zustimmen und wurde gefragt. Es wurde nichts abgebucht. Bezahlen " +
    "Sie noch einmal, wenn es zugestimmt hat, solange das Zimmer für Sie reserviert ist.",

  payingTitle: "Die Zahlung läuft",
  paying: "Bezahlen Sie nicht noch einmal: Das Ergebnis steht dann hier.",
  lookAgain: "Noch einmal nachsehen",

  bookedTitle: "Ihr Aufenthalt ist gebucht",
  bookingTitle: "Ihre Buchung",
  writeDown: "Das Hotel findet Ihre Buchung mit diesem Code und Ihrem Namen: Notieren Sie ihn.",
  manage: "Buchung ansehen, ändern oder stornieren",
  manageWith: "Sie brauchen dafür den Code und Ihre E-Mail-Adresse.",
  backTo: "Zurück zu",

  endedTitle: "Diese Seite gilt nicht mehr",
  expired: "Das Zimmer war nur für begrenzte Zeit reserviert, und sie ist abgelaufen.",
  takenBack: "Der Agent hat diese Seite zurückgezogen.",
  nothingBooked: "Hier wurde nichts gebucht.",
  askAgent: "Bitten Sie den Agenten, der Ihnen den Link gegeben hat, um eine neue Seite.",
  seeFree: "Ansehen, was im Hotel jetzt frei ist",

  unknownTitle: "Diese Seite gibt es nicht",
  unknown: "Die Adresse ist unvollständig, oder die Seite ist älter als einen Tag.",
};
