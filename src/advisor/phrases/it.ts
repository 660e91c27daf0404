import type { Phrases } from "./phrases.ts";

export const it: Phrases = {
  checkin: (time) => `Il check-in è dalle ${time}.`,
  checkout: (time) => `Il check-out è entro le ${time}.`,
  unpublished: (subject) => `L’hotel non pubblica nulla su questo, quindi non lo so: ${subject}.`,
  subjects: {
    checkin: "orario di check-in",
    checkout: "orario di check-out",
    early_checkin: "check-in anticipato",
    late_checkout: "check-out posticipato",
    reception: "orari della reception e arrivi in tarda ora",
    luggage: "deposito bagagli",
    distance: "distanze e trasporti vicini",
    phone: "numero di telefono",
    email: "indirizzo e-mail per gli ospiti",
    about: "descrizione",
    stars: "stelle",
    beds: "letti",
    size: "dimensioni delle camere",
    room_count: "numero di camere",
    extra_bed: "letti aggiuntivi",
    children: "regole per i bambini",
    minimum_age: "età minima",
    meal_price: "prezzi e orari dei pasti",
    amenities: "servizi",
    cancellation: "condizioni di cancellazione",
    taxes: "tasse e supplementi",
    payment: "mezzi di pagamento",
    discount: "sconti e buoni",
    rooms: "tipi di camera",
  },
  askHotel: (phone) => `Può chiedere all’hotel: ${phone}.`,
  address: (hotel, address) => `${hotel} si trova qui: ${address}.`,
  phone: (phone) => `Il numero di telefono dell’hotel è ${phone}.`,
  timezone: (zone) => `Il fuso orario dell’hotel è ${zone}.`,
  stars: (stars) => `L’hotel ha ${stars}.`,
  rooms: (names) => `Tipi di camera: ${names}.`,
  bed: (room, bed) => `${room}: ${bed}.`,
  size: (room, squareMetres) => `${room}: ${squareMetres} m².`,
  sleeps: (room, guests) => `${room}: fino a ${guests} ${guests === 1 ? "persona" : "persone"}.`,
  roomCount: (count) => `L’hotel ha ${count} camere.`,
  smokingNowhere: "Non si può fumare in nessuna camera.",
  smokingIn: (rooms) => `Si può fumare in: ${rooms}.`,
  petsYes: "Gli animali sono ammessi.",
  petsNo: "Gli animali non sono ammessi.",
  childPolicy: (text) => `L’hotel scrive sui bambini: «${text}»`,
  meals: (meal, plans) => `${meal}: ${plans}.`,
  noBreakfast: "Nessuna tariffa in vendita include la colazione.",
  listed: (amenity) => `L’hotel indica: ${amenity}.`,
  unlisted: (words) => `«${words}» non figura tra i servizi dell’hotel; se ci sia, non lo so.`,
  inRooms: (amenity, rooms) => `${amenity}: in ${rooms}.`,
  inAllRooms: (amenity) => `${amenity}: in tutti i tipi di camera.`,
  costUnknown: (words) => `Quanto costa (${words}) non è pubblicato.`,
  amenities: (list) => `L’hotel indica: ${list}.`,
  roomAmenities: (list) => `In tutti i tipi di camera: ${list}.`,
  freeUntil: (plans, hours, share) =>
    `Cancellazione gratuita fino a ${hours} ore prima del check-in, poi costa ${share} ` +
    `dell’importo prepagato: ${plans}.`,
  feeFromBooking: (plans, share) =>
    `Cancellare costa ${share} dell’importo prepagato già dalla prenotazione: ${plans}.`,
  fromCheckIn: (share) => `Dall’ora del check-in, cancellare costa ${share}.`,
  nonRefundable: (plans) => `Non rimborsabile: ${plans}.`,
  tax: ({ name, amount, basis, isIncluded, isPaidThere, nights, age }) =>
    `${name}: ${amount} ${basis}, ${isIncluded ? "inclusa nel prezzo" : "in aggiunta al prezzo"}` +
    `${isPaidThere ? ", si paga in hotel" : ""}` +
    `${age === null ? "" : `, da ${age} anni`}` +
    `${nights === null ? "" : `, per ${nights} notti al massimo`}.`,
  bases: {
    percent: "del prezzo",
    per_stay: "a soggiorno",
    per_night: "a notte",
    per_person: "a persona",
    per_person_per_night: "a persona e notte",
  },
  currency: (currency) => `I prezzi sono in ${currency}.`,
  payment: "Quanto si paga alla prenotazione e quanto in hotel è indicato con ogni prezzo.",
  booking: "Mi dica le date e chi viene: mostro i prezzi, ognuno con un link per prenotare.",
  ownBooking: "Non posso vedere né modificare prenotazioni; può farlo chi ha prenotato, con l’id.",
  identity: (hotel) =>
    `Sono un assistente automatico di ${hotel}. Rispondo in base a ciò che l’hotel pubblica e ai ` +
    "suoi prezzi attuali.",
  greeting: (hotel) => `Buongiorno! Che cosa vorrebbe sapere su ${hotel}?`,
  thanks: "Prego.",
  notUnderstood:
    "Non posso rispondere in base a ciò che l’hotel pubblica. Conosco orari, indirizzo, camere, " +
    "servizi, pasti, animali, cancellazione, tasse e prezzi per le sue date.",
  restUnknown: "Per il resto della domanda non ho trovato nulla che l’hotel pubblichi.",

  needDates: "I prezzi dipendono dalle date. Quando arrivereste e partireste, e in quanti siete?",
  needAges: "Quanti anni hanno i bambini? I prezzi dipendono dall’età.",
  problems: {
    no_such_date: "Una di queste date non esiste. Quali date intende?",
    ambiguous_date: "Non distinguo il giorno dal mese. Scriva per favore 12 dicembre.",
    past: "Queste date sono passate. Quali date intende?",
    far: "Non si può prenotare con tanto anticipo.",
    long: "Un soggiorno è di 90 notti al massimo.",
    order: "La partenza non è dopo l’arrivo. Quali date intende?",
    vague: "Per i prezzi mi servono date esatte. In quale giorno arrivereste e partireste?",
    end_only: "In quale giorno arrivereste?",
  },
  childrenOf: (ages) =>
    `${ages.length === 1 ? "1 bambino" : `${ages.length} bambini`} (età ${ages.join(", ")})`,
  offers: (stay, count) => `${stay}: ${count === 1 ? "1 offerta" : `${count} offerte`}.`,
  assumed: (adults) => `Non ha detto in quanti siete: i prezzi sono per ${adults}.`,
  offer: ({ isCheapest, room, plan, meal, total, paidThere, terms }) =>
    `${isCheapest ? "La più economica" : "Oppure"}: ${room}, ${plan} (${meal}): ${total} in tutto, ` +
    `tasse e supplementi inclusi` +
    `${paidThere === null ? "" : `, di cui ${paidThere} si pagano in hotel`}. ${terms}`,
  noneWith: "Nulla del genere è libero in queste date, ma questo sì:",
  nothingFree: (stay) => `${stay}: non c’è nulla di libero.`,
  tooMany: (guests) => `Nessuna camera è per così tante persone: la più grande è per ${guests}.`,
  otherDates: (dates) => `Libero invece: ${dates}.`,
  tooManyGuests: (most) => `Posso mostrare prezzi per ${most} adulti al massimo.`,

  seeRooms: "Camere e prezzi",
  searchElsewhere: "Altre date",
};
