import type { Words } from "./words.ts";

export const pt: Words = {
  name: "Português",
  terms: {
    freeAlways: "Cancelamento grátis a qualquer momento",
    freeUntil: (when) => `Cancelamento grátis até ${when}`,
    lost: "Não reembolsável",
    lostInFull: "Não reembolsável: o valor pré-pago é retido",
    costsNow: (share) => `O cancelamento custa desde já ${share} do valor pré-pago`,
    afterwards: (share) => `depois custa ${share} do valor pré-pago`,
    from: (share, when) => `${share} a partir de ${when}`,
    nothing: "nada",
    localTime: (when, city) => `${when} (hora de ${city})`,
  },
  assumed: {
    no_dates: "O link não trazia datas: esta é a noite de hoje. Escolha as suas acima.",
    dates_past: "As datas do link já passaram: esta é uma estadia a partir de hoje.",
    dates_far:
      "Não é possível reservar com tanta antecedência: esta é uma estadia a partir de hoje.",
    dates_order: "A saída não era depois da chegada: esta é uma estadia de uma noite.",
    stay_long: "Uma estadia tem no máximo 90 noites: foi encurtada.",
    adults: "Não foi possível ler o número de hóspedes: os preços são para dois adultos.",
    room_unknown: "O quarto ou a tarifa do link já não é oferecido: aqui estão os outros.",
    rate_sold_out: "O quarto ou a tarifa do link não está livre nestas datas.",
    not_kept:
      "Não foi possível guardar o quarto para si e nada foi reservado. Estas são as ofertas agora.",
    busy: "Neste momento não foi possível guardar o quarto para si. Nada foi reservado; tente novamente dentro de momentos.",
    too_many:
      "Foram pedidos quartos com demasiada frequência a partir da sua ligação. Nada foi reservado; tente de novo dentro de um minuto.",
  },
  meals: {
    room_only: "Só alojamento",
    breakfast: "Pequeno-almoço incluído",
    half_board: "Meia pensão incluída",
    full_board: "Pensão completa incluída",
    all_inclusive: "Tudo incluído",
  },
  nights: (count) => (count === 1 ? "1 noite" : `${count} noites`),
  adultsOf: (count) => (count === 1 ? "1 adulto" : `${count} adultos`),
  starsOf: (count) => (count === 1 ? "1 estrela" : `${count} estrelas`),
  sleeps: (count) => (count === 1 ? "Para 1 pessoa" : `Até ${count} pessoas`),

  checkIn: "Chegada",
  checkOut: "Saída",
  adults: "Adultos",
  showPrices: "Ver preços",
  onMap: "Ver no mapa",

  yourStay: "A sua estadia",
  total: "Total",
  allIncluded: "Todos os impostos e taxas incluídos",
  included: "impostos e taxas incluídos",
  about: (amount) => `cerca de ${amount}`,
  approximate: (currency, asOf) =>
    `Convertido ao câmbio de ${asOf}, para orientação. O preço é em ${currency}.`,
  notConverted: (currency) => `Não há câmbio para ${currency}.`,
  aNight: (amount) => `em média ${amount} por noite`,
  roomCharge: "Quarto",
  price: "Preço",
  paidThere: "paga-se no hotel",
  dueNow: "Paga ao reservar",
  dueThere: "Paga no hotel",
  howToBook: "Como reservar",

  rooms: "Quartos e tarifas",
  choose: "Escolher",
  chosen: "A sua escolha",
  forOne: "Preço para 1 adulto",
  moreRates: (count) =>
    (count === 1
      ? "Há mais 1 tarifa disponível nestas datas. "
      : `Há mais ${count} tarifas disponíveis nestas datas. `) +
    "Agentes e programas obtêm todas através da API:",
  unavailable: "Indisponíveis nestas datas",
  soldOut: "esgotado",
  nightsAtLeast: (count) => `a partir de ${count} noites`,
  nightsAtMost: (count) => `até ${count} noites`,
  noArrival: "sem chegadas nesse dia",
  noDeparture: "sem saídas nesse dia",
  sleepsOnly: (count) => (count === 1 ? "só para 1 hóspede" : `para ${count} hóspedes no máximo`),

  nothingFree: "Não há nada livre nestas datas",
  tryOthers: "Estas estadias podem ser reservadas agora:",
  otherDates: "O mesmo quarto noutras datas",
  fromPrice: (amount) => `a partir de ${amount}`,
  noOthers: "Também não há nada livre em datas próximas. Tente outras no formulário acima.",

  aboutHotel: "Sobre o hotel",
  amenities: "Comodidades",
  fromTime: (time) => `a partir das ${time}`,
  untilTime: (time) => `até às ${time}`,
  children: "Crianças",
  pets: "Animais",
  petsYes: "Permitidos",
  petsNo: "Não permitidos",
  phone: "Telefone",

  book: "Reservar",
  bookByAssistant: "Um assistente também pode reservar por si: fala diretamente com o hotel.",
  bookIntro: "Este hotel reserva-se com um assistente que fala diretamente com ele.",
  askAssistant: "Diga ao seu assistente",
  prompt: ({ hotel, room, rate, dates, party, total, address }) =>
    `Reserva ${room} (${rate}) em ${hotel}, ${dates}, para ${party}. O total deve ser ${total}, ` +
    `impostos incluídos. O hotel encontra-se em ${address}`,
  forAgents: "Para agentes e programadores",
  agentsIntro:
    "Uma cotação fixa o preço e as condições de cancelamento aqui mostrados; seguem-se o bloqueio " +
    "e a reserva.",
  reference: "Referência da API",
  agentCard: "Agent card",
  readyCall: "O pedido desta cotação",

  askTitle: "Perguntas sobre o hotel",
  askLabel: "A sua pergunta",
  askButton: "Perguntar",

  asOf: (instant) => `Preços e disponibilidade: ${instant}.`,
  firm: "Um preço é firme quando está numa cotação.",
  language: "Idioma",
  legal: "Informação legal",

  notFound: "Este hotel não pode ser reservado aqui",
  notFoundText: "Talvez tenha mudado, ou o link está incompleto. Volte à página onde o encontrou.",
  whichHotel: "A que hotel se refere?",
};
