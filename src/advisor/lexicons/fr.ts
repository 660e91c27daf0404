import type { Lexicon } from "../lexicon.ts";

export const fr: Lexicon = {
  hints:
    "le la les l un une des du de au aux est sont et ou avec pour dans en sur que qui quel quelle " +
    "quels quelles quand comment combien y a t il ils elle on nous vous je votre vos notre mon ma mes " +
    "peut peuvent puis pouvons hotel chambre chambres nuit nuits petit dejeuner prix gratuit " +
    "gratuite enfants enfant chien chiens animaux adultes personnes libre demain prochain weekend " +
    "coute inclus heure annuler annulation piscine avez proposez est-ce c'est y-a-t-il deux trois",
  months: [
    ...["janv?(?:ier)?", "fevr?(?:ier)?", "mars", "avr(?:il)?", "mai", "juin", "juil(?:let)?"],
    ...["aout", "sept?(?:embre)?", "oct(?:obre)?", "nov(?:embre)?", "dec(?:embre)?"],
  ],
  weekdays: ["lundi", "mardi", "mercredi", "jeudi", "vendredi", "samedi", "dimanche"],
  numbers: [
    ...["une?", "deux", "trois", "quatre", "cinq", "six", "sept", "huit", "neuf", "dix", "onze"],
    "douze",
  ],
  dates: {
    today: /\baujourd'?hui\b|\bce soir\b|\bcette nuit\b/,
    tomorrow: /(?<!apres[- ])\bdemain\b/,
    dayAfterTomorrow: /\bapres[- ]demain\b/,
    inDays: "\\bdans # jours?\\b",
    inWeeks: "\\bdans # semaines?\\b",
    weekend: /\bweek-?\s?ends?\b|\bfin de semaine\b/,
    nextWeekend: /\b(?:week-?\s?end prochain|prochain week-?\s?end|week-?\s?end qui vient)\b/,
    weekendAfter: /\bweek-?\s?end (?:suivant|d'apres)\b/,
    vague:
      /\b(?:semaine|mois|annee|ete|hiver|printemps|automne) prochaine?\b|\bcette (?:semaine|annee)\b|\bce mois\b|\ben (?:ete|hiver|automne)\b|\bau printemps\b|\bnoel\b|nouvel an|paques/,
    until: /\bjusqu'?a?u?\b/,
    nights: "nuits?|nuitees?",
    days: "jours?",
    forWeeks: "\\b(?:pour |pendant )?# semaines?\\b",
  },
  party: {
    adults: "adultes?|grandes personnes",
    people: "personnes?|voyageurs?|hotes?|amis",
    children: "enfants?|gamins?|bebes?|fils|filles?|nourrissons?",
    forParty: "pour",
    ofUs: "\\b(?:nous sommes|on est|on sera|nous serons) (#)\\b|\\ba (deux|trois|quatre)\\b",
    couple:
      /\bcouple\b|\b(?:ma femme|mon mari|mon compagnon|ma compagne|mon copain|ma copine) et moi\b|\bnous deux\b|\ben amoureux\b/,
    alone: /\b(?:tout )?seule?\b|\bpour moi\b|\bmoi seule?\b/,
    family: /\bfamille\b/,
    ages: ["(\\d{1,2}) ans?\\b", "\\(\\s*(\\d{1,2})(?: ans?)?\\s*\\)"],
    including: /\bdont\b|\bcompris\b|y compris/,
  },
  topics: {
    checkin:
      /check[- ]?in\b|enregistrement|(?:a quelle heure|quand|a partir de quelle heure|des quelle heure).{0,45}(?:arriv|entrer|acceder|prendre (?:la|notre|possession))|heure d'?arrivee|arrivee a partir/,
    early_checkin:
      /early check|(?:check-?in|arriv\w+|enregistrement|entrer) (?:plus tot|anticipe|avant|tot)|avant (?:l'heure|\d{1,2} ?h)|plus tot/,
    checkout:
      /check[- ]?out|(?:a quelle heure|quand|jusqu'?a quelle heure|avant quelle heure).{0,45}(?:depart|parti|quitt|liber|rendre)|heure (?:de|limite de) depart|depart avant/,
    late_checkout:
      /late check|(?:check-?out|depart|partir|quitter|liberer).{0,20} (?:plus )?tard|depart tardif|garder (?:la|notre|ma) chambre/,
    reception:
      /arriv\w+ (?:tres )?tard|arrivee tardive|minuit|reception|24 ?h(?:eures)?(?: ?\/ ?24)?\b|toute la nuit/,
    luggage: /bagage|valise|consigne/,
    address:
      /adresse|ou (?:est|se trouve|se situe|etes|puis-je trouver)|situe|emplacement|comment (?:venir|arriver|aller|se rendre|y aller|vous rejoindre)|(?:quel|quelle) (?:rue|ville|quartier|arrondissement)|quartier|code postal/,
    distance:
      /a quelle distance|\bloin\b|\bpres\b (?:de|du|d')|proche|proximite|aeroport\b|\bgare\b|\bmetro\b|\bplage|arret (?:de bus|de tram)|centre[- ]ville|a pied|attractions/,
    phone: /telephon|appeler|joindre|contact|numero de tel/,
    email: /e-?mail|courriel|adresse mail|adresse electronique/,
    timezone: /fuseau|heure locale/,
    about:
      /(?:parlez|parle|dites|dis|decri\w+|presente\w*)[- ]?(?:moi|nous)?.{0,25}(?:de l'?hotel|l'?hotel|cet hotel|etablissement)|quel (?:type|genre) d'?hotel|comment est l'?hotel/,
    stars: /etoiles?\b|categorie de l'?hotel|classement/,
    rooms:
      /quel(?:le)?s? (?:types? de |sortes? de |genres? de )?chambres?|types? de chambres?|(?:y a-t-il|avez[- ]vous|il y a) (?:des |une |un )?(?:suites?|chambres? (?:familiales?|simples?|doubles?|individuelles?|twin))\b(?!.{0,30}(?:libre|disponible))/,
    beds: /\blits?\b(?! d'?appoint| supplementaire| bebe| parapluie| pour bebe)|couchage/,
    size: /quelle (?:taille|superficie|surface|est la (?:taille|superficie|surface))|superficie|surface|metres? carres?|\bm2\b|\bm²|plus grande|taille de/,
    occupancy:
      /combien de (?:personnes|voyageurs|adultes) (?:peu|max|tien|log|dorm|dans)|(?:pour|loger|accueillir) combien de personnes|capacite|occupation maximale|maximum de personnes/,
    room_count: /combien de chambres|nombre de chambres/,
    extra_bed: /lits? (?:d'?appoint|supplementaire)|canape[- ]lit/,
    smoking: /fume|cigarette|vapot/,
    pets: /animaux|\banimal\b|\bchiens?\b|\bchats?\b|compagnie/,
    children:
      /(?:politique|conditions?|regles?) .{0,15}enfants?|(?:enfants?|bebes?)\b.{0,30}(?:gratuit|payent|paient|bienvenu|accept|admis|autoris|sejourn|reduction|tarif)|(?:gratuit\w*|accept\w*|accueill\w*) .{0,20}(?:enfant|bebe)|(?:adapte|convient|ideal).{0,15}(?:enfant|famille)/,
    minimum_age: /age minimum|limite d'?age|reserve aux adultes|quel age faut/,
    meals:
      /petit[s]?[- ]?dej|demi[- ]pension|pension complete|tout compris|all[- ]inclusive|\brepas\b|\bdiner\b|formule|\bdejeuner\b/,
    meal_price:
      /(?:combien|prix|coute|cout|supplement|tarif).{0,25}(?:petit[- ]?dej|diner|repas)|(?:a quelle heure|jusqu'?a quelle heure|horaires?).{0,25}(?:petit[- ]?dej|diner)/,
    amenities:
      /equipements?|installations|services (?:propos|offre|de l'?hotel|y)|quels? services|que propose l'?hotel|prestations|commodites|qu'?y a-t-il dans (?:la|les) chambre/,
    cancellation: /annul|rembours|desist|no-?show|non presentation/,
    taxes: /\btaxes?\b|\btva\b|impot|supplement de|\bfrais\b(?! d'?annul)/,
    currency: /monnaie|devise|en (?:euros|dollars|livres|yens|francs)\b/,
    payment:
      /\bpa(?:yer|ie|iement|iements|ye|yez|yons)\b|carte (?:bancaire|de credit|bleue)|\bcartes?\b|especes|\bvisa\b|mastercard|acompte|caution|facture|paypal|apple pay|regler|reglement/,
    discount: /reduction|promo|code promo|bon de reduction|remise|fidelite|offre speciale/,
    price:
      /\bprix\b|coute|combien (?:ca|cela|est|coute|pour|faut|revient)|c'?est combien|\btarifs?\b|moins cher|pas cher|\bcher\b|en tout|au total|\btotal\b|budget|\boffres?\b/,
    availability:
      /disponib|\blibres?\b|(?:reste|avez|y a|auriez).{0,25}chambres?.{0,20}\b(?:pour|du|le|ce)\b|(?:cherche|voudrais|voudrions|besoin|aimerais|souhaite\w*) .{0,25}chambre|\bcomplet\b|de la place/,
    booking:
      /comment (?:puis-je |peut-on |on |faire pour |je )?(?:reserv|faire une reservation)|(?:puis-je|peut-on|je voudrais|j'aimerais|je peux|je souhaite) (?:faire une )?reserv|ou (?:puis-je )?reserver/,
    own_booking:
      /(?:ma|notre) reservation|(?:modifier|changer) (?:la|ma|notre|les) (?:reservation|dates)|(?:code|numero) de (?:confirmation|reservation)|j'?ai (?:deja )?reserve/,
    identity:
      /(?:es-tu|etes-vous|tu es|vous etes) (?:un |une )?(?:bot|robot|humain|personne|ia|machine)|qui (?:es-tu|etes-vous)|que (?:peux-tu|pouvez-vous) faire|a qui je parle|a qui ai-je/,
  },
  rooms: {
    single: /chambres? (?:simples?|individuelles?|pour une personne)|\bsingle\b/,
    double: /chambres? doubles?|\bune double\b/,
    twin: /\btwin\b|lits jumeaux|deux lits/,
    superior: /superieure?\b|\bsuperior\b/,
    family: /chambres? familiales?/,
    suite: /\bsuites?\b(?! (?:a|de|parental))/,
  },
  withBreakfast: /avec (?:le |un )?petit[- ]?dej|petit[- ]?dej\w* (?:inclus|compris)/,
  refundable: /annulation gratuite|annulable|remboursable|flexible/,
  cost: /combien|coute|prix|gratuit|payant|supplement|inclus|compris|tarif/,
  greeting: /^\W*(?:bonjour|bonsoir|salut|coucou)\b/,
  thanks: /\bmerci|au revoir/,
};
