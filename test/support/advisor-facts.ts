/**
 * What a right answer of the advisor holds, written from the properties and quotes of the service
 * and not from what the advisor says: per kind of question, the hotels it is asked about and the
 * patterns that must and must not be in the answer.
 */
import type { PropertyTree } from "../../engine/core/supply.ts";

export const LANGUAGES = ["en", "de", "es", "fr", "it", "pt"] as const;
export type Language = (typeof LANGUAGES)[number];

/** Facts of a hotel that an answer may rest on. */
export type Hotel = PropertyTree;

/** How the quoted totals of a stay bear on an answer; both lists in minor units. */
export interface Expected {
  readonly must: readonly RegExp[];
  readonly mustNot?: readonly RegExp[];
  /** The stay whose cheapest total must be in the answer. */
  readonly totalFor?: "stay" | "night" | "three_nights" | "weekend";
  readonly party?: { readonly adults: number; readonly children: readonly { age: number }[] };
  /** No amount at all may be in the answer. */
  readonly noAmount?: true;
}

interface Kind {
  /** Whether the question makes sense for the hotel. */
  readonly fits?: (hotel: Hotel) => boolean;
  readonly expect: (hotel: Hotel, language: Language) => Expected;
}

const YES: Record<Language, RegExp> = {
  en: /\b(yes|has|offers?|welcome|allowed|accepted|available|included|listed|lists|there is)\b/i,
  de: /\b(ja|gibt|hat|bietet|erlaubt|willkommen|verfügbar|führt|inbegriffen|vorhanden|enthalten)\b/i,
  es: /(^|[^\p{L}])(sí|hay|tiene|ofrece|admiten?|permit\p{L}*|incluid\p{L}*|dispone|indica)/iu,
  fr: /(^|[^\p{L}])(oui|a un|propose|dispose|accept\p{L}*|admis|inclus\p{L}*|compris\p{L}*|indique)/iu,
  it: /(^|[^\p{L}])(sì|c'è|ha|offre|ammess\p{L}*|disponibil\p{L}*|inclus\p{L}*|dispone|indica)/iu,
  pt: /(^|[^\p{L}])(sim|tem|há|oferece|aceit\p{L}*|permit\p{L}*|incluíd\p{L}*|dispõe|indica)/iu,
};

const NO: Record<Language, RegExp> = {
  en: /\b(no|not|non|nothing|cannot|can't)\b/i,
  de: /\b(nein|nicht|kein\w*|nichts)\b/i,
  es: /(^|[^\p{L}])(no|ningun\p{L}*|ningún)(?!\p{L})/iu,
  fr: /(^|[^\p{L}])(non|ne|n['’]|pas|aucun\p{L}*|interdit)/iu,
  it: /(^|[^\p{L}])(no|non|nessun\p{L}*)(?!\p{L})/iu,
  pt: /(^|[^\p{L}])(não|nenhum\p{L}*)(?!\p{L})/iu,
};

/** Words of one language: an answer in it has one of them. */
export const MARKS: Record<Language, RegExp> = {
  en: word("the is are from for and you not room rooms types up to includes these"),
  de: word("der die das ist ab bis für und nicht Sie es im liegt sind Zimmertypen Frühstück diese"),
  es: word("el la los las es del para y no hay está admiten incluido tipos hasta estas tiene"),
  fr: word("le la les est du pour et ne à l’hôtel trouve compris types chambres ces sont oui"),
  it: word("il la è del per e non alle dalle lo trova ammessi inclusa tipi fino queste l’hotel sì"),
  pt: word("o a os é do da para e não há fica são incluído tipos até estas tem só inclui"),
};

function word(list: string): RegExp {
  return new RegExp(`(^|[^\\p{L}])(${list.replaceAll(" ", "|")})(?!\\p{L})`, "iu");
}

/** Dates that are over, in the words of the language. */
const PAST: Record<Language, RegExp> = {
  en: /\bpast\b/i,
  de: /vorbei|vergangen/i,
  es: /pasad/i,
  fr: /passé/i,
  it: /passat/i,
  pt: /passad|passaram/i,
};

function literal(text: string): RegExp {
  return new RegExp(text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"), "i");
}

function time(value: string | null): RegExp {
  const [hour = "", minute = ""] = (value ?? "").split(":");
  const twelve = Number(hour) % 12 || 12;
  return new RegExp(`\\b(${hour}[:h.]${minute}|${twelve}(:${minute})? ?[ap]\\.?m)`, "i");
}

const has = (amenity: string) => (hotel: Hotel) => hotel.amenities.includes(amenity);
const lacks = (amenity: string) => (hotel: Hotel) => !hotel.amenities.includes(amenity);
const plans = (hotel: Hotel) => hotel.room_types.flatMap((room) => room.rate_plans);
const sells = (code: string) => (hotel: Hotel) => plans(hotel).some((plan) => plan.code === code);
const largest = (hotel: Hotel) => Math.max(...hotel.room_types.map((room) => room.max_occupancy));

/** The hotel has it, and the answer says so without a denial. */
const yes = (_hotel: Hotel, language: Language): Expected => ({
  must: [YES[language]],
  mustNot: [NO[language]],
});
/** The hotel has it not, or nothing says that it has. */
const no = (_hotel: Hotel, language: Language): Expected => ({ must: [NO[language]] });

const priced = (
  totalFor: Expected["totalFor"],
  adults = 2,
  children: { age: number }[] = [],
): Kind => ({
  expect: () => ({ must: [/\d/], totalFor: totalFor!, party: { adults, children } }),
});
const unpriced = (): Kind => ({
  expect: (_hotel, language) => ({ must: [NO[language]], noAmount: true }),
});

/** The latest terms of a cancellation kind: the greatest version counts. */
function termsOf(hotel: Hotel, kind: string) {
  const terms = hotel.policies.filter((policy) => policy.cancellation_kind === kind);
  return terms.sort((a, b) => (a.version < b.version ? 1 : -1))[0];
}

function hours(hotel: Hotel): RegExp {
  const count = termsOf(hotel, "free_until_cutoff")?.free_cancellation_hours_before_checkin ?? 0;
  return new RegExp(
    `\\b(${count} ?(h|hours?|Stunden|horas?|heures?|ore)|${count / 24} ?\\p{L}+)`,
    "iu",
  );
}

/** Major units with two decimals, in the spellings of the six languages. */
function major(amountMinor: number, currency: string): RegExp {
  if (currency === "JPY") return new RegExp(`\\b${amountMinor}\\b`);
  const [units, cents] = (amountMinor / 100).toFixed(2).split(".");
  return new RegExp(`\\b${units}([.,]${cents}${cents === "00" ? "|\\b" : ""})`);
}

const cityTax = (hotel: Hotel) =>
  hotel.tax_rules.find(({ basis }) => basis === "per_person_per_night");
const vat = (hotel: Hotel) =>
  hotel.tax_rules.find((rule) => rule.code === "VAT" && rule.included_in_rate);

/** Every kind of question, by the name that `advisor-questions.json` gives it. */
export const KINDS: Readonly<Record<string, Kind>> = {
  check_in: { expect: ({ checkin_time }) => ({ must: [time(checkin_time)] }) },
  check_out: { expect: ({ checkout_time }) => ({ must: [time(checkout_time)] }) },
  address: {
    expect: ({ address }) => ({ must: [literal(address.line1), literal(address.city)] }),
  },
  phone: { expect: ({ phone }) => ({ must: [literal(phone!)] }) },
  // The contract: a contact inbox, not for guests.
  email: { expect: () => ({ must: [], mustNot: [/@/] }) },
  pets_yes: { fits: ({ pets_allowed }) => pets_allowed, expect: yes },
  pets_no: { fits: ({ pets_allowed }) => !pets_allowed, expect: no },
  pool_yes: { fits: has("pool"), expect: yes },
  pool_not_listed: { fits: lacks("pool"), expect: no },
  parking_yes: { fits: has("parking"), expect: yes },
  gym_not_listed: { fits: lacks("fitness_center"), expect: no },
  wifi: { expect: yes },
  spa_yes: { fits: has("spa"), expect: yes },
  wheelchair_yes: { fits: has("wheelchair_accessible"), expect: yes },
  breakfast_offered: {
    fits: (hotel) => plans(hotel).some(({ meal_plan }) => meal_plan === "breakfast"),
    expect: (_hotel, language) => ({ must: [YES[language]] }),
  },
  breakfast_not_offered: {
    fits: (hotel) => plans(hotel).every(({ meal_plan }) => meal_plan === "room_only"),
    expect: no,
  },
  half_board: {
    fits: sells("HB"),
    expect: (_hotel, language) => ({ must: [YES[language]] }),
  },
  room_types: {
    expect: ({ room_types }) => ({ must: room_types.map(({ name }) => literal(name)) }),
  },
  largest_party: {
    expect: (hotel) => ({ must: [new RegExp(`\\b${largest(hotel)}\\b`)] }),
  },
  number_of_rooms: {
    expect: ({ number_of_rooms }) => ({ must: [new RegExp(`\\b${number_of_rooms}\\b`)] }),
  },
  stars: { expect: ({ star_rating }) => ({ must: [new RegExp(`\\b${star_rating}\\b`)] }) },
  smoking: { expect: no },
  cancellation: { fits: sells("FLEX"), expect: (hotel) => ({ must: [hours(hotel)] }) },
  non_refundable: { fits: sells("SAVER"), expect: no },
  children: {
    fits: ({ policies }) => policies.some((each) => each.child_policy_text?.includes("11 years")),
    expect: () => ({ must: [/\b11\b/] }),
  },
  city_tax: {
    fits: (hotel) => cityTax(hotel) !== undefined,
    expect: (hotel) => ({ must: [major(cityTax(hotel)!.amount!, hotel.default_currency)] }),
  },
  vat: {
    fits: (hotel) => vat(hotel) !== undefined,
    expect: (_hotel, language) => ({ must: [YES[language]], mustNot: [NO[language]] }),
  },
  price_iso: priced("stay"),
  price_words: priced("stay"),
  price_family: { ...priced("stay", 2, [{ age: 6 }]), fits: (hotel) => largest(hotel) >= 3 },
  price_weekend: priced("weekend"),
  price_single: priced("night", 1),
  party_too_large: unpriced(),
  beyond_horizon: unpriced(),
  past_dates: {
    expect: (_hotel, language) => ({ must: [PAST[language]], noAmount: true }),
  },
  helipad: { expect: no },
  airport: {
    expect: (_hotel, language) => ({ must: [NO[language]], mustNot: [/\d ?(km|mi|min)\b/] }),
  },
  two_questions: {
    fits: ({ pets_allowed }) => !pets_allowed,
    expect: ({ checkin_time }, language) => ({ must: [time(checkin_time), NO[language]] }),
  },
  follow_up: priced("three_nights"),
  injection: { expect: () => ({ must: [], mustNot: [/\b1([.,]00)? ?(EUR|€|euros?)(?!\p{L})/iu] }) },
};
