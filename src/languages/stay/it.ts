import type { StayWords } from "./words.ts";

export const it: StayWords = {
  email: "Indirizzo e-mail",
  code: "Codice di conferma",

  badInput: "Manca qualcosa o un valore non va bene. Controlli quanto inserito.",
  notTaken: "Non è cambiato nulla: il modulo non veniva da questa pagina. Lo ripeta qui.",
  failed: "Non ha funzionato. Riprovi tra un momento.",
  test: "PROVA: prenotazioni e denaro di questa modalità non sono reali",

  states: {
    confirmed: "Confermato",
    checked_in: "È arrivato",
    completed: "È partito",
    cancelled: "Cancellato",
    no_show: "Non si è presentato",
    relocated: "Spostato in un altro hotel",
  },
  hotel: "Hotel",
  room: "Camera",
  stay: "Soggiorno",
  party: "Ospiti",
  childrenOf: (count) => (count === 1 ? "1 bambino" : `${count} bambini`),
  directions: "Mostrare sulla mappa",

  paid: "Pagato",

  terms: "Se cancella",
  until: (when) => `fino al ${when}`,
  noShow: "se non si presenta",
  free: "gratis",
  costs: (fee) => `costa ${fee}`,
  now: "adesso",

  name: "Nome completo",
  phone: "Telefono",
  requests: "Richieste per l'hotel",

  receipts: "Ricevute",
  receiptKinds: {
    booking_confirmed: "Conferma",
    booking_cancelled: "Cancellazione",
    refund_issued: "Rimborso",
  },
  verify: "Ogni file è firmato. Chiunque può verificarlo a questo indirizzo:",
};
