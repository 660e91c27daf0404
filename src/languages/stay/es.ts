import type { StayWords } from "./words.ts";

export const es: StayWords = {
  email: "Correo electrónico",
  code: "Código de confirmación",

  badInput: "Falta algo o no es correcto. Revise lo que ha escrito.",
  notTaken: "No se ha cambiado nada: el formulario no venía de esta página. Repítalo aquí.",
  failed: "No ha funcionado. Inténtelo de nuevo en un momento.",
  test: "PRUEBA: las reservas y el dinero de este modo no son reales",

  states: {
    confirmed: "Confirmada",
    checked_in: "Ya ha llegado",
    completed: "Ya ha salido",
    cancelled: "Cancelada",
    no_show: "No se presentó",
    relocated: "Trasladada a otro hotel",
  },
  hotel: "Hotel",
  room: "Habitación",
  stay: "Estancia",
  party: "Huéspedes",
  childrenOf: (count) => (count === 1 ? "1 niño" : `${count} niños`),
  directions: "Ver en el mapa",

  paid: "Pagado",

  terms: "Si cancela",
  until: (when) => `hasta el ${when}`,
  noShow: "si no se presenta",
  free: "gratis",
  costs: (fee) => `cuesta ${fee}`,
  now: "ahora",

  name: "Nombre completo",
  phone: "Teléfono",
  requests: "Peticiones al hotel",

  receipts: "Justificantes",
  receiptKinds: {
    booking_confirmed: "Confirmación",
    booking_cancelled: "Cancelación",
    refund_issued: "Devolución",
  },
  verify: "Cada archivo está firmado. Cualquiera puede comprobarlo en esta dirección:",
};
