import type { Phrases } from "./phrases.ts";

export const es: Phrases = {
  checkin: (time) => `La entrada es a partir de las ${time}.`,
  checkout: (time) => `La salida es hasta las ${time}.`,
  unpublished: (subject) => `El hotel no publica nada sobre esto, así que no lo sé: ${subject}.`,
  subjects: {
    checkin: "hora de entrada",
    checkout: "hora de salida",
    early_checkin: "entrada anticipada",
    late_checkout: "salida tardía",
    reception: "horario de recepción y llegadas tardías",
    luggage: "consigna de equipaje",
    distance: "distancias y transporte cercano",
    phone: "número de teléfono",
    email: "correo electrónico para huéspedes",
    about: "descripción",
    stars: "estrellas",
    beds: "camas",
    size: "tamaño de las habitaciones",
    room_count: "número de habitaciones",
    extra_bed: "camas supletorias",
    children: "política para niños",
    minimum_age: "edad mínima",
    meal_price: "precios y horarios de las comidas",
    amenities: "servicios",
    cancellation: "condiciones de cancelación",
    taxes: "impuestos y tasas",
    payment: "medios de pago",
    discount: "descuentos y cupones",
    rooms: "tipos de habitación",
  },
  askHotel: (phone) => `Puede preguntar al hotel: ${phone}.`,
  address: (hotel, address) => `${hotel} está en ${address}.`,
  phone: (phone) => `El teléfono del hotel es ${phone}.`,
  timezone: (zone) => `La zona horaria del hotel es ${zone}.`,
  stars: (stars) => `El hotel tiene ${stars}.`,
  rooms: (names) => `Tipos de habitación: ${names}.`,
  bed: (room, bed) => `${room}: ${bed}.`,
  size: (room, squareMetres) => `${room}: ${squareMetres} m².`,
  sleeps: (room, guests) => `${room}: hasta ${guests} ${guests === 1 ? "persona" : "personas"}.`,
  roomCount: (count) => `El hotel tiene ${count} habitaciones.`,
  smokingNowhere: "No se permite fumar en ninguna habitación.",
  smokingIn: (rooms) => `Se permite fumar en: ${rooms}.`,
  petsYes: "Se admiten mascotas.",
  petsNo: "No se admiten mascotas.",
  childPolicy: (text) => `El hotel dice sobre los niños: «${text}»`,
  meals: (meal, plans) => `${meal}: ${plans}.`,
  noBreakfast: "Ninguna tarifa a la venta incluye desayuno.",
  listed: (amenity) => `El hotel indica: ${amenity}.`,
  unlisted: (words) => `«${words}» no figura entre los servicios del hotel; si lo hay, no lo sé.`,
  inRooms: (amenity, rooms) => `${amenity}: en ${rooms}.`,
  inAllRooms: (amenity) => `${amenity}: en todos los tipos de habitación.`,
  costUnknown: (words) => `Lo que cuesta (${words}) no está publicado.`,
  amenities: (list) => `El hotel indica: ${list}.`,
  roomAmenities: (list) => `En todos los tipos de habitación: ${list}.`,
  freeUntil: (plans, hours, share) =>
    `Cancelación gratuita hasta ${hours} horas antes de la entrada; después cuesta ${share} del ` +
    `importe prepagado: ${plans}.`,
  feeFromBooking: (plans, share) =>
    `Cancelar cuesta ${share} del importe prepagado desde la reserva: ${plans}.`,
  fromCheckIn: (share) => `Desde la hora de entrada, cancelar cuesta ${share}.`,
  nonRefundable: (plans) => `No reembolsable: ${plans}.`,
  tax: ({ name, amount, basis, isIncluded, isPaidThere, nights, age }) =>
    `${name}: ${amount} ${basis}, ${isIncluded ? "incluido en el precio" : "aparte del precio"}` +
    `${isPaidThere ? ", se paga en el hotel" : ""}` +
    `${age === null ? "" : `, a partir de ${age} años`}` +
    `${nights === null ? "" : `, como máximo ${nights} noches`}.`,
  bases: {
    percent: "del precio",
    per_stay: "por estancia",
    per_night: "por noche",
    per_person: "por persona",
    per_person_per_night: "por persona y noche",
  },
  currency: (currency) => `Los precios son en ${currency}.`,
  payment: "Lo que se paga al reservar y lo que se paga en el hotel figura con cada precio.",
  booking:
    "Dígame sus fechas y quiénes vienen: muestro precios, y cada uno lleva un enlace para reservar.",
  ownBooking:
    "No puedo ver ni cambiar reservas; puede hacerlo quien reservó, con el id de la reserva.",
  identity: (hotel) =>
    `Soy un asistente automático de ${hotel}. Respondo con lo que publica el hotel y con sus ` +
    "precios actuales.",
  greeting: (hotel) => `¡Hola! ¿Qué le gustaría saber sobre ${hotel}?`,
  thanks: "De nada.",
  notUnderstood:
    "No puedo responder a eso con lo que publica el hotel. Sé de horarios, dirección, habitaciones, " +
    "servicios, comidas, mascotas, cancelación, impuestos y precios para sus fechas.",
  restUnknown: "Sobre el resto de su pregunta no he encontrado nada que publique el hotel.",

  needDates: "Los precios dependen de las fechas. ¿Cuándo llegarían y se irían, y cuántos son?",
  needAges: "¿Qué edad tienen los niños? De ello dependen los precios.",
  problems: {
    no_such_date: "Una de estas fechas no existe. ¿A qué fechas se refiere?",
    ambiguous_date: "No distingo el día del mes. Escriba, por favor, 12 de diciembre.",
    past: "Estas fechas ya han pasado. ¿A qué fechas se refiere?",
    far: "No se puede reservar con tanta antelación.",
    long: "Una estancia es de 90 noches como máximo.",
    order: "La salida no es posterior a la llegada. ¿A qué fechas se refiere?",
    vague: "Para los precios necesito fechas exactas. ¿Qué día llegarían y qué día se irían?",
    end_only: "¿Qué día llegarían?",
  },
  childrenOf: (ages) =>
    `${ages.length === 1 ? "1 niño" : `${ages.length} niños`} (edad ${ages.join(", ")})`,
  offers: (stay, count) => `${stay}: ${count === 1 ? "1 oferta" : `${count} ofertas`}.`,
  assumed: (adults) => `No ha dicho cuántos son: los precios son para ${adults}.`,
  offer: ({ isCheapest, room, plan, meal, total, paidThere, terms }) =>
    `${isCheapest ? "Lo más barato" : "O"}: ${room}, ${plan} (${meal}): ${total} en total, ` +
    `impuestos y tasas incluidos` +
    `${paidThere === null ? "" : `, de los que ${paidThere} se pagan en el hotel`}. ${terms}`,
  noneWith: "No queda nada así en estas fechas, pero sí esto:",
  nothingFree: (stay) => `${stay}: no queda nada libre.`,
  tooMany: (guests) => `Ninguna habitación es para tantos: la mayor es para ${guests}.`,
  otherDates: (dates) => `Libre en su lugar: ${dates}.`,
  tooManyGuests: (most) => `Puedo mostrar precios para un máximo de ${most} adultos.`,

  seeRooms: "Habitaciones y precios",
  searchElsewhere: "Otras fechas",
};
