import type { PortalWords } from "./words.ts";

export const es: PortalWords = {
  findTitle: "Ver su reserva",
  findIntro:
    "Escriba el correo electrónico y el código de confirmación de su reserva. Recibirá un enlace " +
    "en ese correo.",
  sendLink: "Enviar el enlace",
  sentTitle: "Abra el enlace de su correo",
  sentIntro:
    "Si hay una reserva con ese correo y ese código, un mensaje con un enlace está en camino. " +
    "Sirve una sola vez, durante 15 minutos. Si no puede abrirlo aquí, escriba los seis dígitos " +
    "del mensaje.",
  digits: "Seis dígitos del mensaje",
  show: "Ver mi reserva",
  askAgain: "Pedir otro mensaje",
  enterIntro: "Pulse el botón para ver su reserva. El enlace sirve una sola vez.",

  badLink:
    "Este enlace o código no sirve: no es correcto, ya se usó o tiene más de 15 minutos. Pida otro " +
    "mensaje.",
  notSecure: "Esta página necesita https: sin él, el navegador no guarda la sesión.",
  signedOut: "Ha salido. Pida un mensaje para volver a ver su reserva.",

  title: "Su estancia",

  money: "Dinero",
  kept: "Retenido",
  refundStates: {
    pending: "Devolución en camino",
    succeeded: "Devuelto",
    failed: "La devolución falló: contacte con el hotel",
  },

  backNow: (refund, fee) => `Si cancela ahora, se le devuelven ${refund} y se retienen ${fee}.`,
  allBackNow: (refund) => `Si cancela ahora, se le devuelve todo: ${refund}.`,
  nothingBackNow: "Si cancela ahora, no se devuelve nada.",
  nothingToPay: "No se pagó nada por adelantado, así que cancelar no cuesta nada.",
  nothingBackFrom: (when) => `A partir del ${when} no se devuelve nada.`,

  cancel: "Cancelar la reserva…",
  cancelTitle: "¿Cancelar esta reserva?",
  cancelFinal: "La habitación vuelve a estar en venta al momento. No se puede deshacer.",
  cancelFor: (refund) => `Cancelar y recibir ${refund}`,
  cancelPlain: "Cancelar sin devolución",
  keep: "Conservar la reserva",
  amountChanged:
    "El importe ha cambiado mientras leía. No se ha cancelado nada; revíselo de nuevo.",
  notCancellable: "Esta reserva ya no se puede cancelar aquí.",

  change: "Cambiar fechas o datos",
  dateRule: (when) =>
    `Las fechas nuevas deben tener las mismas noches y el mismo total. Puede cambiarlas hasta el ` +
    `${when}.`,
  datesFixed: "Las condiciones de esta reserva no permiten otras fechas.",
  mailLanguage: "Idioma de los correos para usted",
  save: "Guardar",
  saved: "Sus cambios están guardados.",
  otherLength: "La nueva estancia tiene otro número de noches. Elija las mismas que antes.",
  otherTotal: (total) =>
    `Las fechas nuevas cuestan ${total}, que es otro total. Elija otras o pregunte al hotel.`,
  noRoom: "La habitación no está libre en esas fechas. Elija otras.",
  notChangeable: "Esto ya no se puede cambiar aquí. Pregunte al hotel.",

  resend: "Enviar otra vez la confirmación",
  resent: "El mensaje está en camino.",
  tooOften: "El mensaje ya se envió varias veces. Inténtelo dentro de una hora.",
  notSent: "No se pudo enviar el mensaje. Inténtelo más tarde.",
  signOut: "Salir",
};
