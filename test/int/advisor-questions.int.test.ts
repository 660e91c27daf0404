/**
 * Goal: the advisor answers 240 questions (40 kinds in six languages) about the demo hotels, at
 * least 95 % right, and never with a wrong amount or date. Method: what a right answer holds is
 * taken from the properties and from quotes of the same service (`test/support/advisor-facts.ts`),
 * not from what the advisor says.
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { dateOf, dayOf, weekdayOf } from "../../engine/core/calendar.ts";
import type { DemoAgent } from "../../src/ops/demo/demo-file.ts";
import {
  type Expected,
  type Hotel,
  KINDS,
  LANGUAGES,
  type Language,
  MARKS,
} from "../support/advisor-facts.ts";
import questions from "../support/advisor-questions.json" with { type: "json" };
import { amountsIn, datesIn } from "../support/said-amounts.ts";
import { Service, WHOLE_DEMO } from "../support/service.ts";

const RIGHT_MIN = 0.95;
/** One agent may send 30 messages a minute. */
const MESSAGES_PER_AGENT = 24;

interface Stay {
  readonly check_in: string;
  readonly check_out: string;
}

interface Priced {
  /** The cheapest total that can be held, in minor units; null when nothing can. */
  readonly cheapest: number | null;
  readonly amounts: ReadonlySet<number>;
  readonly dates: ReadonlySet<string>;
}

/** Members of a quote that bear on an answer. */
interface Quoted {
  readonly price_breakdown: { readonly total: number; readonly room_subtotal: number };
  readonly policy_snapshot: unknown;
  readonly availability: { readonly sellable: number };
}

interface Session {
  readonly session_id: string;
  readonly messages: readonly { readonly message: string; readonly grounded_facts: string[] }[];
}

let service: Service;
let agents: DemoAgent[];
let hotels: Hotel[];
let sent = 0;

beforeAll(async () => {
  service = await Service.start({ ...WHOLE_DEMO, API_PROCESSES: "1" });
  agents = await service.newAgents(Array.from({ length: 12 }, () => ({ name: "Advisor client" })));
  const live = service.demo.properties.filter(({ mode }) => mode === "live");
  hotels = await Promise.all(
    live.map(async ({ id }) => {
      const path = `/v1/admin/properties/${id}`;
      const answer = await service.api("GET", path, { agent: service.demo.admin });
      return answer.ok<Hotel>(200).data;
    }),
  );
});
afterAll(() => service.stop());

const addDays = (date: string, days: number) => dateOf(dayOf(date) + days);
const inDays = (days: number) => addDays(new Date().toISOString().slice(0, 10), days);
/** A stay within one month, in about a month. */
const FROM = [33, 34, 35, 36, 37].map(inDays).find((date) => Number(date.slice(8)) < 26)!;
const STAY: Stay = { check_in: FROM, check_out: addDays(FROM, 2) };
const FAR_STAY: Stay = { check_in: inDays(1_100), check_out: inDays(1_102) };
const PAST_STAY: Stay = { check_in: inDays(-40), check_out: inDays(-38) };

function words(date: string, language: Language): string {
  const format = new Intl.DateTimeFormat(language === "en" ? "en-GB" : language, {
    day: "numeric",
    month: "long",
    timeZone: "UTC",
  });
  return format.format(new Date(date));
}

function asked(text: string, language: Language): string {
  const values: Record<string, string> = {
    ...{ from_iso: STAY.check_in, to_iso: STAY.check_out },
    ...{ from: words(STAY.check_in, language), to: words(STAY.check_out, language) },
    ...{ far_iso: FAR_STAY.check_in, far_end_iso: FAR_STAY.check_out },
    ...{ past_iso: PAST_STAY.check_in, past_end_iso: PAST_STAY.check_out },
  };
  return text.replaceAll(/\{(\w+)\}/g, (_, name: string) => values[name]!);
}

/** Stays that "next weekend" can mean. */
function weekends(): Stay[] {
  const today = dayOf(inDays(0));
  const friday = today + ((4 - ((weekdayOf(today) + 7) % 7) + 7) % 7);
  return [friday - 7, friday, friday + 7].flatMap((day) =>
    [0, 1].flatMap((late) =>
      [1, 2].map((nights) => ({
        check_in: dateOf(day + late),
        check_out: dateOf(day + late + nights),
      })),
    ),
  );
}

function staysOf({ totalFor }: Expected): Stay[] {
  if (totalFor === "weekend") return weekends();
  const nights = totalFor === "night" ? 1 : totalFor === "three_nights" ? 3 : 2;
  return [{ check_in: FROM, check_out: addDays(FROM, nights) }];
}

/** What each rate of a hotel costs for a stay, by the quotes of the service. */
async function priced(hotel: Hotel, stay: Stay, guests: Expected["party"]): Promise<Priced> {
  const totals: number[] = [];
  const amounts = new Set<number>();
  const dates = new Set<string>(nightsOf(stay));
  for (const room of hotel.room_types) {
    for (const plan of room.rate_plans) {
      const body = { hotel_id: hotel.id, room_type_id: room.id, rate_plan_id: plan.id };
      const answer = await service.api("POST", "/v1/quotes", { body: { ...body, stay, guests } });
      if (answer.status !== 201) continue;
      const { price_breakdown, policy_snapshot, availability } = answer.ok<Quoted>(201).data;
      if (availability.sellable > 0) totals.push(price_breakdown.total);
      collect([price_breakdown, policy_snapshot], amounts, dates);
      amounts.add(price_breakdown.total - price_breakdown.room_subtotal);
    }
  }
  return { cheapest: totals.length > 0 ? Math.min(...totals) : null, amounts, dates };
}

function nightsOf({ check_in, check_out }: Stay): string[] {
  const first = dayOf(check_in);
  return Array.from({ length: dayOf(check_out) - first + 1 }, (_, i) => dateOf(first + i));
}

/** Every amount and date of a quote, whatever its member. */
function collect(value: unknown, amounts: Set<number>, dates: Set<string>): void {
  if (typeof value === "number") amounts.add(value);
  else if (typeof value === "string") {
    for (const [date] of value.matchAll(/\d{4}-\d\d-\d\d/g)) {
      dates.add(date);
      // An instant in UTC can be of the day before or after at the hotel.
      for (const days of [-1, 1]) dates.add(addDays(date, days));
    }
  } else if (typeof value === "object" && value !== null) {
    for (const each of Object.values(value)) collect(each, amounts, dates);
  }
}

async function answerOf(hotel: Hotel, language: Language, texts: readonly string[]) {
  const agent = agents[Math.floor(sent / MESSAGES_PER_AGENT) % agents.length]!;
  sent += texts.length;
  const body = { property_slug: hotel.slug, locale: language };
  const opened = await service.api("POST", "/v1/advisor/sessions", { agent, body });
  const { session_id } = opened.ok<Session>(201).data;
  const path = `/v1/advisor/sessions/${session_id}/messages`;
  let last = "";
  for (const message of texts) {
    const answer = await service.api("POST", path, { agent, body: { message } });
    last = answer.ok<Session>(200).data.messages.at(-1)!.message;
  }
  return last;
}

interface Verdict {
  readonly question: string;
  readonly answer: string;
  /** What is missing or too much; nothing for a right answer. */
  readonly faults: readonly string[];
  readonly wrongAmounts: readonly number[];
  readonly wrongDates: readonly string[];
}

function judged(
  message: string,
  {
    hotel,
    language,
    question,
    expected,
    stays,
  }: {
    readonly hotel: Hotel;
    readonly language: Language;
    readonly question: string;
    readonly expected: Expected;
    readonly stays: readonly Priced[];
  },
): Verdict {
  const currency = hotel.default_currency;
  const said = amountsIn(message, currency);
  const ofTree = new Set<number>();
  collect([hotel.tax_rules, hotel.child_bands, hotel.room_types], ofTree, new Set());
  const known = (amount: number) =>
    ofTree.has(amount) || stays.some(({ amounts }) => amounts.has(amount));
  const asked = [STAY, FAR_STAY, PAST_STAY].flatMap(nightsOf);
  const dates = new Set([...asked, ...stays.flatMap((stay) => [...stay.dates])]);
  for (const date of [...dates]) dates.add(date.slice(5));
  const { must, mustNot = [], totalFor, noAmount } = expected;
  const totals = stays.flatMap(({ cheapest }) => (cheapest === null ? [] : [cheapest]));
  const faults = [
    ...must.filter((pattern) => !pattern.test(message)).map((pattern) => `lacks ${pattern}`),
    ...mustNot.filter((pattern) => pattern.test(message)).map((pattern) => `has ${pattern}`),
    ...(MARKS[language].test(message) ? [] : [`is not in ${language}`]),
    ...(totalFor && !said.some((amount) => totals.includes(amount))
      ? [`lacks the total ${totals.join(" or ")}`]
      : []),
    ...(noAmount && said.length > 0 ? [`names an amount: ${said.join(", ")}`] : []),
  ];
  const wrongAmounts = said.filter((amount) => !known(amount));
  const wrongDates = datesIn(message).filter((date) => !dates.has(date));
  return { question, answer: message, faults, wrongAmounts, wrongDates };
}

/** The hotel that a question is asked about: one that fits and, where it is priced, has a room. */
async function subject(kind: string, language: Language, turn: number) {
  const { fits = () => true, expect: expectOf } = KINDS[kind]!;
  const fitting = hotels.filter(fits);
  for (let offset = 0; offset < fitting.length; offset += 1) {
    const hotel = fitting[(turn + offset) % fitting.length]!;
    const expected = expectOf(hotel, language);
    const stays = await Promise.all(
      expected.totalFor ? staysOf(expected).map((stay) => priced(hotel, stay, expected.party)) : [],
    );
    if (!expected.totalFor || stays.some(({ cheapest }) => cheapest !== null)) {
      return { hotel, expected, stays };
    }
  }
  throw new Error(`no demo hotel fits ${kind}`);
}

test("240 questions in six languages get right answers, without a wrong amount or date", async () => {
  const verdicts: Verdict[] = [];
  for (const [index, [kind, texts]] of Object.entries(questions).entries()) {
    for (const [turn, language] of LANGUAGES.entries()) {
      const { hotel, expected, stays } = await subject(kind, language, index * 7 + turn * 11);
      const question = asked(texts[language], language);
      const first = kind === "follow_up" ? [asked(questions.price_words[language], language)] : [];
      const message = await answerOf(hotel, language, [...first, question]);
      const shown = `${kind} ${language} ${hotel.slug}: ${question}`;
      verdicts.push(judged(message, { hotel, language, question: shown, expected, stays }));
    }
  }
  const wrong = verdicts.filter(({ faults }) => faults.length > 0);
  for (const { question, answer, faults } of wrong) {
    console.log(`${question}\n  ${answer}\n  ${faults.join("; ")}`);
  }
  expect(verdicts).toHaveLength(240);
  expect(verdicts.filter(({ wrongAmounts }) => wrongAmounts.length > 0)).toEqual([]);
  expect(verdicts.filter(({ wrongDates }) => wrongDates.length > 0)).toEqual([]);
  expect(wrong.length).toBeLessThanOrEqual(Math.floor(240 * (1 - RIGHT_MIN)));
});
