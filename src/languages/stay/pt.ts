import type { StayWords } from "./words.ts";

export const pt: StayWords = {
  email: "E-mail",
  code: "Código de confirmação",

  badInput: "Falta algo ou um valor não está certo. Veja o que introduziu.",
  notTaken: "Nada foi alterado: o formulário não veio desta página. Repita-o aqui.",
  failed: "Não funcionou. Tente de novo daqui a um momento.",
  test: "TESTE: as reservas e o dinheiro deste modo não são reais",

  states: {
    confirmed: "Confirmada",
    checked_in: "Já chegou",
    completed: "Já partiu",
    cancelled: "Cancelada",
    no_show: "Não compareceu",
    relocated: "Mudada para outro hotel",
  },
  hotel: "Hotel",
  room: "Quarto",
  stay: "Estadia",
  party: "Hóspedes",
  childrenOf: (count) => (count === 1 ? "1 criança" : `${count} crianças`),
  directions: "Ver no mapa",

  paid: "Pago",

  terms: "Se cancelar",
  until: (when) => `até ${when}`,
  noShow: "se não comparecer",
  free: "grátis",
  costs: (fee) => `custa ${fee}`,
  now: "agora",

  name: "Nome completo",
  phone: "Telefone",
  requests: "Pedidos ao hotel",

  receipts: "Comprovativos",
  receiptKinds: {
    booking_confirmed: "Confirmação",
    booking_cancelled: "Cancelamento",
    refund_issued: "Reembolso",
  },
  verify: "Cada ficheiro está assinado. Qualquer pessoa o pode verificar neste endereço:",
};
