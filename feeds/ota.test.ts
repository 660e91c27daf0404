/**
 * Goal: a message has the current value of every changed cell, and no others, in the documented
 * shape. Method: the messages of real changes are checked by libxml2 against the schemas and
 * against the state; the same schemas must refuse broken ones.
 */
import { expect, test } from "bun:test";
import fc from "fast-check";
import { priceInputOf } from "../engine/core/availability/quoting.ts";
import { dateOf } from "../engine/core/calendar.ts";
import { price } from "../engine/core/price/price.ts";
import { windowEnd } from "../engine/core/state/nights.ts";
import { findOffer, type Offer } from "../engine/core/state/state.ts";
import type { AriUpdate, CeilingRange, TaxRule } from "../engine/core/supply.ts";
import {
  createProperty,
  frozenQuote,
  NOON,
  placeHold,
  promoteProperty,
  propertyTree,
  REALM,
  ratePlan,
  roomType,
  stayIn,
  updateAri,
} from "../test/support/builders.ts";
import { dayIn, given, type Scenario } from "../test/support/given.ts";
import { type FeedSchema, validate } from "../test/support/xmllint.ts";
import { decimalOf } from "./amounts.ts";
import { type Change, changedCells, messageScopeOf, type OtaFormat } from "./changed-cells.ts";
import { isOtaSuccess, otaMessage, otaPing } from "./ota.ts";

const TREE = propertyTree({
  room_types: [
    roomType({ rate_plans: [ratePlan(), ratePlan({ id: "plan-fix", code: "FIX" })] }),
    roomType({
      ...{ id: "room-single", code: "SGL", max_occupancy: 1 },
      rate_plans: [ratePlan({ id: "plan-single" })],
    }),
  ],
});
const HEAD = { echoToken: "dlv_01", atMs: NOON, requestorId: "innkeep" };

const on = (inDays: number) => dateOf(dayIn(inDays));
const days = (from: number, to = from) => ({ from: on(from), to: on(to) });

function supplied(...updates: AriUpdate[]): Scenario {
  const ari = updates.map((update) => updateAri(TREE, update));
  return given(createProperty(TREE), promoteProperty(TREE), ...ari);
}

/** The message of a change; null when there is nothing to tell. */
function told({ state }: Scenario, format: OtaFormat, change: Change) {
  const property = state.property(REALM, TREE.id)!;
  const at = messageScopeOf(property, "google", { baseDay: state.baseDay, nowMs: NOON });
  return otaMessage(format, changedCells(format, change, at), at, HEAD);
}

const ari = (update: AriUpdate): Change => ({ is: "ari", ari: update });

function cityTax(over: Partial<TaxRule>): TaxRule {
  return {
    ...{ code: "CITY", name: "City tax", kind: "tax", basis: "per_person_per_night" },
    ...{ included_in_rate: false, collect: "at_property", ...over },
  };
}

/** What libxml2 has against a message; nothing when it is valid. */
function faultOf(format: OtaFormat, message: string): string {
  try {
    validate(`ota-${format.slice("ota_".length)}` as FeedSchema, message);
    return "";
  } catch (error) {
    return String(error);
  }
}

/** Start, end, codes and what is said, of each item of a message. */
function itemsOf(message: string | null): string[] {
  const item =
    /<StatusApplicationControl Start="([^"]+)" End="([^"]+)" InvTypeCode="([^"]+)"(?: RatePlanCode="([^"]+)")?\/>(.*?)<\/(?:Inventory|AvailStatusMessage|RateAmountMessage)>/g;
  return [...(message ?? "").matchAll(item)].map(([, start, end, room, plan, said]) => {
    const values = [
      ...said!.matchAll(
        /(?:Count|Time|FullPatternLOS|Status|Restriction|Offset|Tax|Code|Guests)="([^"]+)"/g,
      ),
    ];
    return [start, end, plan ?? room, ...values.map(([, value]) => value)].join(" ");
  });
}

test("inventory has the units left, in runs of nights with equal counts", () => {
  const update: AriUpdate = {
    inventory: [
      { room_type_id: "room-double", ...days(1, 6), capacity: 5 },
      { room_type_id: "room-double", ...days(3), out_of_order: 9 },
    ],
  };
  const scenario = supplied(update);
  scenario.when(placeHold(frozenQuote(TREE, { stay: stayIn(5, 3) })));
  const message = told(scenario, "ota_inventory", ari(update))!;
  expect(faultOf("ota_inventory", message)).toBe("");
  expect(itemsOf(message)).toEqual([
    `${on(1)} ${on(2)} room-double 5`,
    `${on(3)} ${on(3)} room-double 0`,
    `${on(4)} ${on(4)} room-double 5`,
    `${on(5)} ${on(6)} room-double 4`,
  ]);
  expect(message).toStartWith(
    '<?xml version="1.0" encoding="UTF-8"?><OTA_HotelInvCountNotifRQ ' +
      'xmlns="http://www.opentravel.org/OTA/2003/05" EchoToken="dlv_01" ' +
      'TimeStamp="2026-09-01T12:00:00Z" Version="3.0"><POS><Source><RequestorID ID="innkeep"/>' +
      '</Source></POS><Inventories HotelCode="property-one">',
  );
});

/** Rates of a property of one currency, its room for two and its room for one. */
function ratesIn(currency: string, amount: number) {
  const plan = (id: string) => ratePlan({ id, currency, extra_adult_per_night: 3_000 });
  const tree = propertyTree({
    default_currency: currency,
    tax_rules: [
      ...TREE.tax_rules,
      cityTax({ amount: 250, valid_from: on(3) }),
      cityTax({ code: "CLEAN", kind: "fee", basis: "per_stay", amount: 1_500 }),
    ],
    room_types: [
      roomType({ rate_plans: [plan("plan-flex")] }),
      roomType({ id: "room-single", max_occupancy: 1, rate_plans: [plan("plan-single")] }),
    ],
  });
  const update: AriUpdate = {
    rates: [
      { rate_plan_id: "plan-flex", ...days(1, 4), amount },
      { rate_plan_id: "plan-flex", ...days(2), amount: amount + 1 },
      { rate_plan_id: "plan-single", ...days(3), amount },
    ],
  };
  const scenario = given(createProperty(tree), promoteProperty(tree), updateAri(tree, update));
  return { scenario, update };
}

test("a rate is the price of a night for two adults, before and with all charges", () => {
  const { scenario, update } = ratesIn("EUR", 20_000);
  const message = told(scenario, "ota_rates", ari(update))!;
  expect(faultOf("ota_rates", message)).toBe("");
  // A tenth of VAT is inside; a person's night is taxed from the third on; cleaning is a fee.
  expect(itemsOf(message)).toEqual([
    `${on(1)} ${on(1)} plan-flex 181.82 215.00 EUR 2`,
    `${on(2)} ${on(2)} plan-flex 181.83 215.01 EUR 2`,
    `${on(3)} ${on(4)} plan-flex 181.82 220.00 EUR 2`,
    `${on(3)} ${on(3)} plan-single 181.82 217.50 EUR 1`,
  ]);
  expect(message).toContain('Version="3.0" NotifType="Overlay" NotifScopeType="ProductRate">');
  const night = { room_type_id: "room-double", rate_plan_id: "plan-flex", stay: stayIn(2, 2) };
  expect(told(scenario, "ota_rates", { is: "units", moved: [night] })).toBeNull();
});

test("a new rate is told of every plan that follows it", () => {
  const rule = { rate_plan_id: "plan-flex", bps: -1_000, round_to: 100, rounding: "up" } as const;
  const saver = ratePlan({ id: "plan-saver", code: "SAVER", derived_from: rule });
  const tree = propertyTree({ room_types: [roomType({ rate_plans: [ratePlan(), saver] })] });
  const update = { rates: [{ rate_plan_id: "plan-flex", ...days(1), amount: 12_345 }] };
  const created = given(createProperty(tree), promoteProperty(tree), updateAri(tree, update));
  expect(itemsOf(told(created, "ota_rates", ari(update)))).toEqual([
    `${on(1)} ${on(1)} plan-flex 112.23 123.45 EUR 2`,
    `${on(1)} ${on(1)} plan-saver 101.82 112.00 EUR 2`,
  ]);
});

test("amounts have the decimals of their currency", () => {
  for (const [currency, first] of [
    ["JPY", "10909 13500 JPY 2"],
    ["KWD", "10.909 13.500 KWD 2"],
  ] as const) {
    const { scenario, update } = ratesIn(currency, 12_000);
    const message = told(scenario, "ota_rates", ari(update))!;
    expect(faultOf("ota_rates", message)).toBe("");
    expect(itemsOf(message)[0]).toBe(`${on(1)} ${on(1)} plan-flex ${first}`);
  }
});

test("the rate of a night equals the sum of a quote for that night", () => {
  const amounts = fc.array(fc.integer({ min: 1, max: 4_000_000 }), { minLength: 5, maxLength: 5 });
  fc.assert(
    fc.property(amounts, fc.integer({ min: 0, max: 3_000 }), (found, bps) => {
      const vat = { ...TREE.tax_rules[0]!, rate_bps: bps };
      const tree = propertyTree({ tax_rules: [vat, cityTax({ amount: 333 })] });
      const rates = found.map((amount, i) => ({ rate_plan_id: "plan-flex", ...days(i), amount }));
      const scenario = given(
        createProperty(tree),
        promoteProperty(tree),
        updateAri(tree, { rates }),
      );
      const items = itemsOf(told(scenario, "ota_rates", ari({ rates })));
      const property = scenario.state.property(REALM, tree.id)!;
      const offer = findOffer(property, "room-double", "plan-flex") as Offer;
      for (const [i] of found.entries()) {
        const quoted = price(priceInputOf(offer, stayIn(i, 1), { adults: 2, children: [] }, NOON));
        const item = items.find(
          (each) => each.slice(0, 10) <= on(i) && each.slice(11, 21) >= on(i),
        );
        expect(item!.split(" ")[4]).toBe(decimalOf(quoted.total, "EUR"));
      }
    }),
  );
});

test("in old supply a night without an exact price has no rate and is closed", () => {
  const tax = { ...TREE.tax_rules[0]!, rate_bps: 10_000, included_in_rate: false, compound: true };
  const before = propertyTree({
    tax_rules: Array.from({ length: 39 }, (_, n) => ({ ...tax, code: `T${n}` })),
  });
  const rates = [
    { rate_plan_id: "plan-flex", ...days(1, 5), amount: 10_000 },
    { rate_plan_id: "plan-flex", ...days(3), amount: 20_000 },
  ];
  const scenario = supplied({ rates });
  const saidIn = (format: OtaFormat) => itemsOf(told(scenario, format, ari({ rates })));
  expect(saidIn("ota_availability")).toEqual([]);
  // As a journal has it that was written before such taxes were refused: it is on sale.
  scenario.state.property(REALM, TREE.id)!.tree = before;
  const amounts = `100.00 ${decimalOf(10_000 * 2 ** 39, "EUR")} EUR 2`;
  expect(saidIn("ota_rates")).toEqual([
    `${on(1)} ${on(2)} plan-flex ${amounts}`,
    `${on(4)} ${on(5)} plan-flex ${amounts}`,
  ]);
  const message = told(scenario, "ota_availability", ari({ rates }))!;
  expect(faultOf("ota_availability", message)).toBe("");
  const master = itemsOf(message).filter((item) => item.endsWith("Master"));
  expect(master.map((item) => item.split(" ").at(-2))).toEqual(["Open", "Close", "Open"]);
  expect(master[1]).toStartWith(`${on(3)} ${on(3)} plan-flex`);
  const only = { rates: [{ rate_plan_id: "plan-flex", ...days(3), amount: 20_000 }] };
  expect(told(scenario, "ota_rates", ari(only))).toBeNull();
});

test("a hold sends the nights of its stay with the units left", () => {
  const scenario = supplied();
  const stay = stayIn(5, 2);
  scenario.when(placeHold(frozenQuote(TREE, { stay })));
  const units = { room_type_id: "room-double", rate_plan_id: "plan-flex", stay };
  const moved: Change = { is: "units", moved: [units] };
  const items = () => itemsOf(told(scenario, "ota_inventory", moved));
  expect(items()).toEqual([`${on(5)} ${on(6)} room-double 1`]);
  scenario.when(placeHold(frozenQuote(TREE, { stay: stayIn(6, 2) })));
  expect(items()).toEqual([`${on(5)} ${on(5)} room-double 1`, `${on(6)} ${on(6)} room-double 0`]);
  expect(told(scenario, "ota_availability", moved)).toBeNull();
});

test("ceilings of all agents and of the partner limit the units, those of others do not", () => {
  const ceiling = (over: Pick<CeilingRange, "ceiling"> & Partial<CeilingRange>): CeilingRange => {
    return { room_type_id: "room-double", ...days(1, 4), ...over };
  };
  const update: AriUpdate = {
    inventory: [{ room_type_id: "room-double", ...days(1, 4), capacity: 9 }],
    ceilings: [
      ceiling({ ceiling: 6 }),
      ceiling({ agent_id: "google", ceiling: 3, ...days(2) }),
      ceiling({ agent_id: "agt_bob", ceiling: 0 }),
      ceiling({ rate_plan_id: "plan-fix", ceiling: 1, ...days(1, 2) }),
    ],
  };
  const scenario = supplied(update);
  expect(itemsOf(told(scenario, "ota_inventory", ari(update)))).toEqual([
    `${on(1)} ${on(1)} room-double 6`,
    `${on(2)} ${on(2)} room-double 3`,
    `${on(3)} ${on(4)} room-double 6`,
  ]);
  const others: AriUpdate = { ceilings: [ceiling({ agent_id: "agt_bob", ceiling: 2 })] };
  expect(told(scenario, "ota_inventory", ari(others))).toBeNull();
  // One unit of the plan is all it may sell, and that is gone: the plan closes, the room does not.
  const stay = stayIn(1, 1);
  scenario.when(placeHold(frozenQuote(TREE, { stay, rate_plan_id: "plan-fix" })));
  const movedOf = (rate_plan_id: string): Change => {
    return { is: "units", moved: [{ room_type_id: "room-double", rate_plan_id, stay }] };
  };
  const closed = told(scenario, "ota_availability", movedOf("plan-fix"))!;
  expect(faultOf("ota_availability", closed)).toBe("");
  expect(itemsOf(closed)[0]).toBe(`${on(1)} ${on(1)} plan-fix 1 90 1 90 Y Close Master`);
  expect(told(scenario, "ota_availability", movedOf("plan-flex"))).toBeNull();
});

test("availability has every restriction of a night, removed ones too", () => {
  const room = { room_type_id: "room-double" };
  const update: AriUpdate = {
    restrictions: [
      { ...room, ...days(1, 3), min_los_arrival: 2, max_los_arrival: 7, cta: true },
      { ...room, ...days(1, 2), rate_plan_id: "plan-fix", stop_sell: true, cta: false },
      { ...room, ...days(3), ctd: true, min_stay_through: 3, max_stay_through: 14 },
    ],
  };
  const scenario = supplied(update);
  const message = told(scenario, "ota_availability", ari(update))!;
  expect(faultOf("ota_availability", message)).toBe("");
  expect(itemsOf(message)).toEqual([
    `${on(1)} ${on(2)} plan-flex 2 7 1 90 Y Open Master`,
    `${on(3)} ${on(3)} plan-flex 2 7 3 14 Y Open Master`,
    `${on(1)} ${on(3)} plan-flex Close Arrival P0D P730D`,
    `${on(1)} ${on(2)} plan-flex Open Departure`,
    `${on(3)} ${on(3)} plan-flex Close Departure`,
    `${on(1)} ${on(2)} plan-fix 2 7 1 90 Y Close Master`,
    `${on(3)} ${on(3)} plan-fix 2 7 3 14 Y Open Master`,
    `${on(1)} ${on(2)} plan-fix Open Arrival P0D P730D`,
    `${on(3)} ${on(3)} plan-fix Close Arrival P0D P730D`,
    `${on(1)} ${on(2)} plan-fix Open Departure`,
    `${on(3)} ${on(3)} plan-fix Close Departure`,
  ]);
  const cleared: AriUpdate = {
    restrictions: [{ ...room, ...days(1, 3), min_los_arrival: null, max_los_arrival: null }],
  };
  const after = told(supplied(update, cleared), "ota_availability", ari(cleared));
  expect(itemsOf(after)[0]).toBe(`${on(1)} ${on(2)} plan-flex 1 90 1 90 Y Open Master`);
  const zero: AriUpdate = { restrictions: [{ ...room, ...days(1, 2), max_los_arrival: 0 }] };
  const unlimited = told(supplied(update, zero), "ota_availability", ari(zero));
  expect(itemsOf(unlimited)[0]).toBe(`${on(1)} ${on(2)} plan-flex 2 90 1 90 Y Open Master`);
});

test("days ahead and patterns of an arrival are sent as the partner counts them", () => {
  const update: AriUpdate = {
    restrictions: [
      { room_type_id: "room-double", ...days(1, 2), min_advance_days: 3, los_pattern: "NYN" },
      { room_type_id: "room-double", ...days(2), rate_plan_id: "plan-fix", max_advance_days: 999 },
      { room_type_id: "room-double", ...days(2), rate_plan_id: "plan-flex", max_advance_days: 0 },
    ],
  };
  const message = told(supplied(update), "ota_availability", ari(update))!;
  expect(faultOf("ota_availability", message)).toBe("");
  expect(message).toContain('<LengthsOfStay FixedPatternLength="3">');
  const arrivals = itemsOf(message).filter((item) => item.includes("Arrival"));
  expect(arrivals).toEqual([
    `${on(1)} ${on(1)} plan-flex Open Arrival P3D P730D`,
    `${on(2)} ${on(2)} plan-flex Open Arrival P3D P0D`,
    `${on(1)} ${on(2)} plan-fix Open Arrival P3D P730D`,
  ]);
  const [first] = itemsOf(message);
  expect(first).toBe(`${on(1)} ${on(2)} plan-flex 1 90 1 90 NYN Open Master`);
});

test("a released ceiling leaves the partner no unit", () => {
  const release = { strategy: "rolling", days_before: 3 } as const;
  const room = { room_type_id: "room-double", ...days(2, 5) };
  const update: AriUpdate = {
    ceilings: [
      { ...room, ceiling: 2, release },
      { ...room, rate_plan_id: "plan-fix", ceiling: 2, release },
    ],
  };
  const scenario = supplied(update);
  expect(itemsOf(told(scenario, "ota_inventory", ari(update)))).toEqual([
    `${on(2)} ${on(3)} room-double 0`,
    `${on(4)} ${on(5)} room-double 2`,
  ]);
  const plan = itemsOf(told(scenario, "ota_availability", ari(update)));
  expect(plan.slice(0, 2)).toEqual([
    `${on(2)} ${on(3)} plan-fix 1 90 1 90 Y Close Master`,
    `${on(4)} ${on(5)} plan-fix 1 90 1 90 Y Open Master`,
  ]);
});

test("weekdays are kept; past nights and nights beyond the window are left out", () => {
  const weekend = { days_of_week: ["sat", "sun"] as const };
  const update: AriUpdate = {
    inventory: [{ room_type_id: "room-double", ...days(-3, 12), ...weekend, capacity: 1 }],
  };
  const scenario = supplied(update);
  // The first of September 2026 is a tuesday.
  expect(itemsOf(told(scenario, "ota_inventory", ari(update)))).toEqual([
    `${on(4)} ${on(5)} room-double 1`,
    `${on(11)} ${on(12)} room-double 1`,
  ]);
  const past: AriUpdate = { inventory: [{ room_type_id: "room-double", ...days(-9, -1) }] };
  expect(told(scenario, "ota_inventory", ari(past))).toBeNull();
  const { baseDay } = scenario.state;
  const all = itemsOf(told(supplied(), "ota_inventory", { is: "all" }));
  const last = dateOf(windowEnd(baseDay) - 1);
  expect(all).toEqual([`${on(0)} ${last} room-double 2`, `${on(0)} ${last} room-single 2`]);
});

test("after any update a message of all is valid and has each night of each plan once", () => {
  const nights = fc.tuple(fc.nat(40), fc.nat(20)).map(([from, more]) => days(from, from + more));
  const range = fc.record({
    room_type_id: fc.constantFrom("room-double", "room-single"),
    stop_sell: fc.option(fc.boolean()),
    cta: fc.option(fc.boolean()),
    min_los_arrival: fc.option(fc.integer({ min: 1, max: 30 })),
    max_stay_through: fc.option(fc.integer({ min: 1, max: 90 })),
  });
  const restrictions = fc.array(fc.tuple(range, nights), { maxLength: 6 });
  fc.assert(
    fc.property(restrictions, (found) => {
      const scenario = supplied({ restrictions: found.map(([a, b]) => ({ ...a, ...b })) });
      const message = told(scenario, "ota_availability", { is: "all" })!;
      expect(faultOf("ota_availability", message)).toBe("");
      for (const plan of ["plan-flex", "plan-fix", "plan-single"]) {
        for (const kind of ["Master", "Arrival", "Departure"]) {
          const items = itemsOf(message).filter((item) => {
            return item.includes(` ${plan} `) && item.includes(` ${kind}`);
          });
          let next = on(0);
          for (const item of items) {
            const [start, end] = item.split(" ") as [string, string];
            expect(start).toBe(next);
            next = dateOf(Math.floor(Date.parse(end) / 86_400_000) + 1);
          }
          expect(next).toBe(dateOf(windowEnd(scenario.state.baseDay)));
        }
      }
    }),
    { numRuns: 15 },
  );
});

test("the schemas refuse invalid messages", () => {
  const message = told(supplied(), "ota_inventory", { is: "all" })!;
  for (const [is, broken] of [
    ['EchoToken="dlv_01"', 'EchoToken="dlv 01"'],
    ['TimeStamp="2026-09-01T12:00:00Z"', 'TimeStamp="2026-09-01T12:00:00"'],
    [`Start="${on(0)}"`, 'Start="2026-02-30"'],
    ['Count="2"', 'Count="-1"'],
    ['CountType="2"', 'CountType="5"'],
    ['HotelCode="property-one"', 'HotelCode=""'],
    ['xmlns="http://www.opentravel.org/OTA/2003/05"', ""],
    ["<InvCounts>", "<InvCounts><InvCount/>"],
    ["</Inventory>", ""],
  ] as const) {
    expect(message).toContain(is);
    expect(faultOf("ota_inventory", message.replace(is, broken))).not.toBe("");
  }
  const open = told(supplied(), "ota_availability", { is: "all" })!;
  for (const [is, broken] of [
    ['MinMaxMessageType="SetMaxLOS"', 'MinMaxMessageType="SetMinLOS"'],
    ['Time="1"', 'Time="0"'],
    ['Status="Open"', 'Status="Opened"'],
    [' RatePlanCode="plan-flex"', ""],
  ] as const) {
    expect(open).toContain(is);
    expect(faultOf("ota_availability", open.replace(is, broken))).not.toBe("");
  }
  const rates = told(supplied(), "ota_rates", { is: "all" })!;
  for (const [is, broken] of [
    ['AmountAfterTax="100.00"', 'AmountAfterTax="1,000.00"'],
    ['AmountBeforeTax="90.91"', 'AmountBeforeTax="-90.91"'],
    ['CurrencyCode="EUR"', 'CurrencyCode="eur"'],
    ['NumberOfGuests="2"', 'NumberOfGuests="0"'],
    ['NotifType="Overlay"', 'NotifType="Replace"'],
  ] as const) {
    expect(rates).toContain(is);
    expect(faultOf("ota_rates", rates.replace(is, broken))).not.toBe("");
  }
});

test("an answer is a success if it says so and has no error", () => {
  const answer = (inner: string) => `<?xml version="1.0"?><OTA_X xmlns="urn:x">${inner}</OTA_X>`;
  for (const inner of ["<Success/>", "<Success />", "<ota:Success/>", "<Success></Success>"]) {
    expect(isOtaSuccess(answer(inner))).toBeTrue();
  }
  expect(isOtaSuccess(answer("<Success/><Warnings><Warning>late</Warning></Warnings>"))).toBeTrue();
  for (const inner of [
    "",
    '<Errors><Error Type="12" Code="450"/></Errors>',
    "<Success/><Errors><Error/></Errors>",
    "<!-- <Success/> -->",
    "<Successful/>",
    "<!-- <!-- --><!-- <Success/>",
    "&lt;Success/&gt;",
  ]) {
    expect(isOtaSuccess(answer(inner))).toBeFalse();
  }
  expect(otaPing({ echoToken: "evt_1", atMs: NOON })).toContain("<EchoData>innkeep</EchoData>");
});
