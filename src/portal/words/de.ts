import type { PortalWords } from "./words.ts";

export const de: PortalWords = {
  findTitle: "Ihre Buchung ansehen",
  findIntro:
    "Geben Sie E-Mail-Adresse und Bestätigungscode Ihrer Buchung ein. An diese Adresse kommt ein " +
    "Link.",
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
  notSecure: "Diese Seite braucht https: Sonst behält der Browser die Anmeldung nicht.",
  signedOut: "Sie sind abgemeldet. Fordern Sie eine E-Mail an, um Ihre Buchung wieder zu sehen.",

  title: "Ihr Aufenthalt",

  money: "Geld",
  kept: "Einbehalten",
  refundStates: {
    pending: "Erstattung unterwegs",
    succeeded: "Erstattet",
    failed: "Erstattung gescheitert: Wenden Sie sich an das Hotel",
  },

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
  mailLanguage: "Sprache der E-Mails an Sie",
  save: "Speichern",
  saved: "Ihre Änderungen sind gespeichert.",
  otherLength: "Der neue Aufenthalt hat eine andere Zahl von Nächten. Wählen Sie gleich viele.",
  otherTotal: (total) =>
    `Die neuen Tage kosten ${total}, also einen anderen Gesamtpreis. Wählen Sie andere Tage oder ` +
    "fragen Sie das Hotel.",
  noRoom: "Das Zimmer ist an diesen Tagen nicht frei. Wählen Sie andere.",
  notChangeable: "Das kann hier nicht mehr geändert werden. Fragen Sie das Hotel.",

  resend: "Bestätigung noch einmal senden",
  resent: "Die E-Mail ist unterwegs.",
  tooOften: "Die E-Mail wurde schon mehrmals gesendet. Versuchen Sie es in einer Stunde.",
  notSent: "Die E-Mail konnte nicht gesendet werden. Versuchen Sie es später.",
  signOut: "Abmelden",
};
