/**
 * Amenities: the words for them in all six languages, and the codes under which hotels list them.
 * Includes amenities no hotel lists, so that answers can say so.
 */

export interface AmenityWords {
  readonly codes: readonly string[];
  /** Matched against folded text. */
  readonly words: RegExp;
}

function amenity(codes: string, words: RegExp): AmenityWords {
  return { codes: codes.split(" "), words };
}

/** In the order of answers. */
export const AMENITIES: readonly AmenityWords[] = [
  amenity("wifi free_wifi wlan internet", /\bwi-?fi\b|\bwlan\b|\binternet\b|\bwireless\b/),
  amenity(
    "parking free_parking car_park garage valet_parking",
    /\bpark(?:ing|platz\w*|platze|en|haus|e)?\b(?! hotel)|\bgarage\b|\btiefgarage\b|\baparcamiento|\bestacion(?:amiento|ar|amento)\b|\baparcar\b|\bstationn\w+|\bparcheggi\w*|\bgarer\b|\bcar park\b|\bgaraje\b|\bgaragem\b|\bstellplatz\w*/,
  ),
  amenity(
    "pool swimming_pool indoor_pool outdoor_pool",
    /\b(?:swimming |indoor |outdoor |heated )?pools?\b|\bschwimm\w+|\bhallenbad|\bpiscin[ae]s?\b|\balberca\b|\bschwimmbecken\b/,
  ),
  amenity("spa wellness", /\bspa\b|\bwellness\w*|\bcentro benessere\b|\bbalneario\b/),
  amenity("sauna", /\bsaunas?\b/),
  amenity(
    "hot_tub jacuzzi whirlpool",
    /\bhot tub\b|\bjacuzzi\b|\bwhirlpool\b|\bidromassaggio\b|\bhidromasa?j?\w*|\bhidromassagem\b|\bbain a remous\b/,
  ),
  amenity(
    "fitness_center gym fitness",
    /\bgym\b|\bfitness\w*|\bgimnasio\b|\bsalle de (?:sport|gym|fitness|musculation)\b|\bpalestra\b|\bginasio\b|\bacademia\b|\bsportraum\b|\bworkout\b|\bkraftraum\b/,
  ),
  amenity("restaurant", /\brestaurants?\b|\brestaurantes?\b|\bristorant[ei]\b/),
  amenity("bar", /\b(?:hotel|lobby|cocktail)?-?bar(?:es)?\b(?! (?:zahl|bezahl))/),
  amenity(
    "room_service",
    /\broom[- ]service\b|\bzimmerservice\b|\bservicio de habitaci\w+|\bservice (?:en chambre|d'etage|de chambre)\b|\bservizio in camera\b|\bservico de quartos?\b|\betagenservice\b/,
  ),
  amenity(
    "air_conditioning",
    /\bair[- ]?con\w*|\ba\/?c\b|\bklimaanlage\w*|\bklimatisier\w*|\baire acondicionado\b|\bclimati\w+|\baria condizionata\b|\bar[- ]condicionado\b|\bclima\b|\bclimatizad\w+/,
  ),
  amenity(
    "heating",
    /\bheating\b|\bheizung\b|\bcalefaccion\b|\bchauffage\b|\briscaldamento\b|\baquecimento\b/,
  ),
  amenity(
    "wheelchair_accessible accessible accessibility",
    /\bwheelchairs?\b|\baccessib\w+|\baccesib\w+|\bacessi\w+|\bdisab\w+|\bbarrierefrei\w*|\brollstuhl\w*|\bsilla de ruedas\b|\bfauteuil roulant\b|\bmobilite reduite\b|\bsedia a rotelle\b|\bcadeiras? de rodas\b|\bmovilidad reducida\b|\bbehindertengerecht\b|\bhandicap\w*|\bmobilidade reduzida\b/,
  ),
  amenity(
    "elevator lift",
    /\belevator\b|\blift\b|\baufzug\b|\bfahrstuhl\b|\bascensor(?:es)?\b|\bascenseur\b|\bascensore\b|\belevador\b/,
  ),
  amenity(
    "business_center meeting_rooms conference",
    /\bbusiness[- ]?cent(?:er|re)\b|\bmeeting rooms?\b|\bconference\b|\bkonferenz\w*|\btagungs\w*|\bcentro de negocios\b|\bsalas? de (?:reuniones|conferencias|reunioes)\b|\bcentre d'affaires\b|\bsalles? de (?:reunion|conference)\b|\bsal[ae] (?:riunioni|conferenze)\b|\bbusinesscenter\b/,
  ),
  amenity(
    "laundry_service laundry",
    /\blaundry\b|\bwash(?:ing)? (?:machine|clothes|our clothes)\b|\bdry clean\w*|\bwasch(?:e|service|maschine|salon)\w*|\bwaesche\w*|\breinigung\b|\blavanderia\b|\bblanchisserie\b|\blaverie\b|\bpressing\b|\blavandaria\b|\blavar (?:la )?ropa\b/,
  ),
  amenity(
    "airport_shuttle shuttle airport_transfer",
    /\bshuttle\w*|\bairport (?:transfer|pick-?up)\b|\bflughafen(?:transfer|shuttle)\b|\babholservice\b|\btraslado\w*|\bnavette\b|\bnavetta\b|\btransfers?\b/,
  ),
  amenity(
    "ev_charging electric_vehicle_charging",
    /\bev\b|\belectric (?:car|vehicle)s?\b|\bcharging (?:station|point)s?\b|\belektroauto\w*|\bladestation\w*|\be-?auto\w*|\bcoche electrico\b|\bpunto de recarga\b|\bborne(?:s)? de recharge\b|\bvoiture electrique\b|\bauto elettric\w+|\bcolonnin\w+|\bcarro eletrico\b|\bcarregamento (?:de )?(?:carros?|veiculos?|eletric\w*)/,
  ),
  amenity(
    "bicycle_rental bike_rental bikes",
    /\bbikes?\b|\bbicycles?\b|\bfahrr\w+|\bbicicletas?\b|\bvelos?\b|\bbiciclett\w+|\bbici\b/,
  ),
  amenity(
    "kids_club playground childcare babysitting",
    /\bkids'? ?club\b|\bplayground\b|\bbaby-?sit\w*|\bchild ?care\b|\bkinderbetreuung\b|\bspielplatz\b|\bkinderclub\b|\bminiclub\b|\bclub infantil\b|\bzona infantil\b|\bniner[ao]\b|\bgarde d'enfants\b|\baire de jeux\b|\bclub enfants\b|\bparco giochi\b|\bbabysitter\b|\bparque infantil\b/,
  ),
  amenity(
    "garden terrace rooftop_terrace sun_terrace",
    /\bgardens?\b|\bterrace\b|\brooftop\b|\bgarten\b|\bterrasse\b|\bdachterrasse\b|\bjardin\b|\bterraza\b|\bazotea\b|\bgiardino\b|\bterrazza\b|\bjardim\b|\bterraco\b/,
  ),
  amenity("balcony", /\bbalcon\w*|\bbalkon\w*|\bvaranda\b|\bsacada\b/),
  amenity(
    "kitchen kitchenette",
    /\bkitchen(?:ette)?\b|\bkuche\b|\bkueche\b|\bkochnische\b|\bcocina\b|\bcuisine\b|\bkitchenette\b|\bcucina\b|\bcozinha\b/,
  ),
  amenity(
    "sea_view view city_view",
    /\b(?:sea|ocean|city|mountain) views?\b|\bmeerblick\b|\baussicht\b|\bvistas?\b(?! de)|\bvue (?:sur|mer)\b|\bvista mar\w*/,
  ),
  amenity("concierge", /\bconcierge\b|\bconserje\b|\bportier\w*\b/),
  amenity(
    "kettle tea_maker",
    /\bkettles?\b|\bwasserkocher\b|\bhervidor\b|\bbouilloire\b|\bbollitore\b|\bchaleira\b|\btea[- ]making\b/,
  ),
  amenity(
    "coffee_machine coffee_maker",
    /\bcoffee (?:machine|maker)s?\b|\bkaffeemaschine\w*|\bcafetera\b|\bmachine a cafe\b|\bcafetiere\b|\bmacchina (?:da|del|per il) caffe\b|\bmaquina de cafe\b|\bcafeteira\b/,
  ),
  amenity("minibar mini_bar", /\bmini-?\s?bars?\b|\bfrigobar\b/),
  amenity(
    "fridge refrigerator",
    /\bfridge\b|\brefrigerator\b|\bkuhlschrank\b|\bkuehlschrank\b|\bnevera\b|\bfrigorifico\b|\brefrigerateur\b|\bfrigo\b|\bgeladeira\b/,
  ),
  amenity(
    "microwave",
    /\bmicrowaves?\b|\bmikrowelle\b|\bmicroondas\b|\bmicro-?ondes?\b|\bmicroonde\b|\bmicro-ondas\b/,
  ),
  amenity(
    "safe",
    /\b(?:room )?safe\b(?! (?:area|neighb|to|at|for))|\btresor\b|\bcaja fuerte\b|\bcoffre-?fort\b|\bcassaforte\b|\bcofre\b|\bzimmersafe\b/,
  ),
  amenity("tv television", /\btvs?\b|\btelevi\w+|\bfernseh\w*|\btele\b/),
  amenity(
    "hair_dryer hairdryer",
    /\bhair ?-?dryers?\b|\bfohn\b|\bfoen\b|\bhaartrockner\b|\bsecador\b|\bseche-?cheveux\b|\basciugacapelli\b|\bphon\b/,
  ),
  amenity(
    "iron ironing",
    /\biron(?:ing)?\b|\bbugeleisen\b|\bbuegeleisen\b|\bplancha\b|\bfer a repasser\b|\bferro da stiro\b|\bferro de (?:passar|engomar)\b/,
  ),
  amenity(
    "bathtub bath",
    /\bbath ?-?tubs?\b|\bbadewanne\w*|\bbanera\b|\bbaignoire\w*|\bvasca\b|\bbanheira\w*|\ba bath\b/,
  ),
  amenity(
    "shower",
    /\bshower\b|\bdusche\w*|\bducha\b|\bdouche\b|\bdoccia\b|\bchuveiro\b|\bduche\b/,
  ),
  amenity(
    "cot crib baby_bed",
    /\bcots?\b|\bcribs?\b|\bbaby ?-?beds?\b|\bkinderbett\w*|\bbabybett\w*|\bgitterbett\b|\bcunas?\b|\blits? (?:bebe|parapluie|pour bebe)\b|\bculla\b|\blettino\b|\bbercos?\b/,
  ),
  amenity("casino", /\bcasinos?\b|\bkasino\b/),
  amenity("tennis golf", /\btennis\w*|\bgolf\w*|\btenis\b/),
  amenity(
    "beach_access private_beach",
    /\bprivate beach\b|\bprivatstrand\b|\bplaya privada\b|\bplage privee\b|\bspiaggia privata\b|\bpraia privativa\b/,
  ),
  amenity("helipad", /\bhelipads?\b|\bhelipuerto\b|\bhubschrauber\w*|\bheliport\b|\beliporto\b/),
];
