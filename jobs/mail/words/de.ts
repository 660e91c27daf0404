import type { MailWords } from "./words.ts";

export const de: MailWords = {
  hello: (name) => (name === null ? "Guten Tag," : `Guten Tag ${name},`),
  confirmed: "Buchung bestätigt",
  changed: "Buchung geändert",
  cancelled: "Buchung storniert",
  linkSubject: "Ihr Link zur Buchung",

  confirmedOpening:
    "Ihre Buchung ist bestätigt. Bitte zeigen Sie bei der Anreise den Bestätigungscode.",
  changedOpening: "Ihre Buchung wurde geändert. So ist sie jetzt.",
  cancelledOpening: "Ihre Buchung ist storniert. Das Zimmer ist nicht mehr für Sie reserviert.",
  linkOpening:
    "Öffnen Sie diesen Link, um Ihre Buchung zu sehen. Er gilt einmal und 15 Minuten lang. Oder " +
    "geben Sie den Code auf der Seite ein, auf der Sie ihn angefordert haben.",

  code: "Bestätigungscode",
  property: "Unterkunft",
  address: "Adresse",
  room: "Zimmer",
  arrival: "Anreise",
  departure: "Abreise",
  nights: "Nächte",
  guests: "Gäste",
  total: "Gesamtpreis",
  paid: "Bei der Buchung bezahlt",
  dueThere: "In der Unterkunft zu zahlen",
  cancellation: "Stornierung",
  cancelledOn: "Storniert am",
  fee: "Stornogebühr",
  paidBack: "Erstattet",
  digits: "Code",

  from: (time) => `ab ${time}`,
  until: (time) => `bis ${time}`,
  adults: (count) => (count === 1 ? "1 Erwachsener" : `${count} Erwachsene`),
  children: (count, ages) => `${count} ${count === 1 ? "Kind" : "Kinder"} (Alter ${ages})`,

  refundOnItsWay:
    "Die Erstattung geht an Ihr ursprüngliches Zahlungsmittel; bis Ihre Bank sie zeigt, können " +
    "einige Tage vergehen.",
  refundWithheld:
    "Ihre Bank prüft diese Zahlung, deshalb kann die Unterkunft sie nicht erstatten. Ihre Bank " +
    "entscheidet.",
  noRefund: "Nach den Stornobedingungen der Buchung gibt es keine Erstattung.",
  nothingPaid: "Für die Buchung wurde nichts bezahlt, also gibt es nichts zu erstatten.",
  ownPage:
    "Ihre Buchung ansehen, ändern oder stornieren können Sie mit E-Mail-Adresse und Code unter:",
  contact:
    "Um die Buchung zu ändern oder zu stornieren, wenden Sie sich an den Dienst, bei dem Sie " +
    "gebucht haben.",
  notAsked:
    "Wenn Sie diese E-Mail nicht angefordert haben, beachten Sie sie nicht. Geben Sie Link und " +
    "Code nicht weiter.",
};
