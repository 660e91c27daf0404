/** Goal: dates in everyday text become the intended stay or a question. */
import { expect, test } from "bun:test";
import { dateOf, dayOf } from "../../engine/core/calendar.ts";
import { type Language, LEXICONS } from "./language.ts";
import { readStay } from "./stay.ts";
import { folded } from "./text.ts";

/** A Wednesday. */
const TODAY = dayOf("2026-11-25");

function stayOf(
  language: Language,
  text: string,
  dayFirst: boolean | null = language !== "en" || null,
) {
  const { reading } = readStay(folded(text), LEXICONS[language], { todayDay: TODAY, dayFirst });
  if (reading.is === "stay") return `${dateOf(reading.stay.checkInDay)}+${reading.stay.nights}`;
  if (reading.is === "nights") return `${reading.nights} nights`;
  return reading.is === "unclear" ? reading.problem : "none";
}

const WRITTEN: Readonly<Record<Language, Readonly<Record<string, string>>>> = {
  en: {
    "12 Dec": "2026-12-12+1",
    "from 12 December to 14 December": "2026-12-12+2",
    "Dec 12th – 14th": "2026-12-12+2",
    "12-14 December 2027": "2027-12-12+2",
    "2026-12-12 to 2026-12-15": "2026-12-12+3",
    "from the 3rd to the 5th of January": "2027-01-03+2",
    "30 Dec to 2 Jan": "2026-12-30+3",
    "30/12/2026 for two nights": "2026-12-30+2",
    tonight: "2026-11-25+1",
    "tomorrow for 3 nights": "2026-11-26+3",
    "the day after tomorrow": "2026-11-27+1",
    "in two weeks for one night": "2026-12-09+1",
    "this weekend": "2026-11-27+2",
    "next weekend": "2026-11-27+2",
    "the weekend after next": "2026-12-04+2",
    "Friday to Sunday": "2026-11-27+2",
    "next Friday for two nights": "2026-11-27+2",
    "tomorrow until Sunday": "2026-11-26+3",
    "from tomorrow to Sunday": "2026-11-26+3",
    "4 December until Sunday": "2026-12-04+2",
    "on 6 December, a Sunday": "2026-12-06+1",
    "Friday 4 December to Sunday 6 December": "2026-12-04+2",
    "1 February for a week": "none",
  },
  de: {
    "vom 12.–14. Dezember": "2026-12-12+2",
    "vom 12.12. bis 14.12.": "2026-12-12+2",
    "am 24.12.2026 für zwei Nächte": "2026-12-24+2",
    "morgen für eine Nacht": "2026-11-26+1",
    übermorgen: "2026-11-27+1",
    "nächstes Wochenende": "2026-11-27+2",
    "von Freitag bis Sonntag": "2026-11-27+2",
    "von morgen bis Sonntag": "2026-11-26+3",
    "in zwei Wochen für drei Nächte": "2026-12-09+3",
    "1. März": "2027-03-01+1",
    "Check-in um 15:00 Uhr": "none",
  },
  es: {
    "del 3 al 5 de enero": "2027-01-03+2",
    "el próximo fin de semana": "2026-11-27+2",
    "mañana por dos noches": "2026-11-26+2",
    "del 12/12/2026 al 14/12/2026": "2026-12-12+2",
    "pasado mañana": "2026-11-27+1",
    "de viernes a domingo": "2026-11-27+2",
    "de mañana al domingo": "2026-11-26+3",
  },
  fr: {
    "demain pour deux nuits": "2026-11-26+2",
    "du 3 au 5 janvier 2027": "2027-01-03+2",
    "le week-end prochain": "2026-11-27+2",
    "le 1er février pour trois nuits": "2027-02-01+3",
    "après-demain": "2026-11-27+1",
    "ce soir": "2026-11-25+1",
    "de demain à dimanche": "2026-11-26+3",
  },
  it: {
    "dal 3 al 5 gennaio": "2027-01-03+2",
    "il prossimo fine settimana": "2026-11-27+2",
    "dopodomani per due notti": "2026-11-27+2",
    domani: "2026-11-26+1",
    "da domani a domenica": "2026-11-26+3",
    "dal 12/12 al 14/12": "2026-12-12+2",
  },
  pt: {
    "de 3 a 5 de janeiro": "2027-01-03+2",
    "no próximo fim de semana": "2026-11-27+2",
    "amanhã por duas noites": "2026-11-26+2",
    "depois de amanhã": "2026-11-27+1",
    "de sexta a domingo": "2026-11-27+2",
    "de amanhã até domingo": "2026-11-26+3",
  },
};

test.each(Object.entries(WRITTEN))("usual date forms are parsed in %s", (language, texts) => {
  const read = Object.keys(texts).map((text) => [text, stayOf(language as Language, text)]);
  const { "1 February for a week": _week, ...exact } = Object.fromEntries(read);
  const { "1 February for a week": _none, ...expected } = texts;
  expect(exact).toEqual(expected);
});

test("a length in weeks or nights applies to a given day, or to the stay before", () => {
  expect(stayOf("en", "1 February for a week")).toBe("2027-02-01+7");
  expect(stayOf("en", "and for three nights?")).toBe("3 nights");
});

test("an ambiguous or invalid date is asked back and not guessed", () => {
  expect({
    "12/11": stayOf("en", "12/11"),
    "12/11 as British": stayOf("en", "12/11/2027", true),
    "12/11 as American": stayOf("en", "12/11/2027", false),
    "31 Feb": stayOf("en", "31 February"),
    past: stayOf("en", "2020-01-01"),
    far: stayOf("en", "1 January 2031"),
    order: stayOf("en", "2027-01-05 to 2027-01-03"),
    long: stayOf("en", "2027-01-01 to 2027-12-31"),
    vague: stayOf("en", "some time next month"),
    end: stayOf("en", "until 5 January"),
    days: stayOf("en", "5 January for 3 days"),
  }).toEqual({
    "12/11": "ambiguous_date",
    "12/11 as British": "2027-11-12+1",
    "12/11 as American": "2027-12-11+1",
    "31 Feb": "no_such_date",
    past: "past",
    far: "far",
    order: "order",
    long: "long",
    vague: "vague",
    end: "end_only",
    days: "vague",
  });
});

test("on a Saturday this weekend is the current one and the next is a week later", () => {
  const saturday = dayOf("2026-11-28");
  const on = (text: string) => {
    const { reading } = readStay(text, LEXICONS.en, { todayDay: saturday, dayFirst: null });
    return reading.is === "stay" ? dateOf(reading.stay.checkInDay) : reading.is;
  };
  expect([on("this weekend"), on("next weekend")]).toEqual(["2026-11-28", "2026-12-04"]);
});
