import type { Words } from "./words.ts";

export const es: Words = {
  name: "Español",
  terms: {
    freeAlways: "Cancelación gratuita en cualquier momento",
    freeUntil: (when) => `Cancelación gratuita hasta el ${when}`,
    lost: "No reembolsable",
    lostInFull: "No reembolsable: el importe pagado por adelantado no se devuelve",
    costsNow: (share) => `Cancelar cuesta desde ahora ${share} del importe pagado por adelantado`,
    afterwards: (share) => `después cuesta ${share} del importe pagado por adelantado`,
    from: (share, when) => `${share} a partir del ${when}`,
    nothing: "nada",
    localTime: (when, city) => `${when} (hora de ${city})`,
  },
  assumed: {
    no_dates: "Su enlace no traía fechas: se muestra esta noche. Elija las suyas arriba.",
    dates_past: "Las fechas de su enlace ya han pasado: se muestra una estancia desde hoy.",
    dates_far: "No se puede reservar con tanta antelación: se muestra una estancia desde hoy.",
    dates_order: "La salida no era posterior a la llegada: se muestra una noche.",
    stay_long: "Una estancia es de 90 noches como máximo: se ha acortado.",
    adults: "No se pudo leer el número de huéspedes: los precios son para dos adultos.",
    room_unknown: "La habitación o tarifa de su enlace ya no se ofrece: aquí están las demás.",
    rate_sold_out: "La habitación o tarifa de su enlace no está libre en estas fechas.",
    not_kept:
      "No se ha podido guardar la habitación para usted y no se ha reservado nada. Estas son las ofertas ahora.",
    busy: "La habitación no se ha podido reservar para usted en este momento. No se ha reservado nada; inténtelo de nuevo en unos instantes.",
    too_many:
      "Se han pedido habitaciones con demasiada frecuencia desde su conexión. No se ha reservado nada; inténtelo de nuevo en un minuto.",
  },
  meals: {
    room_only: "Solo alojamiento",
    breakfast: "Desayuno incluido",
    half_board: "Media pensión incluida",
    full_board: "Pensión completa incluida",
    all_inclusive: "Todo incluido",
  },
  nights: (count) => (count === 1 ? "1 noche" : `${count} noches`),
  adultsOf: (count) => (count === 1 ? "1 adulto" : `${count} adultos`),
  starsOf: (count) => (count === 1 ? "1 estrella" : `${count} estrellas`),
  sleeps: (count) => (count === 1 ? "Para 1 persona" : `Hasta ${count} personas`),

  checkIn: "Llegada",
  checkOut: "Salida",
  adults: "Adultos",
  showPrices: "Ver precios",
  onMap: "Ver en el mapa",

  yourStay: "Su estancia",
  total: "Total",
  allIncluded: "Todos los impuestos y tasas incluidos",
  included: "impuestos y tasas incluidos",
  about: (amount) => `unos ${amount}`,
  approximate: (currency, asOf) =>
    `Convertido al cambio del ${asOf}, como orientación. El precio es en ${currency}.`,
  notConverted: (currency) => `No hay tipo de cambio para ${currency}.`,
  aNight: (amount) => `${amount} por noche de media`,
  roomCharge: "Habitación",
  price: "Precio",
  paidThere: "se paga en el hotel",
  dueNow: "Paga al reservar",
  dueThere: "Paga en el hotel",
  howToBook: "Cómo reservar",

  rooms: "Habitaciones y tarifas",
  choose: "Elegir",
  chosen: "Su elección",
  forOne: "Precio para 1 adulto",
  moreRates: (count) =>
    (count === 1
      ? "Hay 1 tarifa más disponible en estas fechas. "
      : `Hay ${count} tarifas más disponibles en estas fechas. `) +
    "Los agentes y programas las obtienen todas por la API:",
  unavailable: "No disponibles en estas fechas",
  soldOut: "agotada",
  nightsAtLeast: (count) => `desde ${count} noches`,
  nightsAtMost: (count) => `hasta ${count} noches`,
  noArrival: "sin llegadas ese día",
  noDeparture: "sin salidas ese día",
  sleepsOnly: (count) =>
    count === 1 ? "solo para 1 huésped" : `para ${count} huéspedes como máximo`,

  nothingFree: "No hay nada libre en estas fechas",
  tryOthers: "Estas estancias se pueden reservar ahora:",
  otherDates: "La misma habitación en otras fechas",
  fromPrice: (amount) => `desde ${amount}`,
  noOthers:
    "Tampoco hay nada libre en fechas cercanas. Pruebe con otras en el formulario de arriba.",

  aboutHotel: "Sobre el hotel",
  amenities: "Servicios",
  fromTime: (time) => `desde las ${time}`,
  untilTime: (time) => `hasta las ${time}`,
  children: "Niños",
  pets: "Mascotas",
  petsYes: "Se admiten",
  petsNo: "No se admiten",
  phone: "Teléfono",

  book: "Reservar",
  bookByAssistant:
    "Un asistente también puede reservar por usted: habla directamente con el hotel.",
  bookIntro: "Este hotel se reserva con un asistente que habla directamente con él.",
  askAssistant: "Diga a su asistente",
  prompt: ({ hotel, room, rate, dates, party, total, address }) =>
    `Reserva ${room} (${rate}) en ${hotel}, ${dates}, para ${party}. El total debe ser ${total}, ` +
    `impuestos incluidos. El hotel está en ${address}`,
  forAgents: "Para agentes y desarrolladores",
  agentsIntro:
    "Un presupuesto fija el precio y las condiciones de cancelación que se muestran aquí; después " +
    "vienen el bloqueo y la reserva.",
  reference: "Referencia de la API",
  agentCard: "Agent card",
  readyCall: "La petición de este presupuesto",

  askTitle: "Preguntas sobre el hotel",
  askLabel: "Su pregunta",
  askButton: "Preguntar",

  asOf: (instant) => `Precios y disponibilidad de ${instant}.`,
  firm: "Un precio es firme desde que se presupuesta.",
  language: "Idioma",
  legal: "Información legal",

  notFound: "Este hotel no se puede reservar aquí",
  notFoundText:
    "Puede que se haya trasladado o que el enlace esté incompleto. Vuelva a la página donde lo " +
    "encontró.",
  whichHotel: "¿A qué hotel se refiere?",
};
