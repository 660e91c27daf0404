import type { StayWords } from "./words.ts";

export const fr: StayWords = {
  email: "Adresse e-mail",
  code: "Code de confirmation",

  badInput: "Il manque quelque chose ou une valeur ne convient pas. Vérifiez votre saisie.",
  notTaken: "Rien n'a été modifié : le formulaire ne venait pas de cette page. Recommencez ici.",
  failed: "Cela n'a pas fonctionné. Réessayez dans un instant.",
  test: "TEST : les réservations et l'argent de ce mode ne sont pas réels",

  states: {
    confirmed: "Confirmé",
    checked_in: "Vous êtes arrivé",
    completed: "Vous êtes parti",
    cancelled: "Annulé",
    no_show: "Vous n'êtes pas venu",
    relocated: "Déplacé dans un autre hôtel",
  },
  hotel: "Hôtel",
  room: "Chambre",
  stay: "Séjour",
  party: "Voyageurs",
  childrenOf: (count) => (count === 1 ? "1 enfant" : `${count} enfants`),
  directions: "Voir sur la carte",

  paid: "Payé",

  terms: "Si vous annulez",
  until: (when) => `jusqu'au ${when}`,
  noShow: "si vous ne venez pas",
  free: "gratuit",
  costs: (fee) => `coûte ${fee}`,
  now: "maintenant",

  name: "Nom complet",
  phone: "Téléphone",
  requests: "Souhaits pour l'hôtel",

  receipts: "Justificatifs",
  receiptKinds: {
    booking_confirmed: "Confirmation",
    booking_cancelled: "Annulation",
    refund_issued: "Remboursement",
  },
  verify: "Chaque fichier est signé. Chacun peut le vérifier à cette adresse :",
};
