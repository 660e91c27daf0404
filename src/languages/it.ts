import type { Words } from "./words.ts";

export const it: Words = {
  name: "Italiano",
  terms: {
    freeAlways: "Cancellazione gratuita in qualsiasi momento",
    freeUntil: (when) => `Cancellazione gratuita fino al ${when}`,
    lost: "Non rimborsabile",
    lostInFull: "Non rimborsabile: l’importo prepagato viene trattenuto",
    costsNow: (share) => `La cancellazione costa da subito ${share} dell’importo prepagato`,
    afterwards: (share) => `poi costa ${share} dell’importo prepagato`,
    from: (share, when) => `${share} dal ${when}`,
    nothing: "nulla",
    localTime: (when, city) => `${when} (ora di ${city})`,
  },
  assumed: {
    no_dates: "Il link non conteneva date: ecco stanotte. Scelga le sue qui sopra.",
    dates_past: "Le date del link sono passate: ecco un soggiorno da oggi.",
    dates_far: "Non si può prenotare con tanto anticipo: ecco un soggiorno da oggi.",
    dates_order: "La partenza non era dopo l’arrivo: ecco una notte.",
    stay_long: "Un soggiorno dura al massimo 90 notti: è stato accorciato.",
    adults: "Il numero di ospiti non era leggibile: i prezzi sono per due adulti.",
    room_unknown: "La camera o la tariffa del link non è più offerta: ecco tutte le altre.",
    rate_sold_out: "La camera o la tariffa del link non è libera in queste date.",
    not_kept:
      "Non è stato possibile tenere la camera per lei e non è stato prenotato nulla. Queste sono le offerte attuali.",
    busy: "Al momento non è stato possibile riservarle la camera. Non è stato prenotato nulla; riprovi tra poco.",
    too_many:
      "Dalla sua connessione sono arrivate troppe richieste di camere. Non è stato prenotato nulla; riprovi tra un minuto.",
  },
  meals: {
    room_only: "Solo pernottamento",
    breakfast: "Colazione inclusa",
    half_board: "Mezza pensione inclusa",
    full_board: "Pensione completa inclusa",
    all_inclusive: "Tutto incluso",
  },
  nights: (count) => (count === 1 ? "1 notte" : `${count} notti`),
  adultsOf: (count) => (count === 1 ? "1 adulto" : `${count} adulti`),
  starsOf: (count) => (count === 1 ? "1 stella" : `${count} stelle`),
  sleeps: (count) => (count === 1 ? "Per 1 persona" : `Fino a ${count} persone`),

  checkIn: "Arrivo",
  checkOut: "Partenza",
  adults: "Adulti",
  showPrices: "Mostra i prezzi",
  onMap: "Mostra sulla mappa",

  yourStay: "Il suo soggiorno",
  total: "Totale",
  allIncluded: "Tutte le tasse e le spese incluse",
  included: "tasse e spese incluse",
  about: (amount) => `circa ${amount}`,
  approximate: (currency, asOf) =>
    `Convertito ai cambi del ${asOf}, a titolo indicativo. Il prezzo è in ${currency}.`,
  notConverted: (currency) => `Non c’è un cambio per ${currency}.`,
  aNight: (amount) => `in media ${amount} a notte`,
  roomCharge: "Camera",
  price: "Prezzo",
  paidThere: "si paga in hotel",
  dueNow: "Paga alla prenotazione",
  dueThere: "Paga in hotel",
  howToBook: "Come prenotare",

  rooms: "Camere e tariffe",
  choose: "Scegli",
  chosen: "La sua scelta",
  forOne: "Prezzo per 1 adulto",
  moreRates: (count) =>
    (count === 1
      ? "C’è 1 altra tariffa disponibile in queste date. "
      : `Ci sono altre ${count} tariffe disponibili in queste date. `) +
    "Agenti e programmi le ottengono tutte dall’API:",
  unavailable: "Non disponibili in queste date",
  soldOut: "esaurita",
  nightsAtLeast: (count) => `da ${count} notti`,
  nightsAtMost: (count) => `fino a ${count} notti`,
  noArrival: "nessun arrivo in quel giorno",
  noDeparture: "nessuna partenza in quel giorno",
  sleepsOnly: (count) => (count === 1 ? "solo per 1 ospite" : `per al massimo ${count} ospiti`),

  nothingFree: "In queste date non c’è nulla di libero",
  tryOthers: "Questi soggiorni si possono prenotare ora:",
  otherDates: "La stessa camera in altre date",
  fromPrice: (amount) => `da ${amount}`,
  noOthers: "Nulla di libero nemmeno in date vicine. Ne provi altre con il modulo qui sopra.",

  aboutHotel: "L’hotel",
  amenities: "Servizi",
  fromTime: (time) => `dalle ${time}`,
  untilTime: (time) => `entro le ${time}`,
  children: "Bambini",
  pets: "Animali",
  petsYes: "Ammessi",
  petsNo: "Non ammessi",
  phone: "Telefono",

  book: "Prenota",
  bookByAssistant: "Anche un assistente può prenotare per lei: parla direttamente con l’hotel.",
  bookIntro: "Questo hotel si prenota con un assistente che parla direttamente con lui.",
  askAssistant: "Dica al suo assistente",
  prompt: ({ hotel, room, rate, dates, party, total, address }) =>
    `Prenota ${room} (${rate}) presso ${hotel}, ${dates}, per ${party}. Il totale deve essere ` +
    `${total}, tasse incluse. L’hotel si raggiunge a ${address}`,
  forAgents: "Per agenti e sviluppatori",
  agentsIntro:
    "Un preventivo fissa il prezzo e le condizioni di cancellazione mostrati qui; seguono l’opzione " +
    "e la prenotazione.",
  reference: "Riferimento dell’API",
  agentCard: "Agent card",
  readyCall: "La richiesta di questo preventivo",

  askTitle: "Domande sull’hotel",
  askLabel: "La sua domanda",
  askButton: "Chiedere",

  asOf: (instant) => `Prezzi e disponibilità: ${instant}.`,
  firm: "Un prezzo è fermo quando è in un preventivo.",
  language: "Lingua",
  legal: "Note legali",

  notFound: "Questo hotel non si può prenotare qui",
  notFoundText:
    "Forse si è trasferito, o il link è incompleto. Torni alla pagina dove l’ha trovato.",
  whichHotel: "Quale hotel intende?",
};
