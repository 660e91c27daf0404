import type { Words } from "./words.ts";

export const fr: Words = {
  name: "Français",
  terms: {
    freeAlways: "Annulation gratuite à tout moment",
    freeUntil: (when) => `Annulation gratuite jusqu’au ${when}`,
    lost: "Non remboursable",
    lostInFull: "Non remboursable : le montant prépayé est conservé",
    costsNow: (share) => `L’annulation coûte dès maintenant ${share} du montant prépayé`,
    afterwards: (share) => `ensuite elle coûte ${share} du montant prépayé`,
    from: (share, when) => `${share} à partir du ${when}`,
    nothing: "rien",
    localTime: (when, city) => `${when} (heure de ${city})`,
  },
  assumed: {
    no_dates:
      "Votre lien ne contenait pas de dates : voici cette nuit. Choisissez les vôtres ci-dessus.",
    dates_past: "Les dates de votre lien sont passées : voici un séjour à partir d’aujourd’hui.",
    dates_far: "On ne peut pas réserver si tôt : voici un séjour à partir d’aujourd’hui.",
    dates_order: "Le départ n’était pas après l’arrivée : voici une nuit.",
    stay_long: "Un séjour compte 90 nuits au plus : il a été raccourci.",
    adults: "Le nombre de voyageurs était illisible : les prix sont pour deux adultes.",
    room_unknown: "La chambre ou le tarif de votre lien n’est plus proposé : voici les autres.",
    rate_sold_out: "La chambre ou le tarif de votre lien n’est pas libre à ces dates.",
    not_kept:
      "La chambre n’a pas pu être gardée pour vous et rien n’a été réservé. Voici les offres actuelles.",
    busy: "La chambre n’a pas pu être réservée pour vous pour le moment. Rien n’a été réservé ; réessayez dans un instant.",
    too_many:
      "Trop de demandes de chambres sont venues de votre connexion. Rien n’a été réservé ; réessayez dans une minute.",
  },
  meals: {
    room_only: "Sans repas",
    breakfast: "Petit-déjeuner compris",
    half_board: "Demi-pension comprise",
    full_board: "Pension complète comprise",
    all_inclusive: "Tout compris",
  },
  nights: (count) => (count === 1 ? "1 nuit" : `${count} nuits`),
  adultsOf: (count) => (count === 1 ? "1 adulte" : `${count} adultes`),
  starsOf: (count) => (count === 1 ? "1 étoile" : `${count} étoiles`),
  sleeps: (count) => (count === 1 ? "Pour 1 personne" : `Jusqu’à ${count} personnes`),

  checkIn: "Arrivée",
  checkOut: "Départ",
  adults: "Adultes",
  showPrices: "Voir les prix",
  onMap: "Voir sur la carte",

  yourStay: "Votre séjour",
  total: "Total",
  allIncluded: "Toutes taxes et tous frais compris",
  included: "taxes et frais compris",
  about: (amount) => `environ ${amount}`,
  approximate: (currency, asOf) =>
    `Converti aux cours du ${asOf}, à titre indicatif. Le prix est en ${currency}.`,
  notConverted: (currency) => `Il n’y a pas de cours pour ${currency}.`,
  aNight: (amount) => `${amount} par nuit en moyenne`,
  roomCharge: "Chambre",
  price: "Prix",
  paidThere: "à payer à l’hôtel",
  dueNow: "Vous payez à la réservation",
  dueThere: "Vous payez à l’hôtel",
  howToBook: "Comment réserver",

  rooms: "Chambres et tarifs",
  choose: "Choisir",
  chosen: "Votre choix",
  forOne: "Prix pour 1 adulte",
  moreRates: (count) =>
    (count === 1
      ? "1 autre tarif est disponible à ces dates. "
      : `${count} autres tarifs sont disponibles à ces dates. `) +
    "Les agents et les programmes les obtiennent tous par l’API :",
  unavailable: "Pas à ces dates",
  soldOut: "complet",
  nightsAtLeast: (count) => `à partir de ${count} nuits`,
  nightsAtMost: (count) => `${count} nuits au plus`,
  noArrival: "pas d’arrivée ce jour-là",
  noDeparture: "pas de départ ce jour-là",
  sleepsOnly: (count) =>
    count === 1 ? "pour 1 personne seulement" : `pour ${count} personnes au plus`,

  nothingFree: "Rien n’est libre à ces dates",
  tryOthers: "Ces séjours peuvent être réservés maintenant :",
  otherDates: "La même chambre à d’autres dates",
  fromPrice: (amount) => `à partir de ${amount}`,
  noOthers: "Rien n’est libre non plus à des dates proches. Essayez-en d’autres ci-dessus.",

  aboutHotel: "L’hôtel",
  amenities: "Équipements",
  fromTime: (time) => `à partir de ${time}`,
  untilTime: (time) => `jusqu’à ${time}`,
  children: "Enfants",
  pets: "Animaux",
  petsYes: "Acceptés",
  petsNo: "Non acceptés",
  phone: "Téléphone",

  book: "Réserver",
  bookByAssistant: "Un assistant peut aussi réserver pour vous : il parle directement à l’hôtel.",
  bookIntro: "Cet hôtel se réserve par un assistant qui lui parle directement.",
  askAssistant: "Dites à votre assistant",
  prompt: ({ hotel, room, rate, dates, party, total, address }) =>
    `Réserve ${room} (${rate}) à ${hotel}, ${dates}, pour ${party}. Le total doit être de ` +
    `${total}, taxes comprises. L’hôtel se joint à l’adresse ${address}`,
  forAgents: "Pour les agents et les développeurs",
  agentsIntro:
    "Un devis fige le prix et les conditions d’annulation affichés ici ; l’option et la " +
    "réservation suivent.",
  reference: "Référence de l’API",
  agentCard: "Agent card",
  readyCall: "La requête de ce devis",

  askTitle: "Questions sur l’hôtel",
  askLabel: "Votre question",
  askButton: "Demander",

  asOf: (instant) => `Prix et disponibilités : ${instant}.`,
  firm: "Un prix est ferme dès qu’il est dans un devis.",
  language: "Langue",
  legal: "Mentions légales",

  notFound: "Cet hôtel ne peut pas être réservé ici",
  notFoundText:
    "Il a peut-être déménagé, ou le lien est incomplet. Revenez à la page où vous l’avez trouvé.",
  whichHotel: "De quel hôtel s’agit-il ?",
};
