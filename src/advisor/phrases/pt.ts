import type { Phrases } from "./phrases.ts";

export const pt: Phrases = {
  checkin: (time) => `O check-in é a partir das ${time}.`,
  checkout: (time) => `O check-out é até às ${time}.`,
  unpublished: (subject) => `O hotel não publica nada sobre isto, por isso não sei: ${subject}.`,
  subjects: {
    checkin: "hora do check-in",
    checkout: "hora do check-out",
    early_checkin: "check-in antecipado",
    late_checkout: "check-out tardio",
    reception: "horário da receção e chegadas tardias",
    luggage: "depósito de bagagem",
    distance: "distâncias e transportes próximos",
    phone: "número de telefone",
    email: "e-mail para hóspedes",
    about: "descrição",
    stars: "estrelas",
    beds: "camas",
    size: "tamanho dos quartos",
    room_count: "número de quartos",
    extra_bed: "camas extra",
    children: "política para crianças",
    minimum_age: "idade mínima",
    meal_price: "preços e horários das refeições",
    amenities: "comodidades",
    cancellation: "condições de cancelamento",
    taxes: "taxas e impostos",
    payment: "meios de pagamento",
    discount: "descontos e cupões",
    rooms: "tipos de quarto",
  },
  askHotel: (phone) => `Pode perguntar ao hotel: ${phone}.`,
  address: (hotel, address) => `${hotel} fica aqui: ${address}.`,
  phone: (phone) => `O telefone do hotel é ${phone}.`,
  timezone: (zone) => `O fuso horário do hotel é ${zone}.`,
  stars: (stars) => `O hotel tem ${stars}.`,
  rooms: (names) => `Tipos de quarto: ${names}.`,
  bed: (room, bed) => `${room}: ${bed}.`,
  size: (room, squareMetres) => `${room}: ${squareMetres} m².`,
  sleeps: (room, guests) => `${room}: até ${guests} ${guests === 1 ? "pessoa" : "pessoas"}.`,
  roomCount: (count) => `O hotel tem ${count} quartos.`,
  smokingNowhere: "Não é permitido fumar em nenhum quarto.",
  smokingIn: (rooms) => `É permitido fumar em: ${rooms}.`,
  petsYes: "São permitidos animais.",
  petsNo: "Não são permitidos animais.",
  childPolicy: (text) => `O hotel diz sobre crianças: «${text}»`,
  meals: (meal, plans) => `${meal}: ${plans}.`,
  noBreakfast: "Nenhuma tarifa à venda inclui pequeno-almoço.",
  listed: (amenity) => `O hotel indica: ${amenity}.`,
  unlisted: (words) => `«${words}» não consta das comodidades do hotel; se existe, não sei.`,
  inRooms: (amenity, rooms) => `${amenity}: em ${rooms}.`,
  inAllRooms: (amenity) => `${amenity}: em todos os tipos de quarto.`,
  costUnknown: (words) => `Quanto custa (${words}) não está publicado.`,
  amenities: (list) => `O hotel indica: ${list}.`,
  roomAmenities: (list) => `Em todos os tipos de quarto: ${list}.`,
  freeUntil: (plans, hours, share) =>
    `Cancelamento gratuito até ${hours} horas antes do check-in, depois custa ${share} do valor ` +
    `pré-pago: ${plans}.`,
  feeFromBooking: (plans, share) =>
    `Cancelar custa ${share} do valor pré-pago desde a reserva: ${plans}.`,
  fromCheckIn: (share) => `A partir da hora do check-in, cancelar custa ${share}.`,
  nonRefundable: (plans) => `Não reembolsável: ${plans}.`,
  tax: ({ name, amount, basis, isIncluded, isPaidThere, nights, age }) =>
    `${name}: ${amount} ${basis}, ${isIncluded ? "incluído no preço" : "além do preço"}` +
    `${isPaidThere ? ", paga-se no hotel" : ""}` +
    `${age === null ? "" : `, a partir de ${age} anos`}` +
    `${nights === null ? "" : `, no máximo ${nights} noites`}.`,
  bases: {
    percent: "do preço",
    per_stay: "por estadia",
    per_night: "por noite",
    per_person: "por pessoa",
    per_person_per_night: "por pessoa e noite",
  },
  currency: (currency) => `Os preços são em ${currency}.`,
  payment: "O que se paga na reserva e o que se paga no hotel consta de cada preço.",
  booking: "Diga-me as datas e quem vem: mostro preços, e cada um tem uma ligação para reservar.",
  ownBooking: "Não posso ver nem alterar reservas; quem reservou pode, com o id da reserva.",
  identity: (hotel) =>
    `Sou um assistente automático de ${hotel}. Respondo com o que o hotel publica e com os seus ` +
    "preços atuais.",
  greeting: (hotel) => `Olá! O que gostaria de saber sobre ${hotel}?`,
  thanks: "De nada.",
  notUnderstood:
    "Não posso responder a isso com o que o hotel publica. Sei de horários, morada, quartos, " +
    "comodidades, refeições, animais, cancelamento, taxas e preços para as suas datas.",
  restUnknown: "Para o resto da sua pergunta não encontrei nada que o hotel publique.",

  needDates: "Os preços dependem das datas. Quando chegariam e partiriam, e quantos são?",
  needAges: "Que idade têm as crianças? Os preços dependem disso.",
  problems: {
    no_such_date: "Uma destas datas não existe. A que datas se refere?",
    ambiguous_date: "Não distingo o dia do mês. Escreva, por favor, 12 de dezembro.",
    past: "Estas datas já passaram. A que datas se refere?",
    far: "Não se pode reservar com tanta antecedência.",
    long: "Uma estadia é de 90 noites no máximo.",
    order: "A partida não é depois da chegada. A que datas se refere?",
    vague: "Para os preços preciso de datas exatas. Em que dia chegariam e em que dia partiriam?",
    end_only: "Em que dia chegariam?",
  },
  childrenOf: (ages) =>
    `${ages.length === 1 ? "1 criança" : `${ages.length} crianças`} (idade ${ages.join(", ")})`,
  offers: (stay, count) => `${stay}: ${count === 1 ? "1 oferta" : `${count} ofertas`}.`,
  assumed: (adults) => `Não disse quantos são: os preços são para ${adults}.`,
  offer: ({ isCheapest, room, plan, meal, total, paidThere, terms }) =>
    `${isCheapest ? "O mais barato" : "Ou"}: ${room}, ${plan} (${meal}): ${total} no total, ` +
    `taxas e impostos incluídos` +
    `${paidThere === null ? "" : `, dos quais ${paidThere} se pagam no hotel`}. ${terms}`,
  noneWith: "Nada assim está livre nestas datas, mas isto está:",
  nothingFree: (stay) => `${stay}: não há nada livre.`,
  tooMany: (guests) => `Nenhum quarto é para tantos: o maior é para ${guests}.`,
  otherDates: (dates) => `Livre em vez disso: ${dates}.`,
  tooManyGuests: (most) => `Posso mostrar preços para até ${most} adultos.`,

  seeRooms: "Quartos e preços",
  searchElsewhere: "Outras datas",
};
