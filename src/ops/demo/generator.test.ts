import { describe, expect, test } from "bun:test";
import { PlaceBook } from "../../../engine/core/search/places/place-book.ts";
import { resolve } from "../../../engine/core/search/places/resolve.ts";
import type { DateRange, PropertyTree, Weekday } from "../../../engine/core/supply.ts";
import { PropertyBody } from "../../api/properties/requests.ts";
import { treeProblems } from "../../api/properties/tree-problems.ts";
import { compile } from "../../http/validate.ts";
import { CITIES } from "./catalogue.ts";
import { type GeneratedProperty, generateProperties } from "./generator.ts";
import { SCENARIO_CODES, scenarioProperty } from "./scenario.ts";

const WINDOW = { startDate: "2026-11-20", nights: 400 };
const LAST_DATE = "2027-12-24";
const OPTIONS = { ...WINDOW, seed: 1, count: 66 };
const HOTELS = [...generateProperties(OPTIONS)];
const TREES = HOTELS.map(({ property }) => property);
/** So many that every row of every table is drawn. */
const MANY = [...generateProperties({ ...OPTIONS, nights: 1, count: 2500 })].map(
  ({ property }) => property,
);

const distinct = <T>(items: readonly T[]) => new Set(items).size;
const plansOf = (tree: PropertyTree) => tree.room_types.flatMap(({ rate_plans }) => rate_plans);

/** Dates of a range, spelled out day by day and independently of the generator. */
function datesOf({ from, to, days_of_week }: DateRange): string[] {
  const dates: string[] = [];
  for (let at = new Date(from); at <= new Date(to); at = new Date(at.getTime() + 86_400_000)) {
    const names: Weekday[] = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];
    const name = names[at.getUTCDay()]!;
    if (!days_of_week || days_of_week.includes(name)) dates.push(at.toISOString().slice(0, 10));
  }
  return dates;
}

function rangesOf({ ari }: GeneratedProperty): DateRange[] {
  const { inventory = [], rates = [], restrictions = [], ceilings = [] } = ari;
  return [...inventory, ...rates, ...restrictions, ...ceilings];
}

describe("the set", () => {
  test("the same options give the same bytes, another seed or salt gives others", () => {
    const bytes = (options: object) =>
      JSON.stringify([...generateProperties({ ...OPTIONS, count: 3, ...options })]);
    expect(bytes({})).toBe(bytes({}));
    expect(bytes({})).not.toBe(bytes({ seed: 2 }));
    expect(bytes({})).not.toBe(bytes({ tenantSalt: "second" }));
  });

  test("a smaller count is a prefix of a larger one", () => {
    expect([...generateProperties({ ...OPTIONS, count: 20 })]).toEqual(HOTELS.slice(0, 20));
  });

  test("a property's body does not depend on the calendar", () => {
    const later = generateProperties({ ...OPTIONS, startDate: "2027-03-01", nights: 30 });
    expect([...later].map(({ property }) => property)).toEqual(TREES);
  });

  test("the 66 hotels are in 12 cities of 8 countries, with 5 currencies and zones with DST", () => {
    expect(TREES).toHaveLength(66);
    expect(distinct(TREES.map(({ address }) => address.city))).toBe(12);
    expect(distinct(TREES.map(({ address }) => address.country))).toBe(8);
    const currencies = new Set(TREES.map(({ default_currency }) => default_currency));
    expect([...currencies].sort()).toEqual(["CHF", "EUR", "GBP", "JPY", "USD"]);
    const offset = (timeZone: string, date: string) =>
      new Date(date).toLocaleString("en", { timeZone, timeZoneName: "shortOffset" }).slice(-5);
    const zones = [...new Set(TREES.map(({ timezone }) => timezone))];
    const changing = zones.filter(
      (zone) => offset(zone, "2026-01-01T12:00Z") !== offset(zone, "2026-07-01T12:00Z"),
    );
    expect(zones).toHaveLength(9);
    expect(changing).toHaveLength(8);
  });

  test("2,500 hotels have unique ids, names, slugs, addresses and positions", () => {
    expect(distinct(MANY.map(({ id }) => id))).toBe(2500);
    expect(distinct(MANY.map(({ slug }) => slug))).toBe(2500);
    expect(distinct(MANY.map(({ name, address }) => `${name} ${address.city}`))).toBe(2500);
    expect(distinct(MANY.map(({ address }) => `${address.line1} ${address.city}`))).toBe(2500);
    expect(distinct(MANY.map(({ geo }) => `${geo?.lat} ${geo?.lng}`))).toBe(2500);
    const inner = MANY.flatMap((tree) => [
      ...tree.room_types.map(({ id }) => id),
      ...plansOf(tree).map(({ id }) => id),
    ]);
    expect(distinct(inner)).toBe(inner.length);
  });

  test("all cancellation kinds, three meal plans and long-stay discounts occur", () => {
    const plans = TREES.flatMap(plansOf);
    expect(distinct(plans.map(({ cancellation_kind }) => cancellation_kind))).toBe(3);
    expect(distinct(plans.map(({ meal_plan }) => meal_plan))).toBe(3);
    expect(plans.some(({ adjustments }) => adjustments.length > 0)).toBe(true);
  });
});

describe("each property", () => {
  test("is a body that the API accepts", () => {
    for (const city of CITIES) {
      expect(city.seasonPct).toHaveLength(12);
      expect(city.districts.map(({ length }) => length)).toEqual([5, 5, 5, 5, 5]);
    }
    const check = compile(PropertyBody);
    for (const tree of MANY) {
      expect([...check(tree), ...treeProblems(tree)]).toEqual([]);
      for (const rule of tree.tax_rules) expect(rule.name).not.toBe("");
    }
  });

  test("is in a district that search finds by its name, alone or with the city's", () => {
    const book = new PlaceBook();
    TREES.forEach((tree, ordinal) => {
      book.put(ordinal, tree);
    });
    const found = (text: string) => [...(resolve(book, text, null) ?? [])];
    for (const city of CITIES) {
      for (const [district] of city.districts) {
        const lies = TREES.flatMap(({ address }, ordinal) =>
          address.city === city.name && address.line2 === district ? [ordinal] : [],
        );
        const near = `${district}, ${city.name}`;
        if (lies.length > 0) expect(found(near)).toEqual(expect.arrayContaining(lies));
        for (const each of found(near)) expect(TREES[each]!.address.city).toBe(city.name);
      }
    }
    for (const text of ["Gràcia", "gracia", "Shoreditch"]) expect(found(text)).not.toEqual([]);
  });

  test("is complete enough for promotion", () => {
    for (const tree of TREES) {
      expect(tree.slug).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
      expect(tree.slug.length).toBeLessThanOrEqual(63);
      expect(tree.phone).toMatch(/^\+[1-9][0-9]{9,13}$/);
      expect(tree.email).toBe(`reservations@${tree.slug}.example`);
      expect(tree.checkin_time).toMatch(/^1[4-6]:00$/);
      expect(tree.checkout_time).toMatch(/^1[0-2]:00$/);
      expect(tree.address.line1).toMatch(/\d/);
      expect(tree.address.line1).not.toContain("{");
      expect(tree.name).not.toContain("{");
      expect(tree.description).not.toContain("undefined");
      expect(tree.amenities.length).toBeGreaterThan(1);
      expect(tree.images.every((url) => URL.parse(url)?.protocol === "https:")).toBe(true);
      expect(tree.tax_rules.length).toBeGreaterThan(0);
    }
  });

  test("has 3 to 5 room types with 2 or 3 plans in the property's currency", () => {
    for (const tree of TREES) {
      expect(tree.room_types.length).toBeWithin(3, 6);
      for (const roomType of tree.room_types) {
        expect(roomType.rate_plans.length).toBeWithin(2, 4);
        expect(roomType.included_occupancy).toBeLessThanOrEqual(roomType.max_occupancy);
        expect(roomType.default_inventory).toBeGreaterThan(1);
      }
      for (const plan of plansOf(tree)) {
        expect(plan.currency).toBe(tree.default_currency);
        expect(Number.isSafeInteger(plan.base_rate_per_night)).toBe(true);
        expect(plan.base_rate_per_night).toBeGreaterThan(0);
        expect(Number.isSafeInteger(plan.extra_adult_per_night)).toBe(true);
      }
      const units = tree.room_types.reduce(
        (sum, { default_inventory }) => sum + default_inventory,
        0,
      );
      expect(tree.number_of_rooms).toBe(units);
    }
  });

  test("has terms for the cancellation kind of each of its plans", () => {
    for (const tree of TREES) {
      const kinds = new Set(tree.policies.map(({ cancellation_kind }) => cancellation_kind));
      for (const plan of plansOf(tree)) expect(kinds).toContain(plan.cancellation_kind);
      const versions = tree.policies.map((terms) => `${terms.cancellation_kind} ${terms.version}`);
      expect(distinct(versions)).toBe(versions.length);
    }
  });

  test("states each tax as either a percentage or an amount, under its own code", () => {
    for (const { tax_rules } of TREES) {
      expect(distinct(tax_rules.map(({ code }) => code))).toBe(tax_rules.length);
      for (const rule of tax_rules) {
        expect(rule.rate_bps !== undefined).toBe(rule.basis === "percent");
        expect(rule.amount !== undefined).toBe(rule.basis !== "percent");
        expect(rule.rate_bps ?? rule.amount).toBeGreaterThan(0);
        expect(Number.isSafeInteger(rule.rate_bps ?? rule.amount)).toBe(true);
      }
    }
  });

  test("has child bands that do not overlap", () => {
    for (const { child_bands } of TREES) {
      child_bands.forEach((band, index) => {
        expect(band.min_age).toBe(index === 0 ? 0 : child_bands[index - 1]!.max_age + 1);
        expect(band.max_age).toBeGreaterThanOrEqual(band.min_age);
        expect(band.value === undefined).toBe(band.pricing === "free");
      });
    }
  });
});

test("Barcelona charges its city tax at the desk, for seven nights, from 17 years on", () => {
  const barcelona = TREES.find(({ address }) => address.city === "Barcelona")!;
  expect(barcelona.tax_rules).toContainEqual(
    expect.objectContaining({ code: "VAT", rate_bps: 1000, included_in_rate: true }),
  );
  expect(barcelona.tax_rules).toContainEqual(
    expect.objectContaining({
      code: "CITY",
      basis: "per_person_per_night",
      collect: "at_property",
      min_age: 17,
      max_nights: 7,
    }),
  );
});

test("American taxes are added to the rate and some hotels add a fee", () => {
  const american = TREES.filter(({ address }) => address.country === "US");
  const rules = american.flatMap(({ tax_rules }) => tax_rules);
  expect(rules.some(({ included_in_rate }) => included_in_rate)).toBe(false);
  const charging = american.filter(({ tax_rules }) => tax_rules.some(({ kind }) => kind === "fee"));
  expect(charging.length).toBeWithin(1, american.length);
});

describe("the ARI", () => {
  test("prices every plan exactly once on each of 400 nights", () => {
    for (const { property, ari } of HOTELS) {
      const priced = new Map<string, string[]>();
      for (const rate of ari.rates ?? []) {
        expect(rate.amount).toBeGreaterThan(0);
        expect(Number.isSafeInteger(rate.amount)).toBe(true);
        const dates = priced.get(rate.rate_plan_id) ?? [];
        priced.set(rate.rate_plan_id, dates.concat(datesOf(rate)));
      }
      expect([...priced.keys()].sort()).toEqual(
        plansOf(property)
          .map(({ id }) => id)
          .sort(),
      );
      for (const dates of priced.values()) {
        expect(dates).toHaveLength(400);
        expect(distinct(dates)).toBe(400);
      }
    }
  });

  test("has only ranges with nights, all inside the window, for windows of any length", () => {
    for (const nights of [1, 2, 9, 45, 400]) {
      for (const hotel of generateProperties({ ...OPTIONS, nights, count: 12 })) {
        const end = new Date(Date.parse(WINDOW.startDate) + (nights - 1) * 86_400_000);
        for (const range of rangesOf(hotel)) {
          expect(range.from >= WINDOW.startDate).toBe(true);
          expect(range.to <= end.toISOString().slice(0, 10)).toBe(true);
          expect(datesOf(range).length).toBeGreaterThan(0);
        }
      }
    }
    expect(HOTELS.flatMap(rangesOf).some(({ to }) => to === LAST_DATE)).toBe(true);
  });

  test("stays under 100 KB per property", () => {
    const bytes = HOTELS.map(({ ari }) => new TextEncoder().encode(JSON.stringify(ari)).length);
    expect(Math.max(...bytes)).toBeLessThan(100_000);
  });

  test("names only room types and plans of its property", () => {
    for (const { property, ari } of HOTELS) {
      const rooms = new Set(property.room_types.map(({ id }) => id));
      const plans = new Set(plansOf(property).map(({ id }) => id));
      const { inventory = [], restrictions = [], ceilings = [] } = ari;
      for (const range of [...inventory, ...restrictions, ...ceilings]) {
        expect(rooms).toContain(range.room_type_id);
      }
      for (const { rate_plan_id } of restrictions) {
        if (rate_plan_id) expect(plans).toContain(rate_plan_id);
      }
    }
  });

  test("leaves at most one room type closed and only for days", () => {
    for (const { ari } of HOTELS) {
      const closed = (ari.restrictions ?? []).filter(({ stop_sell }) => stop_sell);
      expect(closed.length).toBeLessThanOrEqual(1);
      for (const range of closed) expect(datesOf(range).length).toBeLessThanOrEqual(6);
      for (const { capacity, out_of_order } of ari.inventory ?? []) {
        expect(capacity ?? 2).toBeGreaterThan(out_of_order ?? 1);
      }
    }
  });

  test("shows each kind of restriction somewhere and ceilings at two hotels", () => {
    const restrictions = HOTELS.flatMap(({ ari }) => ari.restrictions ?? []);
    expect(restrictions.some(({ stop_sell }) => stop_sell)).toBe(true);
    expect(restrictions.some(({ cta }) => cta)).toBe(true);
    expect(restrictions.some(({ rate_plan_id }) => rate_plan_id)).toBe(true);
    const holiday = restrictions.filter(({ to }) => to === "2026-12-31");
    expect(holiday.some(({ min_los_arrival }) => min_los_arrival === 2)).toBe(true);
    expect(HOTELS.filter(({ ari }) => ari.ceilings)).toHaveLength(2);
  });

  test("asks more in high season than in low season", () => {
    const { property, ari } = HOTELS[0]!;
    const plan = plansOf(property)[0]!.id;
    const on = (date: string) =>
      ari.rates?.find((rate) => rate.rate_plan_id === plan && datesOf(rate).includes(date))?.amount;
    expect(on("2027-08-03")).toBeGreaterThan(on("2027-01-12")!);
    expect(on("2027-08-06")).toBeGreaterThan(on("2027-08-03")!);
  });
});

test("the scenario property has one room type per scenario, with ARI that causes it", () => {
  const { property, ari } = scenarioProperty({ ...WINDOW, seed: 1 });
  expect(property.slug).toBe("scenario-hotel");
  expect(property.room_types.map(({ code }) => code)).toEqual([...SCENARIO_CODES]);
  const ids = new Map(property.room_types.map(({ code, id }) => [code, id]));
  expect(distinct([...ids.values(), ...plansOf(property).map(({ id }) => id)])).toBe(
    ids.size + plansOf(property).length,
  );
  const window = { from: WINDOW.startDate, to: LAST_DATE };
  const soldOut = (ari.inventory ?? []).filter(({ capacity }) => capacity === 0);
  expect(soldOut).toEqual([{ room_type_id: ids.get("sold_out_at_hold")!, ...window, capacity: 0 }]);
  expect(ari.restrictions).toEqual([
    { room_type_id: ids.get("restricted")!, ...window, stop_sell: true },
  ]);
  expect(ari.ceilings).toEqual([
    {
      room_type_id: ids.get("ceiling_reached")!,
      ...window,
      rate_plan_id: null,
      agent_id: null,
      ceiling: 0,
    },
  ]);
});

describe("the texts", () => {
  const texts = (tree: PropertyTree) => [
    ...[tree.name, tree.description, tree.address.line1],
    ...tree.room_types.flatMap(({ name, description, bed_type }) => [name, description, bed_type]),
    ...plansOf(tree).map(({ name }) => name),
    ...tree.policies.map(({ child_policy_text }) => child_policy_text),
    ...tree.tax_rules.map(({ name }) => name),
  ];

  test("no text shows traces of its templates", () => {
    const all = new Set(
      [...MANY, scenarioProperty(OPTIONS).property].flatMap(texts).filter((text) => text !== null),
    );
    // Templates, gaps, lone hyphens, a number that was torn off, a word or place said twice.
    const artefacts = [
      /[{}]|undefined|null|NaN/,
      /\s\s|^\s|\s$|\s[,.;]/,
      /(?:^|\s)-|-(?:\s|$)/,
      /\b(\w{3,}),? \1\b/i,
      /\bin (\S+), \w+\. Near \1,/,
    ];
    const offending = [...all].filter((text) => artefacts.some((artefact) => artefact.test(text!)));
    expect(offending).toEqual([]);
    for (const text of all) expect(text).toBe(text!.normalize("NFC"));
  });

  test("a description is sentences", () => {
    for (const { description } of MANY) {
      for (const sentence of description!.split(/(?<=\.) /)) {
        expect(sentence).toMatch(/^\p{Lu}[^.]+\.$/u);
      }
    }
  });
});
