import type { Lexicon } from "../lexicon.ts";

export const de: Lexicon = {
  hints:
    "der die das den dem des ein eine einen einem ist sind hat haben gibt es wir ich sie ihr ihre " +
    "wie was wann wo welche welches und fur mit vom von zum zur im am auf nicht oder kann konnen " +
    "kostet kosten zimmer hotel nachte nacht fruhstuck fruehstuck kinder hund hunde erwachsene " +
    "personen bitte noch frei ab bis um uhr stornieren kostenlos gibts darf durfen bei uns zwei " +
    "wochenende morgen heute nachste nachsten alle wer schwimmbad parkplatz wlan inklusive bietet",
  months: [
    ...["jan(?:uar)?|janner", "feb(?:ruar)?", "marz|maerz|mrz", "apr(?:il)?", "mai", "juni?"],
    ...["juli?", "aug(?:ust)?", "sept?(?:ember)?", "okt(?:ober)?", "nov(?:ember)?"],
    "dez(?:ember)?",
  ],
  weekdays: [
    ...["montag|mo", "dienstag|di", "mittwoch|mi", "donnerstag|do", "freitag|fr"],
    ...["samstag|sonnabend|sa", "sonntag|so"],
  ],
  numbers: [
    ...["eine?[nmrs]?", "zwei|zwo", "drei", "vier", "funf|fuenf", "sechs", "sieben", "acht"],
    ...["neun", "zehn", "elf", "zwolf|zwoelf"],
  ],
  dates: {
    today: /\bheute(?: nacht| abend)?\b/,
    tomorrow: /(?<!guten )\bmorgen\b(?! fruh\b.{0,10}checken)/,
    dayAfterTomorrow: /\bubermorgen\b|\buebermorgen\b/,
    inDays: "\\bin # tag(?:en)?\\b",
    inWeeks: "\\bin # wochen?\\b",
    weekend: /\bwochenendes?\b/,
    nextWeekend: /\b(?:nachste[nsm]?|naechste[nsm]?) wochenende\b/,
    weekendAfter: /\b(?:ubernachste[nsm]?|uebernaechste[nsm]?) wochenende\b|wochenende darauf/,
    vague:
      /\b(?:nachste[rnm]?|naechste[rnm]?|diese[rnm]?|kommende[rnm]?) (?:woche|monat|jahr|sommer|winter|fruhling|herbst)\b|\bim (?:sommer|winter|fruhling|herbst)\b|weihnachten|silvester|ostern/,
    until: /\bbis\b/,
    nights: "n(?:a|ae)chte?n?|nacht|ubernachtung(?:en)?|uebernachtung(?:en)?",
    days: "tage?n?",
    forWeeks: "\\b(?:fur |fuer )?# wochen?\\b",
  },
  party: {
    adults: "erwachsenen?r?",
    people: "personen|person|gaste|gaeste|leute|freunde",
    children: "kind(?:er|ern|es)?|baby|babys|kleinkind(?:er|ern)?|sohn|tochter",
    forParty: "fur|fuer",
    ofUs: "\\bwir sind (#)\\b|\\bwir sind zu (zweit|dritt|viert)|\\bzu (zweit|dritt|viert|funft)\\b",
    couple:
      /\b(?:paar|parchen|meine (?:frau|freundin|partnerin) und (?:ich|mich)|mein(?:en)? (?:mann|freund|partner) und (?:ich|mich)|wir beiden?|uns beide)\b/,
    alone:
      /\b(?:allein|alleine|alleinreisend\w*|nur (?:ich|fur mich|fuer mich)|fur mich|fuer mich)\b/,
    family: /\bfamilie\b/,
    ages: [
      "(\\d{1,2})[- ]?jahrig\\w*",
      "(\\d{1,2})[- ]?jaehrig\\w*",
      "(\\d{1,2}) jahren?\\b",
      "\\bvon (\\d{1,2})\\b(?!\\.)",
      "\\(\\s*(\\d{1,2})(?: jahre?)?\\s*\\)",
      "\\balter von (\\d{1,2})\\b",
    ],
    including: /davon|darunter|einschliesslich|inklusive/,
  },
  topics: {
    checkin:
      /check[- ]?in\b|eincheck|einzucheck|(?:wann|um wie viel uhr|ab wann|wie fruh).{0,40}(?:anreis|ankomm|ins zimmer|auf(?:s| das) zimmer|zimmer (?:beziehen|bezugs)|kommen)|anreise(?:zeit| ab)|wann .{0,20}zimmer.{0,20}(?:fertig|bezugsfertig)/,
    early_checkin:
      /fruh\w* (?:check|eincheck|einzucheck|anreis|ankomm|kommen|aufs zimmer|ins zimmer)|early check|(?:vor|schon um|bereits um|schon ab) \d{1,2}(?:[:.]\d\d)? ?(?:uhr)?.{0,25}(?:eincheck|check|anreis|kommen|zimmer)|eher (?:eincheck|kommen|ins zimmer)/,
    checkout:
      /check[- ]?out|auscheck|auszucheck|(?:wann|bis wann|um wie viel uhr|wie spat|wie lange).{0,40}(?:abreis|verlassen|raumen|raus)|abreisezeit|abreise bis/,
    late_checkout:
      /spat\w* (?:check-?out|auscheck|auszucheck|abreis)|late check|(?:langer|laenger|spater) (?:bleiben|im zimmer|auscheck|abreis)|zimmer .{0,15}langer/,
    reception:
      /spatanreise|spaetanreise|spat (?:ankommen|anreisen|anzukommen|abends)|spaete? anreise|mitternacht|rezeption|24[- ]?stunden|rund um die uhr|empfang\b|nachtportier/,
    luggage: /gepack|gepaeck|koffer|taschen/,
    address:
      /adresse|anschrift|\bwo (?:ist|liegt|befindet|genau|finde)|\blage\b|wie komm(?:e|en)|anfahrt|welche[rmsn]? (?:strasse|strase|stadt|stadtteil|viertel|bezirk)|in welcher (?:gegend|strase|strasse|stadt)|stadtteil|postleitzahl|plz/,
    distance:
      /wie weit|entfern|in der nahe|in der naehe|nachste[rn]? (?:u-?bahn|station|haltestelle|flughafen|strand|supermarkt|bahnhof)|flughafen|bahnhof|u-?bahn|s-?bahn|metro|\bstrand|haltestelle|stadtzentrum|innenstadt|zu fus|sehenswurdig/,
    phone: /telefon|anruf|rufnummer|kontakt|erreiche? ich|handynummer/,
    email: /e-?mail|mailadresse/,
    timezone: /zeitzone|ortszeit/,
    about:
      /(?:erzahl|erzaehl|beschreib)\w*.{0,25}(?:hotel|haus|unterkunft)|was fur ein hotel|was fuer ein hotel|uber das hotel|ueber das hotel|uberblick/,
    stars: /\bsterne?n?\b|hotelkategorie|klassifizierung/,
    rooms:
      /welche (?:\w+ ){0,2}zimmer|was fur zimmer|was fuer zimmer|zimmer(?:typen|arten|kategorien|auswahl)|arten von zimmern|gibt es (?:auch )?(?:eine |ein )?(?:suiten?|familienzimmer|einzelzimmer|doppelzimmer|zweibettzimmer)\b(?!.{0,30}(?:frei|verfugbar))|haben sie (?:eine |ein )?(?:suiten?|familienzimmer|einzelzimmer|doppelzimmer|zweibettzimmer)\b(?!.{0,30}(?:frei|verfugbar))/,
    beds: /\bbett(?:en)?\b|doppelbett|einzelbett|bettgrose|bettgroesse|welches bett/,
    size: /wie gros|groesse|\bgrose?\b|quadratmeter|\bqm\b|\bm2\b|\bm²|groste zimmer|groesste|wie geraumig/,
    occupancy:
      /wie viele? (?:personen|leute|gaste|gaeste|menschen)|maximale? (?:belegung|personen|anzahl)|hochstens.{0,15}personen|(?:passen|schlafen|ubernachten) .{0,20}(?:zimmer|personen)|platz fur|platz fuer/,
    room_count: /wie ?viele (?:\w+ )?zimmer|anzahl der zimmer|zimmeranzahl|wie gros ist das hotel/,
    extra_bed: /zustellbett|zusatzbett|extrabett|aufbettung|beistellbett/,
    smoking: /rauch/,
    pets: /haustier|\bhunde?n?\b|\bkatzen?\b|\btiere?\b|vierbeiner|\bhund\b/,
    children:
      /kinder(?:regel|preis|ermasigung|ermassigung|politik|richtlinie|freundlich|rabatt)|(?:kind|kinder|baby|babys|kleinkind\w*)\b.{0,30}(?:willkommen|erlaubt|kostenlos|gratis|zahlen|kosten|umsonst|frei|mitbringen)|(?:kostenlos|gratis|umsonst) .{0,20}kind|(?:regel|bedingung|richtlinie)\w* .{0,15}kind|familienfreundlich|fur (?:kinder|familien) geeignet|fuer (?:kinder|familien) geeignet/,
    minimum_age: /mindestalter|wie alt (?:muss|mus)|altersgrenze|nur fur erwachsene|adults only/,
    meals:
      /fr(?:u|ue)hst(?:u|ue)ck|halbpension|vollpension|all[- ]inclusive|verpflegung|mahlzeit|abendessen|mittagessen|ohne verpflegung/,
    meal_price:
      /(?:wie ?viel|was kostet|preis|aufpreis|extra|kosten).{0,25}(?:fr(?:u|ue)hst(?:u|ue)ck|abendessen)|fr(?:u|ue)hst(?:u|ue)ck(?:spreis|szeit|szeiten|sbuffet)|(?:wann|bis wann|um wie viel uhr|von wann).{0,25}(?:fr(?:u|ue)hst(?:u|ue)ck|abendessen)/,
    amenities:
      /ausstattung|einrichtungen|annehmlichkeiten|was (?:bietet|hat) (?:das|ihr) hotel|was (?:ist|gibt es) (?:im|in den) zimmern?|welche (?:leistungen|services)|was bieten sie/,
    cancellation:
      /storn|ruckerstatt|rueckerstatt|erstatt|geld zuruck|geld zurueck|absag|nichtanreise|no-?show/,
    taxes: /steuer|\bmwst|kurtaxe|ortstaxe|\bgebuhr|\bgebuehr|city ?tax|abgabe/,
    currency: /wahrung|waehrung|in (?:euro|dollar|pfund|yen|franken)\b/,
    payment:
      /\b(?:be)?zahl(?:en|ung|t|bar)?\b|zahlungs|kreditkarte|ec-?karte|\bkarte\b|\bbar\b(?= (?:zahl|bezahl))|bargeld|\bvisa\b|mastercard|anzahlung|kaution|rechnung|vorauszahl|paypal|apple pay/,
    discount:
      /rabatt|ermasig|ermassig|gutschein|aktionscode|nachlass|nachlas|sonderangebot|treuepunkte/,
    price:
      /\bpreis|kostet|\bkosten\b|wie ?viel\b|\btarife?\b|billig|gunstig|guenstig|teuer|gesamt|insgesamt|angebot/,
    availability:
      /verfugbar|verfuegbar|\bfreie?[sn]?\b(?=.{0,20}(?:zimmer|$|\?|am|vom|fur|fuer|nachste))|zimmer .{0,60}\bfrei\b|noch (?:was|etwas|ein zimmer|zimmer|platz)|ausgebucht|(?:brauche|suche|mochte|moechte|hatte gerne?|haette gerne?) .{0,20}zimmer|gibt es .{0,30}zimmer (?:fur|fuer|vom|am|nachste)|haben sie .{0,25}zimmer (?:fur|fuer|vom|am|frei|nachste)/,
    booking:
      /wie (?:kann ich|buche ich|konnen wir|buchen wir|kann man|reserviere ich).{0,30}|kann ich .{0,30}(?:buchen|reservieren)|mochte .{0,30}(?:buchen|reservieren)|moechte .{0,30}(?:buchen|reservieren)|wo (?:kann ich|buche ich)|wie .{0,15}(?:buche|reserviere)/,
    own_booking:
      /(?:meine|unsere)[rn]? (?:buchung|reservierung)|buchung (?:andern|aendern|umbuchen|verschieben)|umbuch|buchungsnummer|bestatigungs(?:code|nummer|mail)|habe (?:bereits |schon )?gebucht/,
    identity:
      /(?:bist du|sind sie) (?:ein )?(?:bot|mensch|roboter|ki|computer|echt)|wer (?:bist du|sind sie)|was (?:kannst du|konnen sie|koennen sie)|mit wem (?:spreche|rede|schreibe)/,
  },
  rooms: {
    single: /einzelzimmer|einbettzimmer/,
    double: /doppelzimmer/,
    twin: /zweibettzimmer|twin/,
    superior: /superior/,
    family: /familienzimmer/,
    suite: /suiten?\b/,
  },
  withBreakfast: /(?:mit|inkl\w*\.?) fr(?:u|ue)hst(?:u|ue)ck|fr(?:u|ue)hst(?:u|ue)ck inklusive/,
  refundable: /kostenlos\w* stornier|stornierbar|flexibel|flexible[rn]?|erstattbar/,
  cost: /wie ?viel|kostet|kosten|preis|gebuhr|gebuehr|kostenlos|gratis|umsonst|extra|inklusive|aufpreis|frei\b/,
  greeting: /^\W*(?:hallo|guten (?:tag|morgen|abend)|hi|servus|gruezi|gruss gott|moin)\b/,
  thanks: /\bdanke|vielen dank|tschuss|auf wiedersehen/,
};
