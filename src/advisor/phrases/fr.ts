import type { Phrases } from "./phrases.ts";

export const fr: Phrases = {
  checkin: (time) => `L’arrivée se fait à partir de ${time}.`,
  checkout: (time) => `Le départ se fait jusqu’à ${time}.`,
  unpublished: (subject) =>
    `L’hôtel ne publie rien à ce sujet, je ne le sais donc pas : ${subject}.`,
  subjects: {
    checkin: "heure d’arrivée",
    checkout: "heure de départ",
    early_checkin: "arrivée anticipée",
    late_checkout: "départ tardif",
    reception: "horaires de la réception et arrivées tardives",
    luggage: "bagagerie",
    distance: "distances et transports à proximité",
    phone: "numéro de téléphone",
    email: "adresse e-mail pour les clients",
    about: "description",
    stars: "étoiles",
    beds: "lits",
    size: "taille des chambres",
    room_count: "nombre de chambres",
    extra_bed: "lits d’appoint",
    children: "règles pour les enfants",
    minimum_age: "âge minimum",
    meal_price: "prix et horaires des repas",
    amenities: "équipements",
    cancellation: "conditions d’annulation",
    taxes: "taxes et frais",
    payment: "moyens de paiement",
    discount: "réductions et bons",
    rooms: "types de chambres",
  },
  askHotel: (phone) => `Vous pouvez demander à l’hôtel : ${phone}.`,
  address: (hotel, address) => `${hotel} se trouve ici : ${address}.`,
  phone: (phone) => `Le numéro de téléphone de l’hôtel est ${phone}.`,
  timezone: (zone) => `Le fuseau horaire de l’hôtel est ${zone}.`,
  stars: (stars) => `L’hôtel a ${stars}.`,
  rooms: (names) => `Types de chambres : ${names}.`,
  bed: (room, bed) => `${room} : ${bed}.`,
  size: (room, squareMetres) => `${room} : ${squareMetres} m².`,
  sleeps: (room, guests) =>
    `${room} : jusqu’à ${guests} ${guests === 1 ? "personne" : "personnes"}.`,
  roomCount: (count) => `L’hôtel a ${count} chambres.`,
  smokingNowhere: "Il est interdit de fumer dans toutes les chambres.",
  smokingIn: (rooms) => `Il est permis de fumer dans : ${rooms}.`,
  petsYes: "Les animaux sont acceptés.",
  petsNo: "Les animaux ne sont pas acceptés.",
  childPolicy: (text) => `L’hôtel écrit au sujet des enfants : « ${text} »`,
  meals: (meal, plans) => `${meal} : ${plans}.`,
  noBreakfast: "Aucun tarif en vente ne comprend le petit-déjeuner.",
  listed: (amenity) => `L’hôtel indique : ${amenity}.`,
  unlisted: (words) =>
    `« ${words} » ne figure pas parmi les équipements de l’hôtel ; s’il y en a, je ne le sais pas.`,
  inRooms: (amenity, rooms) => `${amenity} : dans ${rooms}.`,
  inAllRooms: (amenity) => `${amenity} : dans tous les types de chambres.`,
  costUnknown: (words) => `Ce que cela coûte (${words}) n’est pas publié.`,
  amenities: (list) => `L’hôtel indique : ${list}.`,
  roomAmenities: (list) => `Dans tous les types de chambres : ${list}.`,
  freeUntil: (plans, hours, share) =>
    `Annulation gratuite jusqu’à ${hours} heures avant l’arrivée, puis elle coûte ${share} du ` +
    `montant prépayé : ${plans}.`,
  feeFromBooking: (plans, share) =>
    `Annuler coûte ${share} du montant prépayé dès la réservation : ${plans}.`,
  fromCheckIn: (share) => `À partir de l’heure d’arrivée, annuler coûte ${share}.`,
  nonRefundable: (plans) => `Non remboursable : ${plans}.`,
  tax: ({ name, amount, basis, isIncluded, isPaidThere, nights, age }) =>
    `${name} : ${amount} ${basis}, ${isIncluded ? "compris dans le prix" : "en plus du prix"}` +
    `${isPaidThere ? ", à payer à l’hôtel" : ""}` +
    `${age === null ? "" : `, à partir de ${age} ans`}` +
    `${nights === null ? "" : `, pour ${nights} nuits au plus`}.`,
  bases: {
    percent: "du prix",
    per_stay: "par séjour",
    per_night: "par nuit",
    per_person: "par personne",
    per_person_per_night: "par personne et par nuit",
  },
  currency: (currency) => `Les prix sont en ${currency}.`,
  payment: "Ce qui est payé à la réservation et ce qui l’est à l’hôtel figure avec chaque prix.",
  booking:
    "Dites-moi vos dates et qui vient : je montre les prix, chacun avec un lien pour réserver.",
  ownBooking:
    "Je ne peux ni voir ni modifier de réservations ; celui qui a réservé le peut, avec leur id.",
  identity: (hotel) =>
    `Je suis un assistant automatique pour ${hotel}. Je réponds d’après ce que publie l’hôtel et ` +
    "d’après ses prix actuels.",
  greeting: (hotel) => `Bonjour ! Que souhaitez-vous savoir sur ${hotel} ?`,
  thanks: "Je vous en prie.",
  notUnderstood:
    "Je ne peux pas répondre à cela d’après ce que publie l’hôtel. Je connais les horaires, " +
    "l’adresse, les chambres, les équipements, les repas, les animaux, l’annulation, les taxes et " +
    "les prix pour vos dates.",
  restUnknown: "Pour le reste de votre question, je n’ai rien trouvé que publie l’hôtel.",

  needDates:
    "Les prix dépendent des dates. Quand arriveriez-vous et partiriez-vous, et combien êtes-vous ?",
  needAges: "Quel âge ont les enfants ? Les prix en dépendent.",
  problems: {
    no_such_date: "L’une de ces dates n’existe pas. De quelles dates parlez-vous ?",
    ambiguous_date: "Je ne distingue pas le jour du mois. Écrivez s’il vous plaît 12 décembre.",
    past: "Ces dates sont passées. De quelles dates parlez-vous ?",
    far: "On ne peut pas réserver aussi longtemps à l’avance.",
    long: "Un séjour est de 90 nuits au plus.",
    order: "Le départ n’est pas après l’arrivée. De quelles dates parlez-vous ?",
    vague:
      "Pour les prix, il me faut des dates exactes. Quel jour arriveriez-vous et partiriez-vous ?",
    end_only: "Quel jour arriveriez-vous ?",
  },
  childrenOf: (ages) =>
    `${ages.length === 1 ? "1 enfant" : `${ages.length} enfants`} (âge ${ages.join(", ")})`,
  offers: (stay, count) => `${stay} : ${count === 1 ? "1 offre" : `${count} offres`}.`,
  assumed: (adults) => `Vous n’avez pas dit combien vous êtes : les prix sont pour ${adults}.`,
  offer: ({ isCheapest, room, plan, meal, total, paidThere, terms }) =>
    `${isCheapest ? "Le moins cher" : "Ou"} : ${room}, ${plan} (${meal}) : ${total} en tout, ` +
    `taxes et frais compris` +
    `${paidThere === null ? "" : `, dont ${paidThere} à payer à l’hôtel`}. ${terms}`,
  noneWith: "Rien de tel n’est libre à ces dates, mais ceci l’est :",
  nothingFree: (stay) => `${stay} : rien n’est libre.`,
  tooMany: (guests) =>
    `Aucune chambre n’est pour autant de personnes : la plus grande est pour ${guests}.`,
  otherDates: (dates) => `Libre à la place : ${dates}.`,
  tooManyGuests: (most) => `Je peux montrer des prix pour ${most} adultes au plus.`,

  seeRooms: "Chambres et prix",
  searchElsewhere: "Autres dates",
};
