import type { CheckoutWords } from "./words.ts";

export const fr: CheckoutWords = {
  bookTitle: "Réserver votre séjour",
  keptFor: (minutes, until) =>
    `La chambre vous est gardée pendant ${minutes === 1 ? "1 minute" : `${minutes} minutes`}, ` +
    `jusqu'au ${until}.`,
  keepLonger: "Garder la chambre plus longtemps",
  inPrice: "Compris dans le prix",

  details: "Vos coordonnées",
  optional: "facultatif",
  nameHint: "Saisissez le nom du voyageur.",
  emailHint: "Saisissez une adresse complète.",
  phoneHint: "Saisissez de 4 à 32 caractères.",
  payWith: "Payer avec",
  cards: {
    ok: "Carte de test qui est débitée",
    declined: "Carte de test qui est refusée",
    "no-funds": "Carte de test sans provision suffisante",
    late: "Carte de test qui est débitée après plus de dix secondes",
  },
  accept: "En réservant, vous acceptez le prix et les conditions d'annulation ci-dessus.",
  sandbox: "Aucun argent réel ne circule : ce service utilise un environnement de test.",
  cardNext:
    "Le prestataire de paiement vous demandera votre carte à la page suivante ; elle ne sera " +
    "débitée qu'une fois la chambre réservée.",
  pay: (amount) => `Payer ${amount}`,

  nothingCharged: "Rien n'a été débité.",
  notConfigured: "Cette page ne peut pas recevoir de paiement : il n'est pas configuré.",
  noAgent: "L'agent qui vous a donné ce lien ne peut plus réserver. Demandez-lui une autre page.",
  cardDeclined: "La carte a été refusée.",
  cardWithoutFunds: "La carte n'a pas de provision suffisante.",
  otherCard:
    "La chambre vous est toujours gardée : choisissez une autre carte et payez de nouveau.",
  notStarted:
    "Le paiement n'a pas pu commencer et rien n'a été débité. Essayez avec une autre carte.",
  mustApprove:
    "L'hôtel doit approuver cette réservation et a été consulté. Rien n'a été débité. Payez de " +
    "nouveau quand il l'aura approuvée, tant que la chambre vous est gardée.",

  payingTitle: "Le paiement est en cours",
  paying: "Ne payez pas une seconde fois : le résultat s'affichera ici.",
  lookAgain: "Regarder de nouveau",

  bookedTitle: "Votre séjour est réservé",
  bookingTitle: "Votre réservation",
  writeDown: "L'hôtel retrouve votre réservation avec ce code et votre nom : notez-le.",
  manage: "Voir, modifier ou annuler la réservation",
  manageWith: "Il vous faut le code et votre adresse e-mail.",
  backTo: "Retour à",

  endedTitle: "Cette page n'est plus valable",
  expired: "La chambre était gardée pour un temps limité, qui est écoulé.",
  takenBack: "L'agent a retiré cette page.",
  nothingBooked: "Rien n'a été réservé ici.",
  askAgent: "Demandez une autre page à l'agent qui vous a donné le lien.",
  seeFree: "Voir ce qui est libre à l'hôtel maintenant",

  unknownTitle: "Cette page n'existe pas",
  unknown: "L'adresse est incomplète ou la page date de plus d'un jour.",
};
