import type { PortalWords } from "./words.ts";

export const fr: PortalWords = {
  findTitle: "Voir votre réservation",
  findIntro:
    "Saisissez l'adresse e-mail et le code de confirmation de votre réservation. Un lien sera " +
    "envoyé à cette adresse.",
  sendLink: "Envoyer le lien",
  sentTitle: "Ouvrez le lien dans votre e-mail",
  sentIntro:
    "S'il existe une réservation avec cette adresse et ce code, un e-mail avec un lien est en " +
    "route. Le lien sert une seule fois, pendant 15 minutes. Si vous ne pouvez pas l'ouvrir ici, " +
    "saisissez les six chiffres de l'e-mail.",
  digits: "Six chiffres de l'e-mail",
  show: "Voir ma réservation",
  askAgain: "Demander un autre e-mail",
  enterIntro: "Appuyez sur le bouton pour voir votre réservation. Le lien sert une seule fois.",

  badLink:
    "Ce lien ou ce code ne peut pas servir : il est faux, déjà utilisé ou date de plus de 15 " +
    "minutes. Demandez un autre e-mail.",
  notSecure: "Cette page a besoin de https : sans lui, le navigateur ne garde pas la session.",
  signedOut: "Vous êtes déconnecté. Demandez un e-mail pour revoir votre réservation.",

  title: "Votre séjour",

  money: "Argent",
  kept: "Retenu",
  refundStates: {
    pending: "Remboursement en route",
    succeeded: "Remboursé",
    failed: "Remboursement échoué : contactez l'hôtel",
  },

  backNow: (refund, fee) =>
    `Si vous annulez maintenant, ${refund} vous sont rendus et ${fee} sont retenus.`,
  allBackNow: (refund) => `Si vous annulez maintenant, tout vous est rendu : ${refund}.`,
  nothingBackNow: "Si vous annulez maintenant, rien n'est rendu.",
  nothingToPay: "Rien n'a été payé d'avance, l'annulation ne coûte donc rien.",
  nothingBackFrom: (when) => `À partir du ${when}, rien n'est rendu.`,

  cancel: "Annuler la réservation…",
  cancelTitle: "Annuler cette réservation ?",
  cancelFinal: "La chambre est aussitôt remise en vente. C'est définitif.",
  cancelFor: (refund) => `Annuler et récupérer ${refund}`,
  cancelPlain: "Annuler sans remboursement",
  keep: "Garder la réservation",
  amountChanged:
    "Le montant a changé pendant que vous lisiez. Rien n'a été annulé ; vérifiez-le de nouveau.",
  notCancellable: "Cette réservation ne peut plus être annulée ici.",

  change: "Modifier les dates ou les données",
  dateRule: (when) =>
    `Les nouvelles dates doivent avoir autant de nuits et le même total. Vous pouvez les modifier ` +
    `jusqu'au ${when}.`,
  datesFixed: "Les conditions de cette réservation ne permettent pas d'autres dates.",
  mailLanguage: "Langue des e-mails pour vous",
  save: "Enregistrer",
  saved: "Vos modifications sont enregistrées.",
  otherLength: "Le nouveau séjour n'a pas le même nombre de nuits. Choisissez-en autant.",
  otherTotal: (total) =>
    `Les nouvelles dates coûtent ${total}, soit un autre total. Choisissez d'autres dates ou ` +
    "demandez à l'hôtel.",
  noRoom: "La chambre n'est pas libre à ces dates. Choisissez-en d'autres.",
  notChangeable: "Cela ne peut plus être modifié ici. Demandez à l'hôtel.",

  resend: "Renvoyer la confirmation",
  resent: "L'e-mail est en route.",
  tooOften: "L'e-mail a déjà été envoyé plusieurs fois. Réessayez dans une heure.",
  notSent: "L'e-mail n'a pas pu être envoyé. Réessayez plus tard.",
  signOut: "Se déconnecter",
};
