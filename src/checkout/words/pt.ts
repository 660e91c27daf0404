import type { CheckoutWords } from "./words.ts";

export const pt: CheckoutWords = {
  bookTitle: "Reservar a sua estadia",
  keptFor: (minutes, until) =>
    `O quarto fica guardado para si durante ${minutes === 1 ? "1 minuto" : `${minutes} minutos`}, ` +
    `até ${until}.`,
  keepLonger: "Guardar o quarto mais tempo",
  inPrice: "Incluído no preço",

  details: "Os seus dados",
  optional: "opcional",
  nameHint: "Introduza o nome do hóspede.",
  emailHint: "Introduza um endereço completo.",
  phoneHint: "Introduza de 4 a 32 caracteres.",
  payWith: "Pagar com",
  cards: {
    ok: "Cartão de teste que é cobrado",
    declined: "Cartão de teste que é recusado",
    "no-funds": "Cartão de teste sem saldo suficiente",
    late: "Cartão de teste que é cobrado depois de mais de dez segundos",
  },
  accept: "Ao reservar, aceita o preço e as condições de cancelamento acima.",
  sandbox:
    "Não se movimenta dinheiro real: este serviço usa um ambiente de teste para os pagamentos.",
  cardNext:
    "O cartão é pedido na página seguinte pelo prestador de pagamentos, e só é cobrado quando o " +
    "quarto estiver reservado.",
  pay: (amount) => `Pagar ${amount}`,

  nothingCharged: "Nada foi cobrado.",
  notConfigured: "Esta página não pode receber pagamentos: não estão configurados.",
  noAgent: "O agente que lhe deu este link já não pode reservar. Peça-lhe outra página.",
  cardDeclined: "O cartão foi recusado.",
  cardWithoutFunds: "O cartão não tem saldo suficiente.",
  otherCard: "O quarto continua guardado para si: escolha outro cartão e pague de novo.",
  notStarted: "Não foi possível iniciar o pagamento e nada foi cobrado. Tente outro cartão.",
  mustApprove:
    "O hotel tem de aprovar esta reserva, e já lhe foi perguntado. Nada foi cobrado. Pague de novo " +
    "quando a tiver aprovado, enquanto o quarto está guardado para si.",

  payingTitle: "O pagamento está em curso",
  paying: "Não pague outra vez: o resultado será mostrado aqui.",
  lookAgain: "Ver de novo",

  bookedTitle: "A sua estadia está reservada",
  bookingTitle: "A sua reserva",
  writeDown: "O hotel encontra a sua reserva com este código e o seu nome: anote-o.",
  manage: "Ver, alterar ou cancelar a reserva",
  manageWith: "Precisa do código e do seu e-mail.",
  backTo: "Voltar a",

  endedTitle: "Esta página já não serve",
  expired: "O quarto foi guardado por um tempo limitado, que terminou.",
  takenBack: "O agente retirou esta página.",
  nothingBooked: "Aqui nada foi reservado.",
  askAgent: "Peça outra página ao agente que lhe deu o link.",
  seeFree: "Ver o que está livre agora no hotel",

  unknownTitle: "Esta página não existe",
  unknown: "O endereço está incompleto, ou a página tem mais de um dia.",
};
