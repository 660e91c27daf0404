import type { MailWords } from "./words.ts";

export const it: MailWords = {
  hello: (name) => (name === null ? "Buongiorno," : `Buongiorno ${name},`),
  confirmed: "Prenotazione confermata",
  changed: "Prenotazione modificata",
  cancelled: "Prenotazione cancellata",
  linkSubject: "Il suo link alla prenotazione",

  confirmedOpening:
    "La sua prenotazione è confermata. All'arrivo mostri per favore il codice di conferma.",
  changedOpening: "La sua prenotazione è stata modificata. Ora è così.",
  cancelledOpening: "La sua prenotazione è cancellata. La camera non è più riservata per lei.",
  linkOpening:
    "Apra questo link per vedere la sua prenotazione. Vale una sola volta, per 15 minuti. Oppure " +
    "inserisca il codice nella pagina in cui lo ha richiesto.",

  code: "Codice di conferma",
  property: "Struttura",
  address: "Indirizzo",
  room: "Camera",
  arrival: "Arrivo",
  departure: "Partenza",
  nights: "Notti",
  guests: "Ospiti",
  total: "Prezzo totale",
  paid: "Pagato alla prenotazione",
  dueThere: "Da pagare in struttura",
  cancellation: "Cancellazione",
  cancelledOn: "Cancellata il",
  fee: "Costo di cancellazione",
  paidBack: "Rimborsato",
  digits: "Codice",

  from: (time) => `dalle ${time}`,
  until: (time) => `fino alle ${time}`,
  adults: (count) => (count === 1 ? "1 adulto" : `${count} adulti`),
  children: (count, ages) => `${count} ${count === 1 ? "bambino" : "bambini"} (età ${ages})`,

  refundOnItsWay:
    "Il rimborso va sul suo metodo di pagamento originale; la sua banca può impiegare alcuni " +
    "giorni a mostrarlo.",
  refundWithheld:
    "La sua banca sta esaminando questo pagamento, perciò la struttura non può rimborsarlo. " +
    "Decide la sua banca.",
  noRefund: "Secondo le condizioni di cancellazione della prenotazione non c'è rimborso.",
  nothingPaid: "Per la prenotazione non è stato pagato nulla, quindi non c'è nulla da rimborsare.",
  ownPage:
    "Può vedere, modificare o cancellare la prenotazione, con il suo indirizzo e-mail e il " +
    "codice, qui:",
  contact:
    "Per modificare o cancellare la prenotazione si rivolga al servizio con cui ha prenotato.",
  notAsked: "Se non ha richiesto questa e-mail, la ignori. Non dia ad altri il link né il codice.",
};
