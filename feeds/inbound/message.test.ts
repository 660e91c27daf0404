/** Messages in the styles of channel managers, and their faults. */
import { expect, test } from "bun:test";
import type { NamedAri, PropertyTree } from "../../engine/core/supply.ts";
import { propertyTree, ratePlan, roomType } from "../../test/support/builders.ts";
import { resultOf } from "../../test/support/result-of.ts";
import { readXml } from "../reading/untrusted.ts";
import { otaAnswer } from "./answer.ts";
import { ariOfMessage, messageIn, type OtaMessage } from "./message.ts";

const TREE = propertyTree({
  room_types: [
    roomType({ rate_plans: [ratePlan(), ratePlan({ id: "plan-fix", code: "FIX" })] }),
    roomType({ id: "room-twin", code: "TWN", rate_plans: [ratePlan({ id: "plan-twin" })] }),
  ],
});
const DATES = 'Start="2026-12-01" End="2026-12-24"';
const RANGE = { from: "2026-12-01", to: "2026-12-24" };

function messageOf(xml: string): OtaMessage | null {
  const reading = resultOf(readXml(xml, 32));
  if (!reading.ok) throw new Error(reading.fault.message);
  return messageIn(reading.name, reading.root);
}

function received(xml: string, tree: PropertyTree = TREE) {
  return resultOf(ariOfMessage(messageOf(xml)!, tree));
}

/** The update of a message without faults or warnings. */
function ariOf(xml: string, tree?: PropertyTree): NamedAri {
  const { ari, faults, warnings } = received(xml, tree);
  expect([faults, warnings]).toEqual([[], []]);
  return ari;
}

const statuses = (...items: string[]) =>
  '<OTA_HotelAvailNotifRQ EchoToken="t" Version="1.0"><AvailStatusMessages HotelCode="H">' +
  `${items.map((item) => `<AvailStatusMessage${item}</AvailStatusMessage>`).join("")}` +
  "</AvailStatusMessages></OTA_HotelAvailNotifRQ>";
const control = (codes: string) => `<StatusApplicationControl ${DATES} ${codes}/>`;
const plan = control('InvTypeCode="DBL" RatePlanCode="FLEX"');
const room = control('InvTypeCode="DBL"');

test("the style of SiteMinder: SOAP 1.1, one limit per room and product, statuses and lengths", () => {
  const xml = `<?xml version="1.0" encoding="UTF-8"?>
<SOAP-ENV:Envelope xmlns:SOAP-ENV="http://schemas.xmlsoap.org/soap/envelope/">
  <SOAP-ENV:Header><wsse:Security SOAP-ENV:mustUnderstand="1" xmlns:wsse="urn:wsse"/></SOAP-ENV:Header>
  <SOAP-ENV:Body>
    <OTA_HotelAvailNotifRQ xmlns="http://www.opentravel.org/OTA/2003/05" Version="1.0"
      TimeStamp="2026-11-26T09:00:00+00:00" EchoToken="echo-1">
      <AvailStatusMessages HotelCode="HOTEL1">
        <AvailStatusMessage BookingLimitMessageType="SetLimit" BookingLimit="10">
          <StatusApplicationControl ${DATES} Mon="1" Tue="0" Weds="1" Thur="1" Fri="0" Sat="1" Sun="1"
            InvTypeCode="DBL" RatePlanCode="FLEX"/>
          <LengthsOfStay>
            <LengthOfStay MinMaxMessageType="SetMinLOS" TimeUnit="Day" Time="2"/>
            <LengthOfStay MinMaxMessageType="SetMaxLOS" TimeUnit="Day" Time="999"/>
          </LengthsOfStay>
          <RestrictionStatus Status="Open" Restriction="Master" MinAdvancedBookingOffset="P3D"/>
        </AvailStatusMessage>
        <AvailStatusMessage>
          <StatusApplicationControl ${DATES} InvTypeCode="DBL" RatePlanCode="FLEX"/>
          <RestrictionStatus Status="Close" Restriction="Arrival"/>
        </AvailStatusMessage>
      </AvailStatusMessages>
    </OTA_HotelAvailNotifRQ>
  </SOAP-ENV:Body>
</SOAP-ENV:Envelope>`;
  const message = messageOf(xml)!;
  expect(message).toMatchObject({
    ...{ kind: "OTA_HotelAvailNotifRQ", soap: "1.1", hotelCode: "HOTEL1", echoToken: "echo-1" },
    ...{ timeStamp: "2026-11-26T09:00:00+00:00", version: "1.0" },
  });
  const days_of_week = ["mon", "wed", "thu", "sat", "sun"] as const;
  const product = { room_type_id: "DBL", rate_plan_id: "FLEX" };
  expect(ariOf(xml)).toEqual({
    units_left: [{ ...RANGE, days_of_week, ...product, left: 10 }],
    restrictions: [
      {
        ...{ ...RANGE, days_of_week, ...product, min_los_arrival: 2, max_los_arrival: 0 },
        ...{ stop_sell: null, min_advance_days: 3 },
      },
      { ...RANGE, ...product, cta: true },
    ],
  });
});

test("the style of Google: bare, inventory by room, rates for two with taxes, patterns", () => {
  const inventory = `<OTA_HotelInvCountNotifRQ EchoToken="e" Version="3.0"><POS/>
    <Inventories HotelCode="H"><Inventory>${room}
    <InvCounts><InvCount Count="5" CountType="2"/></InvCounts></Inventory></Inventories>
    </OTA_HotelInvCountNotifRQ>`;
  expect(ariOf(inventory)).toEqual({
    units_left: [{ ...RANGE, room_type_id: "DBL", left: 5 }],
  });
  const rates = `<OTA_HotelRateAmountNotifRQ EchoToken="e" Version="3.0" NotifType="Overlay">
    <RateAmountMessages HotelCode="H"><RateAmountMessage>${plan}<Rates><Rate><BaseByGuestAmts>
    <BaseByGuestAmt AmountBeforeTax="100.00" AmountAfterTax="110.00" CurrencyCode="EUR"
    NumberOfGuests="2"/></BaseByGuestAmts><AdditionalGuestAmounts>
    <AdditionalGuestAmount Amount="25" AgeQualifyingCode="10"/></AdditionalGuestAmounts></Rate></Rates>
    </RateAmountMessage></RateAmountMessages></OTA_HotelRateAmountNotifRQ>`;
  const product = { rate_plan_id: "FLEX", room_type_id: "DBL" };
  const amounts = { amount: 11_000, extra_adult: 2_500 };
  expect(ariOf(rates)).toEqual({ rates: [{ ...RANGE, ...product, ...amounts }] });
  const pattern = statuses(`>${plan}<LengthsOfStay FixedPatternLength="4"><LengthOfStay
    MinMaxMessageType="FullPatternLOS"><LOS_Pattern FullPatternLOS="NYYN"/></LengthOfStay>
    </LengthsOfStay>`);
  const restricted = { room_type_id: "DBL", rate_plan_id: "FLEX", los_pattern: "NYYN" };
  expect(ariOf(pattern)).toEqual({ restrictions: [{ ...RANGE, ...restricted }] });
});

test("the style of RateGain: SOAP 1.2 with prefixes, older names, offsets as numbers", () => {
  const xml = `<soap:Envelope xmlns:soap="http://www.w3.org/2003/05/soap-envelope"><soap:Body>
    <ns1:OTA_HotelAvailNotifRQ xmlns:ns1="http://www.opentravel.org/OTA/2003/05" EchoToken="7">
    <ns1:AvailStatusMessages HotelCode="H"><ns1:AvailStatusMessage BookingLimit="4">
    <ns1:StatusApplicationControl Start="2026-12-01T00:00:00" End="2026-12-24" InvCode="DBL"
    InvType="ROOM" Sat="true" Sun="true"/><ns1:LengthsOfStay ArrivalDateBased="false">
    <ns1:LengthOfStay Time="3" TimeUnit="Day" MinMaxMessageType="MinLOS"/></ns1:LengthsOfStay>
    <ns1:RestrictionStatus Status="Close" MaxAdvancedBookingOffset="50" MinAdvancedBookingOffset="-1"/>
    </ns1:AvailStatusMessage></ns1:AvailStatusMessages></ns1:OTA_HotelAvailNotifRQ>
    </soap:Body></soap:Envelope>`;
  expect(messageOf(xml)).toMatchObject({ soap: "1.2", timeStamp: null, version: "1.0" });
  const on = { ...RANGE, days_of_week: ["sat", "sun"] as const, room_type_id: "DBL" };
  const advance = { max_advance_days: 50, min_advance_days: null };
  expect(ariOf(xml)).toEqual({
    units_left: [{ ...on, left: 4 }],
    restrictions: [{ ...on, min_stay_through: 3, stop_sell: true, ...advance }],
  });
});

test("days, offsets and patterns in their other forms", () => {
  const fields = (status: string) => {
    const [range] = ariOf(statuses(`>${plan}${status}`)).restrictions!;
    const { from: _from, to: _to, room_type_id: _room, rate_plan_id: _plan, ...rest } = range!;
    return rest;
  };
  const least = (text: string) => fields(`<RestrictionStatus MinAdvancedBookingOffset="${text}"/>`);
  for (const [text, days] of [
    ["P3D", 3],
    ["3D", 3],
    ["3", 3],
    ["PT48H", 2],
    ["P9999D", 999],
  ] as const) {
    expect(least(text)).toEqual({ min_advance_days: days });
  }
  const most = (text: string) => fields(`<RestrictionStatus MaxAdvancedBookingOffset="${text}"/>`);
  expect(most("P23988D")).toEqual({ max_advance_days: null });
  expect(most("P0D")).toEqual({ max_advance_days: 0 });
  const digits = '<LOS_Pattern FullPatternLOS="0110"/>';
  const length = `<LengthOfStay MinMaxMessageType="FullPatternLOS">${digits}</LengthOfStay>`;
  expect(fields(`<LengthsOfStay>${length}</LengthsOfStay>`)).toEqual({ los_pattern: "NYYN" });
  const weekdays = (text: string) => {
    const item = `BookingLimit="1"><StatusApplicationControl ${DATES} ${text} InvTypeCode="DBL"/>`;
    return ariOf(statuses(` ${item}`)).units_left![0]!.days_of_week;
  };
  expect(weekdays("")).toBeUndefined();
  expect(weekdays('Mon="true"')).toEqual(["mon"]);
  expect(weekdays('Sat="0" Sun="0"')).toEqual(["mon", "tue", "wed", "thu", "fri"]);
  expect(weekdays('Wed="1" Thu="false"')).toEqual(["wed"]);
});

test("counts of physical rooms are a capacity; of both, what is left decides", () => {
  const counts = (inner: string) =>
    `<OTA_HotelInvCountNotifRQ><Inventories HotelCode="H"><Inventory>${room}<InvCounts>${inner}` +
    "</InvCounts></Inventory></Inventories></OTA_HotelInvCountNotifRQ>";
  const at = { ...RANGE, room_type_id: "DBL" };
  const physical = '<InvCount CountType="1" Count="9"/>';
  expect(ariOf(counts(physical))).toEqual({ inventory: [{ ...at, capacity: 9 }] });
  const both = counts(`${physical}<InvCount CountType="2" Count="4"/>`);
  expect(ariOf(both)).toEqual({ units_left: [{ ...at, left: 4 }] });
  const more = received(
    counts('<InvCount CountType="2" Count="4"/><InvCount CountType="6" Count="1"/>'),
  );
  expect(more.faults).toEqual([]);
  expect(more.warnings).toMatchObject([{ type: "3", code: "450", record: 1 }]);
});

const rated = (base: string, target = plan) =>
  `<OTA_HotelRateAmountNotifRQ><RateAmountMessages HotelCode="H"><RateAmountMessage>${target}<Rates>` +
  `<Rate CurrencyCode="EUR">${base}</Rate></Rates></RateAmountMessage></RateAmountMessages>` +
  "</OTA_HotelRateAmountNotifRQ>";
const bases = (...each: string[]) =>
  `<BaseByGuestAmts>${each.map((one) => `<BaseByGuestAmt ${one}/>`).join("")}</BaseByGuestAmts>`;

test("a rate is the amount whose taxes are those of the property", () => {
  const [vat] = TREE.tax_rules;
  const amountIn = (included: readonly boolean[], base: string) => {
    const tax_rules = included.map((included_in_rate) => ({ ...vat!, included_in_rate }));
    const { ari, faults } = received(rated(bases(base)), { ...TREE, tax_rules });
    return ari.rates?.[0]?.amount ?? faults.map(({ code }) => code).join();
  };
  const both = 'AmountBeforeTax="100.5" AmountAfterTax="120.50"';
  expect(amountIn([true, true], both)).toBe(12_050);
  expect(amountIn([false], both)).toBe(10_050);
  expect(amountIn([], 'AmountBeforeTax="100"')).toBe(10_000);
  expect(amountIn([true], 'AmountBeforeTax="100"')).toBe("321");
  expect(amountIn([true, false], both)).toBe("450");
  expect(amountIn([true], `${both} CurrencyCode="USD"`)).toBe("61");
  expect(amountIn([true], 'AmountAfterTax="120.505"')).toBe("320");
  expect(amountIn([true], 'AmountAfterTax="-1"')).toBe("320");
});

test("prices for other guests and for children are ignored with a warning", () => {
  const [two, one] = ["2", "1"].map((n) => `AmountAfterTax="${n}0.00" NumberOfGuests="${n}"`);
  const child = '<AdditionalGuestAmounts><AdditionalGuestAmount Amount="5" AgeQualifyingCode="8"/>';
  const { ari, faults, warnings } = received(
    rated(`${bases(one!, two!)}${child}</AdditionalGuestAmounts>`),
  );
  expect(faults).toEqual([]);
  expect(ari.rates).toMatchObject([{ amount: 2_000 }]);
  expect(warnings.map(({ record, text }) => [record, text])).toEqual([
    [1, "a price was ignored; expected one for 2 adults"],
    [1, "a price of a child was ignored; expected AgeQualifyingCode 10"],
  ]);
  expect(received(rated(bases(one!))).ari).toEqual({});
});

test("every fault has its code and the item's position, and says what is expected", () => {
  const faults = (xml: string) =>
    received(xml).faults.map(({ type, code, record }) => `${type} ${code} ${record}`);
  const good = ` BookingLimit="1">${plan}`;
  const limit = (text: string) => statuses(good, ` BookingLimit="${text}">${plan}`);
  for (const text of ["-1", "60001", "many", "1.5", ""])
    expect(faults(limit(text))).toEqual(["3 320 2"]);
  const dated = (start: string) =>
    statuses(` BookingLimit="1"><StatusApplicationControl ${start} InvTypeCode="DBL"/>`);
  expect(faults(dated('Start="2026-02-30" End="2026-03-01"'))).toEqual(["3 15 1"]);
  expect(faults(dated('Start="01/12/2026"'))).toEqual(["3 15 1", "10 321 1"]);
  expect(faults(statuses(' BookingLimit="1">'))).toEqual(["10 321 1"]);
  expect(faults(statuses(` BookingLimit="1">${control("")}`))).toEqual(["10 321 1"]);
  expect(faults(statuses(` BookingLimit="1">${control('InvTypeCode=""')}`))).toEqual([
    ...["3 402 1", "10 321 1"],
  ]);
  expect(faults(statuses(`>${plan}`))).toEqual(["10 321 1"]);
  expect(faults(statuses())).toEqual(["10 321 null"]);
  const adjusted = ` BookingLimitMessageType="AdjustLimit" BookingLimit="1">${plan}`;
  expect(faults(statuses(adjusted))).toEqual(["3 450 1"]);
  for (const [inner, code] of [
    ['<RestrictionStatus Status="Shut"/>', "320"],
    ['<RestrictionStatus Status="Open" Restriction="NonGuarantee"/>', "450"],
    ['<RestrictionStatus MinAdvancedBookingOffset="P1W"/>', "320"],
    ['<LengthsOfStay><LengthOfStay MinMaxMessageType="SetFixed" Time="2"/></LengthsOfStay>', "450"],
    ['<LengthsOfStay><LengthOfStay MinMaxMessageType="toString" Time="2"/></LengthsOfStay>', "450"],
    [
      '<LengthsOfStay><LengthOfStay MinMaxMessageType="SetMinLOS" Time="2" TimeUnit="Week"/></LengthsOfStay>',
      "320",
    ],
    ['<LengthsOfStay><LengthOfStay MinMaxMessageType="FullPatternLOS"/></LengthsOfStay>', "320"],
  ] as const) {
    expect(faults(statuses(`>${plan}${inner}`))).toEqual([`3 ${code} 1`]);
  }
  const price = bases('AmountAfterTax="1"');
  expect(faults(rated(price, control('InvTypeCode="DBL" RatePlanCode="NONE"')))).toEqual([
    "3 249 1",
  ]);
  expect(faults(rated(price, control('InvTypeCode="NONE" RatePlanCode="FIX"')))).toEqual([
    "3 402 1",
  ]);
  expect(faults(rated(price, control('RatePlanCode="FLEX"')))).toEqual(["3 249 1"]);
  expect(faults(rated(price, control('InvTypeCode="DBL"')))).toEqual(["10 321 1"]);
  expect(faults(rated("", plan))).toEqual(["10 321 1"]);
});

test("other documents are no messages, and one message is about one hotel", () => {
  expect(messageOf("<OTA_PingRQ/>")).toBeNull();
  const soap = 'xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"';
  expect(messageOf(`<s:Envelope ${soap}><s:Body/></s:Envelope>`)).toBeNull();
  const one = statuses();
  expect(messageOf(`<s:Envelope ${soap}><s:Body>${one}${one}</s:Body></s:Envelope>`)).toBeNull();
  expect(messageOf(one.replace(' HotelCode="H"', ""))!.hotelCode).toBeNull();
  const two = one.replace("</OTA", '<AvailStatusMessages HotelCode="I"/></OTA');
  expect(messageOf(two)!.hotelCode).toBeNull();
});

test("an answer has the message's token and form, and at most a hundred faults", () => {
  const message = messageOf(statuses())!;
  const at = Date.parse("2026-11-26T10:00:00Z");
  const none = { errors: [], warnings: [] };
  expect(otaAnswer({ ...message, echoToken: '<"&' }, none, at)).toBe(
    '<?xml version="1.0" encoding="UTF-8"?><OTA_HotelAvailNotifRS ' +
      'xmlns="http://www.opentravel.org/OTA/2003/05" EchoToken="&lt;&quot;&amp;" ' +
      'TimeStamp="2026-11-26T10:00:00Z" Version="1.0"><Success/></OTA_HotelAvailNotifRS>',
  );
  const fault = { type: "3", code: "402", record: 7, text: "a < b" };
  const warned = otaAnswer({ ...message, soap: "1.2" }, { errors: [], warnings: [fault] }, at);
  expect(warned).toContain('<soap:Envelope xmlns:soap="http://www.w3.org/2003/05/soap-envelope">');
  expect(warned).toContain(
    '<Success/><Warnings><Warning Type="3" Code="402" RecordID="7">a &lt; b</Warning></Warnings>',
  );
  const errors = Array.from({ length: 500 }, () => fault);
  const refused = otaAnswer(message, { errors, warnings: [fault] }, at);
  expect(refused.match(/<Error /g)).toHaveLength(100);
  expect(refused).not.toContain("Success");
});
