import type { MailWords } from "./words.ts";

export const fr: MailWords = {
  hello: (name) => (name === null ? "Bonjour," : `Bonjour ${name},`),
  confirmed: "Réservation confirmée",
  changed: "Réservation modifiée",
  cancelled: "Réservation annulée",
  linkSubject: "Votre lien vers la réservation",

  confirmedOpening:
    "Votre réservation est confirmée. Veuillez présenter le code de confirmation à votre arrivée.",
  changedOpening: "Votre réservation a été modifiée. La voici telle qu'elle est maintenant.",
  cancelledOpening: "Votre réservation est annulée. La chambre ne vous est plus réservée.",
  linkOpening:
    "Ouvrez ce lien pour voir votre réservation. Il sert une seule fois, pendant 15 minutes. Vous " +
    "pouvez aussi saisir le code sur la page où vous l'avez demandé.",

  code: "Code de confirmation",
  property: "Établissement",
  address: "Adresse",
  room: "Chambre",
  arrival: "Arrivée",
  departure: "Départ",
  nights: "Nuits",
  guests: "Voyageurs",
  total: "Prix total",
  paid: "Payé à la réservation",
  dueThere: "À payer sur place",
  cancellation: "Annulation",
  cancelledOn: "Annulée le",
  fee: "Frais d'annulation",
  paidBack: "Remboursé",
  digits: "Code",

  from: (time) => `à partir de ${time}`,
  until: (time) => `jusqu'à ${time}`,
  adults: (count) => (count === 1 ? "1 adulte" : `${count} adultes`),
  children: (count, ages) => `${count} ${count === 1 ? "enfant" : "enfants"} (âge ${ages})`,

  refundOnItsWay:
    "Le remboursement est versé sur votre moyen de paiement d'origine ; votre banque peut mettre " +
    "quelques jours à l'afficher.",
  refundWithheld:
    "Votre banque examine ce paiement, l'établissement ne peut donc pas le rembourser. Votre " +
    "banque décide.",
  noRefund: "Selon les conditions d'annulation de la réservation, il n'y a pas de remboursement.",
  nothingPaid: "Rien n'a été payé pour la réservation, il n'y a donc rien à rembourser.",
  ownPage:
    "Consultez, modifiez ou annulez votre réservation avec votre adresse e-mail et le code sur :",
  contact:
    "Pour modifier ou annuler la réservation, contactez le service par lequel vous avez réservé.",
  notAsked:
    "Si vous n'avez pas demandé cet e-mail, ignorez-le. Ne transmettez ni le lien ni le code.",
};
