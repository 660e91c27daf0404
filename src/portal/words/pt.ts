import type { PortalWords } from "./words.ts";

export const pt: PortalWords = {
  findTitle: "Ver a sua reserva",
  findIntro:
    "Introduza o e-mail e o código de confirmação da sua reserva. Um link é enviado para esse " +
    "e-mail.",
  sendLink: "Enviar o link",
  sentTitle: "Abra o link no seu e-mail",
  sentIntro:
    "Se houver uma reserva com este e-mail e este código, uma mensagem com um link está a " +
    "caminho. Serve uma só vez, durante 15 minutos. Se não o puder abrir aqui, introduza os seis " +
    "algarismos da mensagem.",
  digits: "Seis algarismos da mensagem",
  show: "Ver a minha reserva",
  askAgain: "Pedir outra mensagem",
  enterIntro: "Prima o botão para ver a sua reserva. O link serve uma só vez.",

  badLink:
    "Este link ou código não serve: está errado, já foi usado ou tem mais de 15 minutos. Peça " +
    "outra mensagem.",
  notSecure: "Esta página precisa de https: sem ele, o navegador não guarda a sessão.",
  signedOut: "Saiu. Peça uma mensagem para voltar a ver a sua reserva.",

  title: "A sua estadia",

  money: "Dinheiro",
  kept: "Retido",
  refundStates: {
    pending: "Reembolso a caminho",
    succeeded: "Reembolsado",
    failed: "O reembolso falhou: contacte o hotel",
  },

  backNow: (refund, fee) => `Se cancelar agora, recebe ${refund} e ${fee} ficam retidos.`,
  allBackNow: (refund) => `Se cancelar agora, recebe tudo: ${refund}.`,
  nothingBackNow: "Se cancelar agora, não recebe nada.",
  nothingToPay: "Nada foi pago antes, por isso cancelar não custa nada.",
  nothingBackFrom: (when) => `A partir de ${when} não recebe nada.`,

  cancel: "Cancelar a reserva…",
  cancelTitle: "Cancelar esta reserva?",
  cancelFinal: "O quarto volta logo a estar à venda. Não se pode desfazer.",
  cancelFor: (refund) => `Cancelar e receber ${refund}`,
  cancelPlain: "Cancelar sem reembolso",
  keep: "Manter a reserva",
  amountChanged: "O valor mudou enquanto lia. Nada foi cancelado; veja de novo.",
  notCancellable: "Esta reserva já não pode ser cancelada aqui.",

  change: "Alterar datas ou dados",
  dateRule: (when) =>
    `As novas datas têm de ter as mesmas noites e o mesmo total. Pode alterá-las até ${when}.`,
  datesFixed: "As condições desta reserva não permitem outras datas.",
  mailLanguage: "Língua dos e-mails para si",
  save: "Guardar",
  saved: "As suas alterações estão guardadas.",
  otherLength: "A nova estadia tem outro número de noites. Escolha as mesmas.",
  otherTotal: (total) =>
    `As novas datas custam ${total}, que é outro total. Escolha outras ou pergunte ao hotel.`,
  noRoom: "O quarto não está livre nessas datas. Escolha outras.",
  notChangeable: "Isto já não pode ser alterado aqui. Pergunte ao hotel.",

  resend: "Enviar de novo a confirmação",
  resent: "A mensagem está a caminho.",
  tooOften: "A mensagem já foi enviada várias vezes. Tente daqui a uma hora.",
  notSent: "Não foi possível enviar a mensagem. Tente mais tarde.",
  signOut: "Sair",
};
