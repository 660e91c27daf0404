import type { MailWords } from "./words.ts";

export const es: MailWords = {
  hello: (name) => (name === null ? "Hola:" : `Hola, ${name}:`),
  confirmed: "Reserva confirmada",
  changed: "Reserva modificada",
  cancelled: "Reserva cancelada",
  linkSubject: "Su enlace a la reserva",

  confirmedOpening:
    "Su reserva está confirmada. Muestre el código de confirmación a su llegada, por favor.",
  changedOpening: "Su reserva se ha modificado. Así queda ahora.",
  cancelledOpening: "Su reserva está cancelada. La habitación ya no está reservada para usted.",
  linkOpening:
    "Abra este enlace para ver su reserva. Sirve una sola vez, durante 15 minutos. También puede " +
    "escribir el código en la página donde lo pidió.",

  code: "Código de confirmación",
  property: "Alojamiento",
  address: "Dirección",
  room: "Habitación",
  arrival: "Llegada",
  departure: "Salida",
  nights: "Noches",
  guests: "Huéspedes",
  total: "Precio total",
  paid: "Pagado al reservar",
  dueThere: "A pagar en el alojamiento",
  cancellation: "Cancelación",
  cancelledOn: "Cancelada el",
  fee: "Gastos de cancelación",
  paidBack: "Devuelto",
  digits: "Código",

  from: (time) => `desde las ${time}`,
  until: (time) => `hasta las ${time}`,
  adults: (count) => (count === 1 ? "1 adulto" : `${count} adultos`),
  children: (count, ages) => `${count} ${count === 1 ? "niño" : "niños"} (edad ${ages})`,

  refundOnItsWay:
    "La devolución va a su medio de pago original; su banco puede tardar unos días en mostrarla.",
  refundWithheld:
    "Su banco está revisando este pago, así que el alojamiento no puede devolverlo. Decide su " +
    "banco.",
  noRefund: "Según las condiciones de cancelación de la reserva no hay devolución.",
  nothingPaid: "No se pagó nada por la reserva, así que no hay nada que devolver.",
  ownPage: "Puede ver, cambiar o cancelar su reserva, con su correo electrónico y el código, en:",
  contact:
    "Para cambiar o cancelar la reserva, póngase en contacto con el servicio con el que reservó.",
  notAsked: "Si usted no pidió este correo, no le haga caso. No comparta el enlace ni el código.",
};
