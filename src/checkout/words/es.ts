import type { CheckoutWords } from "./words.ts";

export const es: CheckoutWords = {
  bookTitle: "Reservar su estancia",
  keptFor: (minutes, until) =>
    `Le guardamos la habitación durante ${minutes === 1 ? "1 minuto" : `${minutes} minutos`}, ` +
    `hasta el ${until}.`,
  keepLonger: "Guardar la habitación más tiempo",
  inPrice: "Incluido en el precio",

  details: "Sus datos",
  optional: "opcional",
  nameHint: "Escriba el nombre del huésped.",
  emailHint: "Escriba una dirección completa.",
  phoneHint: "Escriba de 4 a 32 caracteres.",
  payWith: "Pagar con",
  cards: {
    ok: "Tarjeta de prueba que se cobra",
    declined: "Tarjeta de prueba que se rechaza",
    "no-funds": "Tarjeta de prueba sin fondos suficientes",
    late: "Tarjeta de prueba que se cobra después de más de diez segundos",
  },
  accept: "Al reservar, acepta el precio y las condiciones de cancelación de arriba.",
  sandbox: "No se mueve dinero real: este servicio usa un entorno de pruebas para los pagos.",
  cardNext:
    "El proveedor de pagos le pedirá la tarjeta en la página siguiente, y solo se le cobrará cuando " +
    "la habitación esté reservada.",
  pay: (amount) => `Pagar ${amount}`,

  nothingCharged: "No se ha cobrado nada.",
  notConfigured: "Esta página no puede recibir pagos: no están configurados.",
  noAgent: "El agente que le dio este enlace ya no puede reservar. Pídale otra página.",
  cardDeclined: "La tarjeta fue rechazada.",
  cardWithoutFunds: "La tarjeta no tiene fondos suficientes.",
  otherCard: "Seguimos guardándole la habitación: elija otra tarjeta y pague de nuevo.",
  notStarted: "No se pudo iniciar el pago y no se ha cobrado nada. Pruebe con otra tarjeta.",
  mustApprove:
    "El hotel debe aprobar esta reserva y ya se le ha preguntado. No se ha cobrado nada. Pague de " +
    "nuevo cuando la haya aprobado, mientras le guardamos la habitación.",

  payingTitle: "El pago está en curso",
  paying: "No pague otra vez: el resultado aparecerá aquí.",
  lookAgain: "Mirar de nuevo",

  bookedTitle: "Su estancia está reservada",
  bookingTitle: "Su reserva",
  writeDown: "El hotel encuentra su reserva con este código y su nombre: anótelo.",
  manage: "Ver, cambiar o cancelar la reserva",
  manageWith: "Necesita el código y su correo electrónico.",
  backTo: "Volver a",

  endedTitle: "Esta página ya no sirve",
  expired: "La habitación se guardó por un tiempo limitado, que ha terminado.",
  takenBack: "El agente ha retirado esta página.",
  nothingBooked: "Aquí no se ha reservado nada.",
  askAgent: "Pida otra página al agente que le dio el enlace.",
  seeFree: "Ver qué hay libre ahora en el hotel",

  unknownTitle: "Esta página no existe",
  unknown: "La dirección está incompleta o la página tiene más de un día.",
};
