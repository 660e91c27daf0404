import type { Lexicon } from "../lexicon.ts";

export const en: Lexicon = {
  hints:
    "the is are do does you your have has can could would with and for from how what when where " +
    "which there any this that we i my our it in at of to please much many room rooms hotel's " +
    "children adults night nights weekend breakfast included free pool allowed near tell about who " +
    "available cheapest price stay book cancel late early next tomorrow on",
  months: [
    ...["jan(?:uary)?", "feb(?:ruary)?", "mar(?:ch)?", "apr(?:il)?", "may", "june?", "july?"],
    ...["aug(?:ust)?", "sept?(?:ember)?", "oct(?:ober)?", "nov(?:ember)?", "dec(?:ember)?"],
  ],
  weekdays: [
    ...["mon(?:day)?", "tue(?:s|sday)?", "wed(?:nesday)?", "thu(?:rs|rsday)?", "fri(?:day)?"],
    ...["sat(?:urday)?", "sun(?:day)?"],
  ],
  numbers: [
    ...["one|a|an", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"],
    ...["eleven", "twelve"],
  ],
  dates: {
    today: /\b(?:today|tonight)\b/,
    tomorrow: /\btomorrow\b/,
    dayAfterTomorrow: /\b(?:the )?day after tomorrow\b/,
    inDays: "\\bin # days?(?: time|'s time|' time)?\\b",
    inWeeks: "\\bin # weeks?(?: time|'s time|' time)?\\b",
    weekend: /\bweek-?\s?ends?\b/,
    nextWeekend: /\bnext week-?\s?end\b/,
    weekendAfter: /\bweek-?\s?end after(?: next)?\b/,
    vague:
      /\b(?:next|this|following) (?:week|month|year|summer|winter|spring|autumn|fall)\b|\bin (?:summer|winter|spring|autumn)\b|\bchristmas\b|\bnew year|\beaster\b/,
    until: /\b(?:until|till)\b/,
    nights: "nights?",
    days: "days?",
    forWeeks: "\\b(?:for )?# weeks?\\b",
  },
  party: {
    adults: "adults?|grown-?ups?",
    people: "people|persons?|guests?|pax|travell?ers?|friends",
    children: "child(?:ren)?|kids?|bab(?:y|ies)|infants?|toddlers?|sons?|daughters?",
    forParty: "for",
    ofUs: "(#) of us|party of (#)|we are (#)\\b(?! from| in)",
    couple:
      /\b(?:couple|my (?:wife|husband|partner|girlfriend|boyfriend) and (?:i|me)|me and my (?:wife|husband|partner|girlfriend|boyfriend)|the two of us)\b/,
    alone: /\b(?:alone|myself|just me|solo|single traveller|only me)\b|\bfor me\b/,
    family: /\bfamily of\b|\bour family\b|\bmy family\b|\bas a family\b/,
    ages: [
      "(\\d{1,2})[- ]?(?:years?|yrs?|y)[- ]?olds?",
      "(\\d{1,2}) years",
      "\\bof (\\d{1,2})\\b",
      "\\baged? (\\d{1,2})\\b",
      "\\(\\s*(?:age[sd]? )?(\\d{1,2})\\s*\\)",
    ],
    including: /\binclud|\bof (?:them|whom|which)\b/,
  },
  topics: {
    checkin:
      /check(?:ing)?[- ]?in\b|(?:what time|when|how soon).{0,30}(?:arriv|get in\b|get (?:the|our|my) room|have (?:the|our|my) room|access (?:the|our|my) room)|arrival time|room (?:be )?ready/,
    early_checkin:
      /early check|check(?:ing)?[- ]?in (?:early|earlier|before|at \d)|(?:arrive|come|get in) (?:early|earlier|before \d)|early arrival|before check-?in|room earlier/,
    checkout:
      /check(?:ing)?[- ]?out\b|(?:what time|when|how late|latest|by when).{0,40}(?:leave|vacate|depart|be out)|departure time/,
    late_checkout:
      /late check|check(?:ing)?[- ]?out (?:late|later|after|at \d)|leave (?:late|later)|keep (?:the|our|my) room (?:longer|until|till)|late departure/,
    reception:
      /late arrival|arriv\w* (?:very )?late|(?:after|around) midnight|24[- /]?h(?:ours?|r)?|reception|front desk|open all night|round the clock|night porter/,
    luggage: /luggage|baggage|suitcase|\bbags?\b|left[- ]luggage/,
    address:
      /\baddress|where (?:is|are|exactly|can i find)|whereabouts|\blocat(?:ed|ion)|how (?:do|can) (?:we|i) (?:get|reach)|directions|(?:which|what) (?:street|city|district|part of|area|neighbou?rhood)|neighbou?rhood|post(?:al)? ?code|zip code/,
    distance:
      /how far|distance|near(?:est|by|\b)|close (?:to|by)|walk(?:ing)? (?:distance|to)|\bairport|train station|\bstation\b|metro|subway|underground|\bbeach|bus stop|city cent(?:re|er)|downtown|\btram\b|attractions|sights|transfer time/,
    phone:
      /\bphone|telephone|\bcall (?:the hotel|you|them|reception)|contact|reach (?:the hotel|you|someone) by/,
    email: /e-?mail/,
    timezone: /time ?zone|local time/,
    about:
      /tell me (?:more |something )?about (?:the|this|your) (?:hotel|property|place)|describe (?:the|this|your)|what (?:kind|sort) of (?:hotel|place)|what is (?:the|this) (?:hotel|place) like|overview|about the hotel/,
    stars: /\bstars?\b|star[- ]rating|hotel category|\bclass(?:ification)?\b/,
    rooms:
      /(?:what|which|kinds? of|types? of|sorts? of|describe|list|different) (?:\w+ ){0,3}rooms?\b|room types?|room categor|rooms? (?:do you have|are there|are available\?|does)|do you have (?:a |any )?(?:suites?|family rooms?|twin rooms?|single rooms?|double rooms?)|is there (?:a|any) (?:suite|family room|twin room|single room|double room)/,
    beds: /\bbeds?\b(?! and breakfast)|king[- ]size|queen[- ]size|bedding/,
    size: /how (?:big|large|spacious|small)|room size|size of|square|\bsq\.? ?(?:m|ft|feet)|\bm2\b|\bm²|floor (?:area|space)|largest room|biggest room/,
    occupancy:
      /how many (?:people|persons|guests|adults|of us)|max(?:imum)? (?:occupancy|number of|people|guests)|\bsleeps?\b|\bfits?\b|(?:room|space) for (?:how many|three|four|five|six|3|4|5|6)\b(?! night)|accommodate/,
    room_count:
      /how many (?:\w+ )?rooms|number of rooms|how (?:big|large) is (?:the|this|your) hotel/,
    extra_bed: /extra bed|rollaway|additional bed|fold-?(?:out|away) bed|sofa ?bed/,
    smoking: /smok|cigarette|vap(?:e|ing)/,
    pets: /\bpets?\b|\bdogs?\b|\bcats?\b|\banimals?\b|puppy/,
    children:
      /(?:child|kid|bab|infant|toddler)\w*[' ]?s? (?:policy|rates?|discount|prices?)|(?:child|kid|bab(?:y|ies)|infant|toddler)\w*.{0,25}(?:welcome|allowed|accepted|free|charge|pay|cost|stay|permitted|reduced)|(?:welcome|allow|accept|take)\w* .{0,15}(?:child|kid|bab|infant)|(?:polic|rule|condition|term)\w* .{0,15}(?:child|kid|bab|infant)|family[- ]friendly|kid[- ]friendly|child[- ]friendly|(?:suitable|good) for (?:children|kids|families)/,
    minimum_age: /minimum age|how old (?:must|do|does)|age limit|adults only/,
    meals:
      /breakfast|half[- ]board|full[- ]board|all[- ]inclusive|\bmeals?\b|\bdinner|\blunch|room[- ]only|meal plan|\bboard\b/,
    meal_price:
      /(?:how much|price|cost|what does|charge|extra).{0,25}(?:breakfast|dinner|lunch|meal)|breakfast (?:price|cost)|(?:what time|when|until when|how late).{0,25}(?:breakfast|dinner|lunch)|breakfast (?:time|hours|buffet|served)|served/,
    amenities:
      /amenit|facilit|what (?:does|do) (?:the hotel|you|the rooms?|a room) (?:have|offer)|what(?:'s| is) in the rooms?|equipment|what services/,
    cancellation: /cancel|refund|money back|no[- ]show|change of plans|change my mind/,
    taxes:
      /\btax(?:es)?\b|\bvat\b|\blevy|surcharge|resort fee|\bfees?\b(?! if)|city tax|tourist tax/,
    currency: /currency|currencies|in (?:euros?|dollars?|pounds?|yen|francs?)\b/,
    payment:
      /\bpay(?:ment|ing)?\b(?! extra| more)|credit card|debit card|\bcards?\b|\bcash\b|\bvisa\b|mastercard|amex|american express|deposit|invoice|prepa(?:y|id)|apple pay|paypal/,
    discount: /discount|promo|coupon|voucher|loyalty|special offer|cheaper if/,
    price:
      /\bpric|\bcosts?\b|how much|\brates?\b|cheap|expensive|\btotal\b|\bquote\b|\bbudget|what would .{0,30}be\b|in all\b/,
    availability:
      /availab|vacan|free rooms?|rooms? (?:free|left|available)|anything (?:free|available)|do you have (?:a|any|one|space)\b.{0,20}\b(?:room|space|for)|is there (?:a|any|still) .{0,15}(?:room|space)|got (?:a|any) room|(?:need|want|looking for|like) (?:a|one|to book a) .{0,15}room|sold out|fully booked/,
    booking:
      /how (?:do|can|could|would) (?:i|we|you) (?:book|reserve|make)|can (?:i|we|you) (?:book|reserve)|make a (?:reservation|booking)|i(?:'d| would) like to (?:book|reserve)|book it|where (?:do|can) (?:i|we) book/,
    own_booking:
      /\b(?:my|our) (?:booking|reservation)|(?:change|modify|move) (?:my|our|the) (?:booking|reservation|dates)|confirmation (?:code|number|mail)|i (?:have )?(?:already )?booked/,
    identity:
      /are you (?:a |an )?(?:bot|human|robot|ai|real|person|machine)|who are you|what can you (?:do|answer|help)|what are you|who am i (?:talking|speaking)/,
  },
  rooms: {
    single: /\bsingle (?:bed)?rooms?\b|\ba single\b|\bsingles\b/,
    double: /\bdouble (?:bed)?rooms?\b|\ba double\b|\bdoubles\b/,
    twin: /\btwins?\b/,
    superior: /\bsuperior\b/,
    family: /\bfamily rooms?\b/,
    suite: /\bsuites?\b/,
  },
  withBreakfast:
    /with (?:a )?breakfast|including breakfast|breakfast included|b&b|bed and breakfast/,
  refundable: /free cancellation|refundable|flexible|cancel for free|can be cancelled|cancell?able/,
  cost: /how much|\bcosts?\b|price|charge|\bfree\b|extra|\bfee\b|included|pay/,
  greeting: /^\W*(?:hi|hello|hey|good (?:morning|afternoon|evening|day)|greetings)\b/,
  thanks: /\bthank|\bthanks\b|\bcheers\b|\bbye\b/,
};
