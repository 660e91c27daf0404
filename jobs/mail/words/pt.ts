import type { MailWords } from "./words.ts";

export const pt: MailWords = {
  hello: (name) => (name === null ? "Olá," : `Olá ${name},`),
  confirmed: "Reserva confirmada",
  changed: "Reserva alterada",
  cancelled: "Reserva cancelada",
  linkSubject: "O seu link para a reserva",

  confirmedOpening:
    "A sua reserva está confirmada. À chegada, mostre por favor o código de confirmação.",
  changedOpening: "A sua reserva foi alterada. Agora é assim.",
  cancelledOpening: "A sua reserva está cancelada. O quarto já não está reservado para si.",
  linkOpening:
    "Abra este link para ver a sua reserva. Serve uma só vez, durante 15 minutos. Ou introduza o " +
    "código na página onde o pediu.",

  code: "Código de confirmação",
  property: "Alojamento",
  address: "Morada",
  room: "Quarto",
  arrival: "Chegada",
  departure: "Partida",
  nights: "Noites",
  guests: "Hóspedes",
  total: "Preço total",
  paid: "Pago na reserva",
  dueThere: "A pagar no alojamento",
  cancellation: "Cancelamento",
  cancelledOn: "Cancelada em",
  fee: "Taxa de cancelamento",
  paidBack: "Reembolsado",
  digits: "Código",

  from: (time) => `a partir das ${time}`,
  until: (time) => `até às ${time}`,
  adults: (count) => (count === 1 ? "1 adulto" : `${count} adultos`),
  children: (count, ages) => `${count} ${count === 1 ? "criança" : "crianças"} (idade ${ages})`,

  refundOnItsWay:
    "O reembolso vai para o seu meio de pagamento original; o seu banco pode demorar alguns dias " +
    "a mostrá-lo.",
  refundWithheld:
    "O seu banco está a analisar este pagamento, por isso o alojamento não o pode reembolsar. O " +
    "seu banco decide.",
  noRefund: "Segundo as condições de cancelamento da reserva, não há reembolso.",
  nothingPaid: "Nada foi pago pela reserva, por isso não há nada a reembolsar.",
  ownPage: "Veja, altere ou cancele a sua reserva, com o seu e-mail e o código, em:",
  contact: "Para alterar ou cancelar a reserva, contacte o serviço com que reservou.",
  notAsked: "Se não pediu este e-mail, ignore-o. Não partilhe o link nem o código.",
};
