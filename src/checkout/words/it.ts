import type { CheckoutWords } from "./words.ts";

export const it: CheckoutWords = {
  bookTitle: "Prenotare il suo soggiorno",
  keptFor: (minutes, until) =>
    `La camera è riservata per lei per ${minutes === 1 ? "1 minuto" : `${minutes} minuti`}, ` +
    `fino al ${until}.`,
  keepLonger: "Riservare la camera più a lungo",
  inPrice: "Compreso nel prezzo",

  details: "I suoi dati",
  optional: "facoltativo",
  nameHint: "Inserisca il nome dell'ospite.",
  emailHint: "Inserisca un indirizzo completo.",
  phoneHint: "Inserisca da 4 a 32 caratteri.",
  payWith: "Pagare con",
  cards: {
    ok: "Carta di prova che viene addebitata",
    declined: "Carta di prova che viene rifiutata",
    "no-funds": "Carta di prova senza fondi sufficienti",
    late: "Carta di prova che viene addebitata dopo più di dieci secondi",
  },
  accept: "Prenotando, accetta il prezzo e le condizioni di cancellazione indicati sopra.",
  sandbox: "Non si muove denaro reale: questo servizio usa un ambiente di prova per i pagamenti.",
  cardNext:
    "La carta le viene chiesta alla pagina seguente dal fornitore dei pagamenti, ed è addebitata " +
    "solo quando la camera è prenotata.",
  pay: (amount) => `Pagare ${amount}`,

  nothingCharged: "Non è stato addebitato nulla.",
  notConfigured: "Questa pagina non può ricevere pagamenti: non sono configurati.",
  noAgent: "L'agente che le ha dato questo link non può più prenotare. Gli chieda un'altra pagina.",
  cardDeclined: "La carta è stata rifiutata.",
  cardWithoutFunds: "La carta non ha fondi sufficienti.",
  otherCard: "La camera è ancora riservata per lei: scelga un'altra carta e paghi di nuovo.",
  notStarted:
    "Non è stato possibile avviare il pagamento e non è stato addebitato nulla. Provi con un'altra " +
    "carta.",
  mustApprove:
    "L'hotel deve approvare questa prenotazione, e gli è stato chiesto. Non è stato addebitato " +
    "nulla. Paghi di nuovo quando l'avrà approvata, finché la camera è riservata per lei.",

  payingTitle: "Il pagamento è in corso",
  paying: "Non paghi un'altra volta: l'esito comparirà qui.",
  lookAgain: "Guardare di nuovo",

  bookedTitle: "Il suo soggiorno è prenotato",
  bookingTitle: "La sua prenotazione",
  writeDown: "L'hotel trova la prenotazione con questo codice e il suo nome: lo annoti.",
  manage: "Vedere, modificare o cancellare la prenotazione",
  manageWith: "Servono il codice e il suo indirizzo e-mail.",
  backTo: "Torna a",

  endedTitle: "Questa pagina non vale più",
  expired: "La camera era riservata per un tempo limitato, che è scaduto.",
  takenBack: "L'agente ha ritirato questa pagina.",
  nothingBooked: "Qui non è stato prenotato nulla.",
  askAgent: "Chieda un'altra pagina all'agente che le ha dato il link.",
  seeFree: "Vedere che cosa è libero adesso in hotel",

  unknownTitle: "Questa pagina non esiste",
  unknown: "L'indirizzo è incompleto, o la pagina ha più di un giorno.",
};
