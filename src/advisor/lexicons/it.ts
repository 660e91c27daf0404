import type { Lexicon } from "../lexicon.ts";

export const it: Lexicon = {
  hints:
    "il lo la l i gli le un uno una di del della dei delle al alla nel nella e o con per da in su " +
    "che chi qual quale quali quanto quanta quanti quante come quando dove c'e ci sono avete ha hanno e' si " +
    "puo posso possiamo hotel albergo camera camere notte notti colazione prezzo gratis bambini " +
    "bambino cane cani animali adulti persone libera libero domani prossimo fine settimana dal " +
    "costa inclusa incluso ora cancellare cancellazione parcheggio piscina dista mio mia siete avere due",
  months: [
    ...["gen(?:naio)?", "feb(?:braio)?", "mar(?:zo)?", "apr(?:ile)?", "mag(?:gio)?"],
    ...["giu(?:gno)?", "lug(?:lio)?", "ago(?:sto)?", "set(?:t|tembre)?", "ott(?:obre)?"],
    ...["nov(?:embre)?", "dic(?:embre)?"],
  ],
  weekdays: [
    "lunedi'?",
    "martedi'?",
    "mercoledi'?",
    "giovedi'?",
    "venerdi'?",
    "sabato",
    "domenica",
  ],
  numbers: [
    ...["un[oa]?", "due", "tre", "quattro", "cinque", "sei", "sette", "otto", "nove", "dieci"],
    ...["undici", "dodici"],
  ],
  dates: {
    today: /\boggi\b|\bstanotte\b|\bstasera\b|\bquesta notte\b/,
    tomorrow: /(?<!dopo)\bdomani\b/,
    dayAfterTomorrow: /\bdopodomani\b/,
    inDays: "\\b(?:tra|fra) # giorn[io]\\b",
    inWeeks: "\\b(?:tra|fra) # settiman[ae]\\b",
    weekend: /\bfine ?settimana\b|\bweek-?\s?end\b/,
    nextWeekend:
      /\bprossimo (?:fine ?settimana|week-?\s?end)\b|\b(?:fine ?settimana|week-?\s?end) prossimo\b/,
    weekendAfter: /\b(?:fine ?settimana|week-?\s?end) (?:successivo|seguente|dopo)\b/,
    vague:
      /\b(?:settimana|mese|anno|estate|inverno|primavera|autunno) prossim[oa]\b|\bprossim[oa] (?:settimana|mese|anno|estate|inverno)\b|\bquest[oa] (?:settimana|mese)\b|\bin (?:estate|inverno|primavera|autunno)\b|natale|capodanno|pasqua/,
    until: /\bfino\b/,
    nights: "nott[ei]|pernottament[oi]",
    days: "giorn[io]",
    forWeeks: "\\b(?:per )?# settiman[ae]\\b",
  },
  party: {
    adults: "adult[oiae]",
    people: "person[ae]|ospiti?|viaggiatori|amici",
    children: "bambin[oiae]|figli[oae]?|neonat[oi]|bimb[oiae]|ragazz[oi]",
    forParty: "per",
    ofUs: "\\bsiamo (?:in )?(#)\\b|\\bin (due|tre|quattro)\\b",
    couple:
      /\bcoppia\b|\b(?:mia moglie|mio marito|il mio ragazzo|la mia ragazza|il mio compagno|la mia compagna) ed? io\b|\bnoi due\b/,
    alone: /\bda sol[oa]\b|\bper me\b|\bviaggio sol[oa]\b|\bsolo io\b/,
    family: /\bfamiglia\b/,
    ages: ["(\\d{1,2}) ann[io]\\b", "\\(\\s*(\\d{1,2})(?: ann[io])?\\s*\\)"],
    including: /\bdi cui\b|\bcompres/,
  },
  topics: {
    checkin:
      /check[- ]?in\b|(?:a che ora|quando|da che ora|dalle che ora).{0,40}(?:arriv|entrare|registr|avere la camera|accedere)|(?:ora|orario) (?:di|d') ?(?:arrivo|ingresso)/,
    early_checkin:
      /early check|(?:check-?in|arriv\w+|entrare) (?:prima|anticipat|presto|in anticipo)|prima delle \d|in anticipo|piu presto/,
    checkout:
      /check[- ]?out|(?:a che ora|quando|entro che ora|fino a che ora).{0,40}(?:partenza|partire|lasciare|liberare|uscire)|(?:ora|orario) di (?:partenza|uscita)/,
    late_checkout:
      /late check|(?:check-?out|partenza|partire|lasciare|liberare).{0,20} (?:piu )?tard|check-?out posticip/,
    reception:
      /arriv\w+ (?:molto )?tardi|arrivo (?:tardivo|notturno|in tarda)|mezzanotte|reception|portineria|24 ?(?:h|ore)\b|tutta la notte/,
    luggage: /bagagl|valig/,
    address:
      /indirizzo|dove (?:si trova|e\b|e'|sta|siete|posso trovare)|dov'?e|posizione|\bsituat|ubicat|come (?:arriv|si arriva|ci si arriva|raggiung|vi raggiung)|(?:che|quale) (?:via|strada|citta|quartiere|zona)|quartiere|codice postale|\bcap\b/,
    distance:
      /quanto (?:dista|e lontan|e' lontan)|distan|lontan|\bvicin|aeroporto|stazione|\bmetro|\bspiaggia|fermata|centro citta|dal centro|a piedi|attrazioni/,
    phone: /telefon|chiamare|contatt|numero di tel|raggiungervi/,
    email: /e-?mail|posta elettronica/,
    timezone: /fuso orario|ora locale/,
    about:
      /(?:parlami|parlatemi|raccont\w+|descriv\w+|dimmi|informazioni) .{0,20}(?:hotel|albergo|struttura)|che (?:tipo|genere) di (?:hotel|albergo)|com'?e (?:l'?hotel|l'?albergo|la struttura)/,
    stars: /\bstelle?\b|categoria dell'?(?:hotel|albergo)|classificazione/,
    rooms:
      /(?:che|quali) (?:tip[oi] di |tipologi[ae] di )?camere?|tip[oi] di camer|tipologie di camer|(?:ci sono|avete|c'?e) (?:delle |una |anche )?(?:suite|camer[ae] (?:familiar[ei]|singol[ae]|doppi[ae]|matrimonial[ei]|twin))\b(?!.{0,30}(?:liber|disponib))/,
    beds: /\blett[oi]\b(?! aggiunt| supplement)|matrimonial/,
    size: /quanto (?:e|sono|e') grand|grandezza|dimension|metri quadr|\bmq\b|\bm2\b|\bm²|piu grande|superficie/,
    occupancy:
      /quante persone (?:posson|puo|ci|al massimo|dorm|entran)|(?:per|ospita\w*) quante persone|capienza|occupazione massima|numero massimo|quanti ospiti/,
    room_count: /quante camere|numero di camere|quante stanze/,
    extra_bed: /letto (?:aggiuntiv|supplementar|extra)|divano letto/,
    smoking: /fuma|sigarett/,
    pets: /\banimal[ie]\b|\bcan[ei]\b|\bgatt[oi]\b|cagnolin|pet[- ]friendly/,
    children:
      /(?:politica|condizioni|regole) .{0,15}bambin|(?:bambin[oi]|neonat[oi]|bimbi)\b.{0,30}(?:gratis|gratuit|pagano|paga|benvenut|ammess|accettat|soggiorn|ridott|sconto)|(?:gratis|accettate|ammess\w*|ospitate) .{0,20}(?:bambin|neonat)|(?:adatto|ideale) .{0,15}(?:bambin|famigl)/,
    minimum_age: /eta minima|limite di eta|solo adulti|quanti anni bisogna/,
    meals:
      /colazion|mezza pensione|pensione completa|tutto incluso|all[- ]inclusive|\bpast[io]\b|\bcen[ae]\b|\bpranz[oi]\b|solo pernottamento|trattamento/,
    meal_price:
      /(?:quanto|prezzo|costa|costo|supplemento).{0,25}(?:colazion|cena|past)|(?:a che ora|fino a che ora|orari[oi]?).{0,25}(?:colazion|cena)/,
    amenities:
      /servizi (?:offre|ci sono|dell'?hotel|avete|sono)|quali servizi|che servizi|dotazion|attrezzature|cosa offre|comfort|cosa c'?e (?:in|nelle|nella) camer/,
    cancellation: /cancell|annull|disd|rimbors|no-?show|mancata presentazione/,
    taxes: /\btass[ae]\b|\biva\b|impost[ae]|supplement[oi] obblig|tassa di soggiorno/,
    currency: /valuta|moneta|in (?:euro|dollari|sterline|yen|franchi)\b/,
    payment:
      /\bpag(?:are|a|amento|amenti|iamo|o)\b|carta di credito|\bcarte?\b|contanti|\bvisa\b|mastercard|acconto|caparra|deposito|fattura|paypal|apple pay|bancomat/,
    discount: /scont|promozion|coupon|codice promo|offerta speciale|buono/,
    price:
      /prezz|\bcost[aoi]\b|quant'e\b|quanto (?:viene|verrebbe|sarebbe|spend)|\btariff|economic|\bcaro\b|in tutto|in totale|\btotale\b|preventivo|\boffert[ae]\b/,
    availability:
      /disponib|\bliber[aeoi]\b|(?:c'?e|avete|ci sono|rest\w+) .{0,25}camer\w*.{0,20}\b(?:per|dal|il|questo)\b|(?:cerco|vorrei|vorremmo|mi serve|ho bisogno|cerchiamo) .{0,25}camer|\bcompleto\b|posto per/,
    booking:
      /come (?:posso |si puo |possiamo |si |faccio a )?(?:prenot|fare una prenotazione|effettuare)|(?:posso|vorrei|voglio|possiamo) (?:fare una )?prenot|dove (?:posso )?prenot/,
    own_booking:
      /(?:mia|nostra) prenotazione|(?:modificare|cambiare) (?:la|le|il) (?:mia |nostra )?(?:prenotazione|date)|(?:codice|numero) di (?:conferma|prenotazione)|ho (?:gia )?prenotato/,
    identity:
      /sei (?:un |una )?(?:bot|robot|umano|persona|ia|macchina)|chi sei|cosa (?:puoi|sai) fare|con chi (?:parlo|sto parlando)/,
  },
  rooms: {
    single: /(?:camer[ae] |una )?singol[ae]\b/,
    double: /(?:camer[ae] |una )?doppi[ae]\b|camer[ae] matrimonial[ei]|una matrimoniale/,
    twin: /\btwin\b|letti separati|due letti/,
    superior: /\bsuperior\b|superiore\b/,
    family: /camer[ae] familiar[ei]|camer[ae] famiglia/,
    suite: /\bsuite\b/,
  },
  withBreakfast: /con (?:la )?(?:prima )?colazione|colazione (?:inclusa|compresa)/,
  refundable: /cancellazione gratuita|cancellabile|rimborsabile|flessibile/,
  cost: /quanto|costa|costo|prezz|gratis|gratuit|pagamento|supplement|inclus|compres|extra/,
  greeting: /^\W*(?:ciao|salve|buongiorno|buon giorno|buonasera|buona sera)\b/,
  thanks: /\bgrazie|arrivederci/,
};
