import type { PortalWords } from "./words.ts";

export const de: PortalWords = {
  findTitle: "Ihre Buchung ansehen",
  findIntro:
    "Geben Sie E-Mail-Adresse und Bestätigungscode Ihrer Buchung ein. An diese Adresse kommt ein " +
    "Link.",
  email: "E-Mail-Adresse",
  code: "Bestätigungscode",
  sendLink: "Link senden",
  sentTitle: "Öffnen Sie den Link in Ihrer E-Mail",
  sentIntro:
    "Wenn es eine Buchung mit dieser Adresse und diesem Code gibt, ist eine E-Mail mit einem Link " +
    "unterwegs. Er gilt einmal und 15 Minuten lang. Wenn Sie ihn hier nicht öffnen können, geben " +
    "Sie die sechs Ziffern der E-Mail ein.",
  digits: "Sechs Ziffern der E-Mail",
  show: "Meine Buchung zeigen",
  askAgain: "Neue E-Mail anfordern",
  enterIntro: "Mit dem Knopf sehen Sie Ihre Buchung. Der Link gilt einmal.",

  badLink:
    "Dieser Link oder Code gilt nicht: Er ist falsch, wurde schon benutzt oder ist älter als 15 " +
    "Minuten. Fordern Sie eine neue E-Mail an.",
  badInput: "Etwas fehlt oder stimmt nicht. Prüfen Sie Ihre Eingaben.",
  notSecure: "Diese Seite braucht https: Sonst behält der Browser die Anmeldung nicht.",
  notTaken:
    "Es wurde nichts geändert: Das Formular kam nicht von dieser Seite. Wiederholen Sie es hier.",
  signedOut: "Sie sind abgemeldet. Fordern Sie eine E-Mail an, um Ihre Buchung wieder zu sehen.",
  failed: "Das hat nicht geklappt. Versuchen Sie es gleich noch einmal.",
  test: "TEST: Buchungen und Geld sind hier nicht echt",

  title: "Ihr Aufenthalt",
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

  money: "Geld",
  paid: "Bezahlt",
  kept: "Einbehalten",
  refundStates: {
    pending: "Erstattung unterwegs",
    succeeded: "Erstattet",
    failed: "Erstattung gescheitert: Wenden Sie sich an das Hotel",
  },

  terms: "Wenn Sie stornieren",
  until: (when) => `bis ${when}`,
  afterwards: "danach",
  noShow: "wenn Sie nicht anreisen",
  free: "kostenlos",
  costs: (fee) => `kostet ${fee}`,
  now: "jetzt",
  backNow: (refund, fee) =>
    `Wenn Sie jetzt stornieren, erhalten Sie ${refund} zurück; ${fee} werden einbehalten.`,
  allBackNow: (refund) => `Wenn Sie jetzt stornieren, erhalten Sie alles zurück: ${refund}.`,
  nothingBackNow: "Wenn Sie jetzt stornieren, erhalten Sie nichts zurück.",
  nothingToPay: "Es wurde nichts vorausbezahlt, die Stornierung kostet also nichts.",
  nothingBackFrom: (when) => `Ab ${when} erhalten Sie nichts zurück.`,

  cancel: "Buchung stornieren …",
  cancelTitle: "Diese Buchung stornieren?",
  cancelFinal: "Das Zimmer wird sofort wieder angeboten. Das lässt sich nicht rückgängig machen.",
  cancelFor: (refund) => `Stornieren und ${refund} zurückerhalten`,
  cancelPlain: "Stornieren, ohne Erstattung",
  keep: "Buchung behalten",
  amountChanged:
    "Der Betrag hat sich inzwischen geändert. Es wurde nichts storniert; bitte prüfen Sie ihn.",
  notCancellable: "Diese Buchung kann hier nicht mehr storniert werden.",

  change: "Daten ändern",
  dateRule: (when) =>
    `Andere Tage müssen gleich viele Nächte und denselben Gesamtpreis haben. Ändern können Sie ` +
    `sie bis ${when}.`,
  datesFixed: "Die Bedingungen dieser Buchung erlauben keine anderen Tage.",
  name: "Vollständiger Name",
  phone: "Telefon",
  requests: "Wünsche an das Hotel",
  mailLanguage: "Sprache der E-Mails an Sie",
  save: "Speichern",
  saved: "Ihre Änderungen sind gespeichert.",
  otherLength: "Der neue Aufenthalt hat eine andere Zahl von Nächten. Wählen Sie gleich viele.",
  otherTotal: (total) =>
    `Die neuen Tage kosten ${total}, also einen anderen Gesamtpreis. Wählen Sie andere Tage oder ` +
    "fragen Sie das Hotel.",
  noRoom: "Das Zimmer ist an diesen Tagen nicht frei. Wählen Sie andere.",
  notChangeable: "Das kann hier nicht mehr geändert werden. Fragen Sie das Hotel.",

  receipts: "Belege",
  receiptKinds: {
    booking_confirmed: "Bestätigung",
    booking_cancelled: "Stornierung",
    refund_issued: "Erstattung",
  },
  verify: "Jede Datei ist signiert. Prüfen kann sie jeder unter dieser Adresse:",

  resend: "Bestätigung noch einmal senden",
  resent: "Die E-Mail ist unterwegs.",
  tooOften: "Die E-Mail wurde schon mehrmals gesendet. Versuchen Sie es in einer Stunde.",
  notSent: "Die E-Mail konnte nicht gesendet werden. Versuchen Sie es später.",
  signOut: "Abmelden",
};
