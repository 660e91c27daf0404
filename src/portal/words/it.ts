import type { PortalWords } from "./words.ts";

export const it: PortalWords = {
  findTitle: "Vedere la sua prenotazione",
  findIntro:
    "Inserisca l'indirizzo e-mail e il codice di conferma della prenotazione. A quell'indirizzo " +
    "arriva un link.",
  sendLink: "Inviare il link",
  sentTitle: "Apra il link nella sua e-mail",
  sentIntro:
    "Se c'è una prenotazione con questo indirizzo e questo codice, un'e-mail con un link è in " +
    "arrivo. Il link vale una sola volta, per 15 minuti. Se non può aprirlo qui, inserisca le sei " +
    "cifre dell'e-mail.",
  digits: "Sei cifre dell'e-mail",
  show: "Mostrare la mia prenotazione",
  askAgain: "Chiedere un'altra e-mail",
  enterIntro: "Prema il pulsante per vedere la prenotazione. Il link vale una sola volta.",

  badLink:
    "Questo link o codice non vale: è sbagliato, è già stato usato o ha più di 15 minuti. Chieda " +
    "un'altra e-mail.",
  notSecure: "Questa pagina richiede https: senza, il browser non conserva la sessione.",
  signedOut: "È uscito. Chieda un'e-mail per rivedere la prenotazione.",

  title: "Il suo soggiorno",

  money: "Denaro",
  kept: "Trattenuto",
  refundStates: {
    pending: "Rimborso in arrivo",
    succeeded: "Rimborsato",
    failed: "Rimborso non riuscito: contatti l'hotel",
  },

  backNow: (refund, fee) => `Se cancella adesso, le tornano ${refund} e ${fee} sono trattenuti.`,
  allBackNow: (refund) => `Se cancella adesso, le torna tutto: ${refund}.`,
  nothingBackNow: "Se cancella adesso, non le torna nulla.",
  nothingToPay: "Non è stato pagato nulla in anticipo, quindi cancellare non costa nulla.",
  nothingBackFrom: (when) => `Dal ${when} non le torna nulla.`,

  cancel: "Cancellare la prenotazione…",
  cancelTitle: "Cancellare questa prenotazione?",
  cancelFinal: "La camera torna subito in vendita. Non si può annullare.",
  cancelFor: (refund) => `Cancellare e riavere ${refund}`,
  cancelPlain: "Cancellare senza rimborso",
  keep: "Tenere la prenotazione",
  amountChanged:
    "L'importo è cambiato mentre leggeva. Non è stato cancellato nulla; lo controlli di nuovo.",
  notCancellable: "Questa prenotazione non si può più cancellare qui.",

  change: "Modificare date o dati",
  dateRule: (when) =>
    `Le nuove date devono avere le stesse notti e lo stesso totale. Può modificarle fino al ` +
    `${when}.`,
  datesFixed: "Le condizioni di questa prenotazione non permettono altre date.",
  mailLanguage: "Lingua delle e-mail per lei",
  save: "Salvare",
  saved: "Le modifiche sono salvate.",
  otherLength: "Il nuovo soggiorno ha un altro numero di notti. Ne scelga altrettante.",
  otherTotal: (total) =>
    `Le nuove date costano ${total}, cioè un altro totale. Ne scelga altre o chieda all'hotel.`,
  noRoom: "La camera non è libera in queste date. Ne scelga altre.",
  notChangeable: "Qui non si può più modificare. Chieda all'hotel.",

  resend: "Inviare di nuovo la conferma",
  resent: "L'e-mail è in arrivo.",
  tooOften: "L'e-mail è già stata inviata più volte. Riprovi tra un'ora.",
  notSent: "Non è stato possibile inviare l'e-mail. Riprovi più tardi.",
  signOut: "Uscire",
};
