/**
 * Goal: a channel manager sends what it knows, and one message is applied once, completely or not
 * at all. Method: messages as channel managers post them, to the real service; the calendar, the
 * journal and quotes say what became of them.
 */
import { expect, test } from "bun:test";
import { Random } from "../sim/random.ts";
import {
  createHotel,
  dateIn,
  newHold,
  propertyBody,
  putOnSale,
  stayRequest,
} from "../support/client.ts";
import { serviceOfFile } from "../support/service-of-file.ts";

const service = await serviceOfFile();
const { admin } = service.demo;
const hotel = await createHotel(service, { units: [5, 3] });
const SEED = Number(process.env.SEED ?? 20_261_126);
const PATH = "/v1/admin/ota";
const XML = { "content-type": "application/xml" };

const [channel, elsewhere, reader] = await service.newAgents([
  { kind: "operator", scopes: ["admin:ari"] },
  { kind: "operator", scopes: ["admin:ari"], property_ids: [] },
  { kind: "operator", scopes: ["admin:properties"] },
]);

type Caller = { readonly agent_id: string; readonly secret: string };

function post(raw: string, agent: Caller = channel!, headers: Record<string, string> = XML) {
  return service.api("POST", PATH, { agent, raw, headers });
}

const basic = ({ agent_id, secret }: Caller) =>
  `Basic ${Buffer.from(`${agent_id}:${secret}`).toString("base64")}`;

const range = (from: number, to = from) => `Start="${dateIn(from)}" End="${dateIn(to)}"`;

interface Terms {
  readonly token?: string;
  readonly at?: string;
  readonly code?: string;
}

const HEAD = 'xmlns="http://www.opentravel.org/OTA/2003/05" Version="1.0"';

/** A message of statuses. */
function statuses(items: readonly string[], { token, at, code = hotel.slug }: Terms = {}): string {
  const echo = token === undefined ? "" : ` EchoToken="${token}"`;
  const time = at === undefined ? "" : ` TimeStamp="${at}"`;
  const inner = items.map((item) => `<AvailStatusMessage${item}</AvailStatusMessage>`).join("");
  const list = `<AvailStatusMessages HotelCode="${code}">${inner}</AvailStatusMessages>`;
  return `<OTA_HotelAvailNotifRQ ${HEAD}${echo}${time}>${list}</OTA_HotelAvailNotifRQ>`;
}

const left = (units: number, day: number, codes = 'InvTypeCode="R0"') =>
  ` BookingLimit="${units}"><StatusApplicationControl ${range(day)} ${codes}/>`;

/** The first room type's night, as the calendar has it. */
async function night(day: number) {
  const query = `from=${dateIn(day)}&to=${dateIn(day)}&room_type=R0`;
  const path = `/v1/admin/properties/${hotel.id}/ari?${query}`;
  const answer = await service.api("GET", path, { agent: admin });
  type Night = { readonly left: number; readonly capacity: number; readonly rate_plans: object[] };
  const { room_types } = answer.ok<{ room_types: { nights: Night[] }[] }>().data;
  return room_types[0]!.nights[0]!;
}

async function lastSeq(): Promise<number> {
  const events = await service.api("GET", "/v1/admin/events?after_seq=0", { agent: admin });
  return events.ok<{ head_seq: number }>().data.head_seq;
}

test("units left are left beside holds, in an answer of the message's form", async () => {
  await newHold(service, stayRequest(hotel, { inDays: 40, nights: 1 }));
  const answer = await post(statuses([left(2, 40)], { token: "first" }));
  expect([answer.status, answer.headers.get("content-type")]).toEqual([
    ...[200, "application/xml; charset=utf-8"],
  ]);
  expect(answer.text).toMatch(
    /^<\?xml version="1.0" encoding="UTF-8"\?><OTA_HotelAvailNotifRS xmlns="[^"]+" EchoToken="first" TimeStamp="[^"]+Z" Version="1.0"><Success\/><\/OTA_HotelAvailNotifRS>$/,
  );
  expect(await night(40)).toMatchObject({ held: 1, left: 2, capacity: 3 });
});

test("SOAP is answered as SOAP, and agent id and secret are taken as HTTP Basic", async () => {
  for (const [namespace, type] of [
    ["http://schemas.xmlsoap.org/soap/envelope/", "text/xml"],
    ["http://www.w3.org/2003/05/soap-envelope", "application/soap+xml"],
  ] as const) {
    const inner = statuses([left(4, 41)]);
    const raw = `<s:Envelope xmlns:s="${namespace}"><s:Body>${inner}</s:Body></s:Envelope>`;
    const headers = { "content-type": `${type}; charset=utf-8`, authorization: basic(channel!) };
    const answer = await service.api("POST", PATH, { raw, headers });
    expect([answer.status, answer.headers.get("content-type")]).toEqual([
      ...[200, `${type}; charset=utf-8`],
    ]);
    expect(answer.text).toContain(`<soap:Envelope xmlns:soap="${namespace}"><soap:Body><OTA_`);
    expect(answer.text).toContain("<Success/>");
  }
});

test("a wrong credential, another scope or another scheme is refused before the message", async () => {
  const raw = statuses([left(1, 42)]);
  const send = (authorization: string) =>
    service.api("POST", PATH, { raw, headers: { ...XML, authorization } });
  const wrong = { ...channel!, secret: reader!.secret };
  const refused = await send(basic(wrong));
  expect(refused.refused("unauthenticated").detail).toMatchObject({ reason: "unknown_credential" });
  expect(refused.headers.get("www-authenticate")).toContain('Basic realm="innkeep"');
  (await send("Basic !")).refused("unauthenticated");
  (await service.api("POST", PATH, { agent: null, raw, headers: XML })).refused("unauthenticated");
  (await post(raw, reader!)).refused("forbidden");
  (await post(raw, service.demo.agent)).refused("principal_kind_not_allowed");
  // Basic is for this route alone.
  const path = "/v1/admin/properties";
  const headers = { authorization: basic(admin) };
  (await service.api("GET", path, { headers })).refused("unauthenticated");
  expect(await night(42)).toMatchObject({ left: 5 });
});

test("a repeated token is applied once, another time or no token again", async () => {
  const terms = { token: "once", at: "2026-11-26T10:00:00Z" };
  const before = await lastSeq();
  expect((await post(statuses([left(1, 43)], terms))).text).toContain("<Success/>");
  const [one, again] = [await lastSeq(), await post(statuses([left(1, 43)], terms))];
  expect(one).toBe(before + 1);
  expect(again.headers.get("idempotent-replayed")).toBe("true");
  expect((await post(statuses([left(3, 43)]))).text).toContain("<Success/>");
  // The first message again, late: it is known, and the newer value stays.
  expect((await post(statuses([left(1, 43)], terms))).text).toContain("<Success/>");
  expect([await lastSeq(), (await night(43)).left]).toEqual([before + 2, 3]);
  const other = await post(statuses([left(2, 43)], terms));
  expect(other.text).toContain('<Error Type="3" Code="450">EchoToken and TimeStamp are those');
  expect((await night(43)).left).toBe(3);
  const later = { ...terms, at: "2026-11-26T10:05:00Z" };
  expect((await post(statuses([left(2, 43)], later))).text).toContain("<Success/>");
  expect([await lastSeq(), (await night(43)).left]).toEqual([before + 3, 2]);
  // Repeated values without a token write nothing.
  expect((await post(statuses([left(2, 43)]))).text).toContain("<Success/>");
  expect(await lastSeq()).toBe(before + 3);
});

test("a hundred messages at once with one token are one row", async () => {
  const before = await lastSeq();
  const raw = statuses([left(4, 44)], { token: "race", at: "2026-11-26T10:00:00Z" });
  const answers = await Promise.all(Array.from({ length: 100 }, () => post(raw)));
  expect(answers.every(({ status, text }) => status === 200 && text.includes("<Success/>"))).toBe(
    true,
  );
  expect(await lastSeq()).toBe(before + 1);
});

test("a message with a fault changes nothing, and names the item and the code", async () => {
  const before = await lastSeq();
  const answer = await post(
    statuses([left(1, 45), left(1, 45, 'InvTypeCode="NONE"'), left(1, 1_500), left(1, -900)]),
  );
  expect(answer.status).toBe(200);
  expect(answer.text).not.toContain("Success");
  const faults = [...answer.text.matchAll(/<Error Type="(\d+)" Code="(\d+)" RecordID="(\d+)">/g)];
  expect(faults.map(([, type, code, record]) => `${type} ${code} ${record}`).sort()).toEqual([
    ...["3 15 3", "3 402 2"],
  ]);
  expect(answer.text).toContain("expected id or code of a room type of this property: R0, R1");
  for (const code of ["no-such-hotel", "", "x".repeat(300)]) {
    const unknown = await post(statuses([left(1, 45)], { code }));
    expect(unknown.text).toContain('<Error Type="3" Code="392">');
  }
  const denied = await post(statuses([left(1, 45)]), elsewhere!);
  expect(denied.text).toContain('<Error Type="6" Code="392">');
  const none = await post(statuses([left(1, 45)]).replace(/ HotelCode="[^"]*"/, ""));
  expect(none.text).toContain('<Error Type="10" Code="321">');
  expect(await lastSeq()).toBe(before);
});

test("a property is named by its external code too, and closed as its plans and rooms are", async () => {
  const body = { ...propertyBody(), external_code: `CM-${crypto.randomUUID().slice(0, 8)}` };
  await putOnSale(service, body, admin);
  const [room] = body.room_types;
  const [flex] = room!.rate_plans;
  const ids = { hotel_id: body.id, room_type_id: room!.id, rate_plan_id: flex!.id };
  const reasons = async (nights: number) => {
    const stay = { check_in: dateIn(46), check_out: dateIn(46 + nights) };
    const request = { ...ids, stay, guests: { adults: 2 } };
    const quoted = await service.api("POST", "/v1/quotes", {
      agent: service.demo.agent,
      body: request,
    });
    const { availability } = quoted.ok<{ availability: { blocking?: { reason: string }[] } }>(
      201,
    ).data;
    return availability.blocking?.map(({ reason }) => reason) ?? [];
  };
  const send = async (item: string, codes: string) => {
    const status = `><StatusApplicationControl ${range(46)} ${codes}/>${item}`;
    const answer = await post(statuses([status], { code: body.external_code }));
    expect(answer.text).toContain("<Success/>");
  };
  const plan = 'InvTypeCode="R0" RatePlanCode="FLEX"';
  const master = (word: string) => `<RestrictionStatus Status="${word}" Restriction="Master"/>`;
  await send(master("Close"), 'InvTypeCode="R0"');
  await send(master("Open"), plan);
  expect(await reasons(1)).toEqual(["stop_sell"]);
  await send(master("Open"), 'InvTypeCode="R0"');
  expect(await reasons(1)).toEqual([]);
  const pattern = '<LOS_Pattern FullPatternLOS="NYN"/>';
  const length = `<LengthOfStay MinMaxMessageType="FullPatternLOS">${pattern}</LengthOfStay>`;
  await send(`<LengthsOfStay>${length}</LengthsOfStay>`, plan);
  await send('<RestrictionStatus MinAdvancedBookingOffset="P47D"/>', plan);
  expect(await reasons(1)).toEqual(["min_advance", "stay_pattern"]);
  expect(await reasons(2)).toEqual(["min_advance"]);
});

test("rates are set for the guests that they include; others are answered with a warning", async () => {
  const base = (guests: number, amount: string) =>
    `<BaseByGuestAmt AmountAfterTax="${amount}" CurrencyCode="EUR" NumberOfGuests="${guests}"/>`;
  const control = `<StatusApplicationControl ${range(47)} InvTypeCode="R0" RatePlanCode="FLEX"/>`;
  const rates = `<Rates><Rate><BaseByGuestAmts>${base(1, "90")}${base(2, "123.45")}</BaseByGuestAmts></Rate></Rates>`;
  const message = (inner: string) =>
    `<OTA_HotelRateAmountNotifRQ ${HEAD}><RateAmountMessages HotelCode="${hotel.id}"><RateAmountMessage>${control}${inner}</RateAmountMessage></RateAmountMessages></OTA_HotelRateAmountNotifRQ>`;
  const answer = await post(message(rates));
  expect(answer.text).toContain("<Success/><Warnings><Warning ");
  expect((await night(47)).rate_plans).toMatchObject([{ code: "FLEX", amount: 12_345 }, {}]);
  const foreign = await post(message(rates.replaceAll("EUR", "USD")));
  expect(foreign.text).toContain('Code="61"');
  const before = await lastSeq();
  const warned = await post(
    message(`<Rates><Rate><BaseByGuestAmts>${base(1, "90")}</BaseByGuestAmts></Rate></Rates>`),
  );
  expect(warned.text).toContain("<Success/><Warnings>");
  expect(await lastSeq()).toBe(before);
});

test("what is no message is refused: types, document types, entities, depth and size", async () => {
  const faults = async (raw: string, headers = XML) => {
    const { detail } = (await post(raw, channel!, headers)).refused("validation_failed");
    return detail.field_errors?.map(({ message }) => message).join();
  };
  const raw = statuses([left(1, 48)]);
  expect(await faults(raw, { "content-type": "application/json" })).toBe("is not XML");
  expect(await faults(`<!DOCTYPE x [<!ENTITY y "z">]>${raw}`)).toBe("has a DOCTYPE");
  expect(await faults(raw.replace(hotel.slug, "&x;"))).toBe("has an unknown entity");
  expect(await faults("<a>".repeat(33))).toBe("is nested too deeply");
  expect(await faults(`${raw}${" ".repeat(2 * 1024 * 1024)}`)).toBe("is too large");
  expect(await faults("")).toBe("is empty");
  expect(await faults("<OTA_PingRQ/>")).toBe("is not a known message");
  expect(await faults(raw.slice(0, -9))).toBe("is not well-formed XML at line 1");
});

test("a message of two megabytes is answered while others are served", async () => {
  const items = Array.from({ length: 7_000 }, (_, i) => {
    const codes = `InvTypeCode="R${i % 2}" RatePlanCode="${i % 3 ? "FLEX" : "FIX"}"`;
    const closed = '<RestrictionStatus Status="Close" Restriction="Arrival"/>';
    return `><StatusApplicationControl ${range(100 + (i % 600))} ${codes}/>${closed}`;
  });
  const raw = statuses(items);
  expect(raw.length).toBeWithin(1_000_000, 2 * 1024 * 1024);
  const sent = post(raw);
  let slowestMs = 0;
  let isAnswered = false;
  void sent.finally(() => {
    isAnswered = true;
  });
  while (!isAnswered) {
    const startedMs = performance.now();
    (await service.api("GET", "/v1/properties", { agent: service.demo.agent })).ok();
    slowestMs = Math.max(slowestMs, performance.now() - startedMs);
  }
  const { status, text } = await sent;
  expect(status).toBe(200);
  expect(text).toMatch(/<Success\/>|expected it to be split/);
  console.log(`${raw.length} bytes: the slowest other call took ${slowestMs.toFixed(0)} ms`);
});

test("no damaged message is an internal error, and none that fails changes anything", async () => {
  const random = new Random(SEED);
  const whole = statuses([left(1, 49), left(2, 50, 'InvTypeCode="R1" RatePlanCode="FIX"')]);
  const parts = [
    "<",
    ">",
    '"',
    "&amp;",
    "&#65;",
    "]]>",
    "<!--",
    "<x/>",
    "999999999",
    "0",
    "É",
    "\u0000",
  ];
  const counts = new Map<string, number>();
  for (let i = 0; i < 300; i += 1) {
    let raw = whole;
    for (let n = random.between(1, 4); n > 0; n -= 1) {
      const at = random.below(raw.length);
      const until = random.chance(50) ? at : at + random.below(12);
      raw = raw.slice(0, at) + (random.chance(70) ? random.pick(parts) : "") + raw.slice(until);
    }
    const { status, text } = await post(raw);
    expect([200, 400], `seed ${SEED}: ${raw}`).toContain(status);
    const kind = status === 400 ? "refused" : text.includes("<Errors>") ? "errors" : "success";
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  console.log(`seed ${SEED}: ${JSON.stringify(Object.fromEntries(counts))}`);
  expect([...counts.keys()].sort()).toEqual(["errors", "refused", "success"]);
});
