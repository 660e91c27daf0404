import { expect, test } from "bun:test";
import { dateOf } from "../engine/core/calendar.ts";
import { cpuMsOf } from "../test/support/cpu.ts";
import {
  QUERY_BYTES_MAX,
  QUERY_ITINERARIES_MAX,
  QUERY_PROPERTIES_MAX,
  type Query,
  readQuery,
} from "./query-parser.ts";

const DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n';
const LIST = "<PropertyList><Property>p1</Property></PropertyList>";

const NIGHTS_MAX = 30;

function readable(xml: string): Query {
  const reading = readQuery(xml, NIGHTS_MAX);
  if (!reading.ok) throw new Error(JSON.stringify(reading.faults));
  return reading.query;
}

/** Path and message of every fault. */
function faultsOf(xml: string): string[] {
  const reading = readQuery(xml, NIGHTS_MAX);
  return reading.ok ? [] : reading.faults.map(({ path, message }) => `${path} ${message}`);
}

function stays(query: Query): string[] {
  return query.stays.map(({ checkInDay, nights }) => `${dateOf(checkInDay)}+${nights}`);
}

test("reads a query for one stay of several properties, each once", () => {
  const query = readable(`${DECLARATION}
    <Query>
      <Checkin>2018-06-10</Checkin>
      <Nights>3</Nights>
      <PropertyList>
        <Property>pid5</Property><Property> pid8 </Property>
        <Property>007</Property><Property>pid5</Property>
      </PropertyList>
    </Query>`);
  expect(query.priced).toEqual(["pid5", "pid8", "007"]);
  expect(query.described).toEqual([]);
  expect(stays(query)).toEqual(["2018-06-10+3"]);
});

test("reads a live query with its context", () => {
  const query = readable(`${DECLARATION}<Query latencySensitive="true">
    <Checkin>2017-06-07</Checkin><Nights>5</Nights><DeadlineMs>500</DeadlineMs>
    <PropertyList><Property>8675309</Property></PropertyList>
    <Context><Occupancy>4</Occupancy><OccupancyDetails><NumAdults>2</NumAdults>
      <Children><Child age="8"/><Child age="5"/></Children></OccupancyDetails>
      <UserCountry>US</UserCountry><UserDevice>mobile</UserDevice></Context>
  </Query>`);
  expect(query.priced).toEqual(["8675309"]);
  expect(stays(query)).toEqual(["2017-06-07+5"]);
});

test("reads the properties of contexts", () => {
  const query = readable(`<Query><Checkin>2026-06-07</Checkin><Nights>1</Nights>
    <PropertyContextList>
      <PropertyContext><Property>a</Property><Context><Occupancy>2</Occupancy></Context>
      </PropertyContext>
      <PropertyContext><Property>b</Property></PropertyContext>
    </PropertyContextList></Query>`);
  expect(query.priced).toEqual(["a", "b"]);
});

test("reads a query for rooms and packages", () => {
  const list = "<Property>pid5</Property><Property>pid8</Property>";
  const query = readable(`<Query><HotelInfoProperties>${list}</HotelInfoProperties></Query>`);
  expect(query.described).toEqual(["pid5", "pid8"]);
  expect(query.priced).toEqual([]);
  expect(query.stays).toEqual([]);
});

test("a range of arrivals means every length up to its nights on each of its days", () => {
  const range = "<FirstDate>2017-10-20</FirstDate><LastDate>2017-10-25</LastDate>";
  const query = readable(`<Query>${range}<Nights>3</Nights>${LIST}</Query>`);
  expect(query.stays).toHaveLength(18);
  expect(stays(query).slice(0, 4)).toEqual([
    ...["2017-10-20+1", "2017-10-20+2", "2017-10-20+3"],
    "2017-10-21+1",
  ]);
  expect(stays(query).at(-1)).toBe("2017-10-25+3");
});

test("affected nights include stays that begin before the range and reach it", () => {
  const range = "<FirstDate>2017-10-20</FirstDate><LastDate>2017-10-25</LastDate>";
  const query = readable(`<Query>${range}<AffectedNights>3</AffectedNights>${LIST}</Query>`);
  expect(stays(query).slice(0, 7)).toEqual([
    ...["2017-10-17+3", "2017-10-18+2", "2017-10-18+3"],
    ...["2017-10-19+1", "2017-10-19+2", "2017-10-19+3", "2017-10-20+1"],
  ]);
  expect(query.stays).toHaveLength(6 + 18);
});

test("a range without its last day is one day", () => {
  const query = readable(
    `<Query><FirstDate>2026-02-28</FirstDate><Nights>2</Nights>${LIST}</Query>`,
  );
  expect(stays(query)).toEqual(["2026-02-28+1", "2026-02-28+2"]);
});

test("ignores unknown elements, and accepts UTF-8 with a byte order mark and CDATA", () => {
  const query = readable(`\ufeff${DECLARATION}<!-- from a partner -->
    <Query version="2"><New><Deep>1</Deep></New><Checkin><![CDATA[2026-06-07]]></Checkin>
    <Nights unit="night">2</Nights>${LIST}</Query>`);
  expect(stays(query)).toEqual(["2026-06-07+2"]);
});

const ENTITY = '<!DOCTYPE Query [<!ENTITY x SYSTEM "file:///etc/passwd">]>';
const BILLION = '<!DOCTYPE Query [<!ENTITY a "aa"><!ENTITY b "&a;&a;&a;">]>';

test.each([
  ["nothing", "", " is empty"],
  ["blanks", " \n\t", " is empty"],
  ["text", "hello", " is not well-formed XML at line 1, column 1"],
  ["JSON", '{"Query":{}}', " is not well-formed XML at line 1, column 1"],
  ["an external entity", `${ENTITY}<Query>&x;</Query>`, " has a DOCTYPE"],
  ["entities that grow", `${BILLION}<Query>&b;</Query>`, " has a DOCTYPE"],
  ["a document type in a comment", "<!-- <!doctype a> --><Query/>", " has a DOCTYPE"],
  ["an entity of nobody", "<Query>&x;</Query>", " has an unknown entity"],
  ["a bare ampersand", "<Query>a & b</Query>", " has an unknown entity"],
  ["an instruction", "<?php echo 1 ?><Query/>", " has a processing instruction"],
  ["a hail of tags", `<Query>${"<a/>".repeat(6_001)}</Query>`, " has too many elements"],
  ["no character", "<Query><Nights>&#1114112;</Nights></Query>", " has an unknown"],
  [
    "UTF-16 by its word",
    '<?xml version="1.0" encoding="UTF-16"?><Query/>',
    " declares an unsupported",
  ],
  ["Latin 1", "<?xml version='1.0' encoding='ISO-8859-1'?><Query/>", " declares an unsupported"],
  ["an open element", "<Query><Checkin>", " is not well-formed XML"],
  ["crossed elements", "<Query><a><b></a></b></Query>", " is not well-formed XML"],
  ["an attribute twice", '<Query a="1" a="2"/>', " is not well-formed XML"],
  ["two roots", "<Query></Query><Query></Query>", " is not well-formed XML"],
  ["another root", "<Transaction/>", " has an unexpected root element"],
  ["a hint request", '<HintRequest id="1"/>', "/HintRequest is not supported"],
  ["a namespace prefix", '<q:Query xmlns:q="u"></q:Query>', " has an unexpected root element"],
  ["a name of JavaScript", "<__proto__><Query/></__proto__>", " "],
  ["too deep a nest", `${"<Query>".repeat(20)}${"</Query>".repeat(20)}`, " is nested too deeply"],
])("refuses %s", (_what, xml, expected) => {
  const [first, ...more] = faultsOf(xml);
  expect(first).toStartWith(expected);
  expect(more).toEqual([]);
});

test("lists every fault of a well-formed query", () => {
  expect(faultsOf("<Query/>")).toEqual(["/Query has no property"]);
  expect(faultsOf(`<Query>${LIST}</Query>`)).toEqual([
    "/Query/Checkin is missing",
    "/Query/Nights is missing",
  ]);
  const wrong = "<Checkin>2026-02-30</Checkin><Nights>0</Nights><Nights>1</Nights>";
  expect(faultsOf(`<Query>${wrong}<PropertyList/></Query>`)).toEqual([
    "/Query/PropertyList/Property is missing or empty",
    "/Query/Checkin is not a valid date",
    "/Query/Nights stands twice",
    "/Query/Nights is not a valid number of nights",
    "/Query/PropertyList has no property",
  ]);
});

test.each([
  ["<FirstDate>2026-02-02</FirstDate><LastDate>2026-02-01</LastDate>", "LastDate is before"],
  ["<Checkin>2026-02-02</Checkin><FirstDate>2026-02-01</FirstDate>", "FirstDate conflicts with"],
  ["<Checkin>2026-02-02</Checkin><AffectedNights>2</AffectedNights>", "AffectedNights conflicts"],
  ["<LastDate>2026-02-02</LastDate>", "Checkin is missing"],
])("refuses %s", (elements, expected) => {
  const [first] = faultsOf(`<Query>${elements}<Nights>1</Nights>${LIST}</Query>`);
  expect(first).toStartWith(`/Query/${expected}`);
});

test.each(["0", "31", "-1", "1.0", "1e1", "0x1", "", "999999999999"])("refuses %p nights", (n) => {
  const faults = faultsOf(
    `<Query><Checkin>2026-02-02</Checkin><Nights>${n}</Nights>${LIST}</Query>`,
  );
  expect(faults).toEqual(["/Query/Nights is not a valid number of nights"]);
});

test("stays up to the partner's maximum length are accepted, and not a night longer", () => {
  const ask = (element: string, nights: number, nightsMax: number) =>
    readQuery(
      `<Query><FirstDate>2026-02-02</FirstDate><${element}>${nights}</${element}>${LIST}</Query>`,
      nightsMax,
    );
  for (const element of ["Nights", "AffectedNights"]) {
    expect(ask(element, 14, 14).ok).toBeTrue();
    expect(ask(element, 15, 14)).toEqual({
      ok: false,
      faults: [
        {
          path: `/Query/${element}`,
          message: "is not a valid number of nights",
          expected: "a whole number from 1 to 14",
        },
      ],
    });
  }
});

test.each(["a b", "a&lt;b", "x".repeat(65), "é"])("no property has the id %p", (id) => {
  const asked = `<Checkin>2026-02-02</Checkin><Nights>1</Nights>`;
  const faults = faultsOf(
    `<Query>${asked}<PropertyList><Property>${id}</Property></PropertyList></Query>`,
  );
  expect(faults[0]).toBe("/Query/PropertyList/Property is not an id");
});

test("an invalid date is reported once, and not as a missing one", () => {
  const day = "2026-02-30";
  const faults = (elements: string) =>
    faultsOf(`<Query>${elements}<Nights>1</Nights>${LIST}</Query>`);
  const wrong = "is not a valid date";
  expect(faults(`<Checkin>${day}</Checkin>`)).toEqual([`/Query/Checkin ${wrong}`]);
  expect(faults(`<FirstDate>${day}</FirstDate><LastDate>2026-02-01</LastDate>`)).toEqual([
    `/Query/FirstDate ${wrong}`,
  ]);
  expect(faults(`<FirstDate>2026-02-01</FirstDate><LastDate>${day}</LastDate>`)).toEqual([
    `/Query/LastDate ${wrong}`,
  ]);
});

test("no fault repeats the input", () => {
  const secret = "s3cr3t";
  const xml = `<Query><Checkin>${secret}</Checkin><Nights>${secret}</Nights><${secret}/></Query>`;
  expect(JSON.stringify(readQuery(xml, NIGHTS_MAX))).not.toContain(secret);
  expect(JSON.stringify(readQuery(`<Query><${secret}></Query>`, NIGHTS_MAX))).not.toContain(secret);
});

function listOf(count: number): string {
  const ids = Array.from({ length: count }, (_, i) => `<Property>p${i}</Property>`);
  return `<PropertyList>${ids.join("")}</PropertyList>`;
}

test("accepts as many properties and itineraries as the limits allow and not one more", () => {
  const stay = "<Checkin>2026-02-02</Checkin><Nights>1</Nights>";
  const most = readable(`<Query>${stay}${listOf(QUERY_PROPERTIES_MAX)}</Query>`);
  expect(most.priced).toHaveLength(QUERY_PROPERTIES_MAX);
  expect(faultsOf(`<Query>${stay}${listOf(QUERY_PROPERTIES_MAX + 1)}</Query>`)).toEqual([
    "/Query has too many properties",
  ]);
  const range = (days: number, nights: number) =>
    `<FirstDate>2026-01-01</FirstDate><LastDate>${dateOf(20454 + days - 1)}</LastDate>` +
    `<Nights>${nights}</Nights>`;
  const exact = readable(`<Query>${range(20, 10)}${listOf(10)}</Query>`);
  expect(exact.stays.length * exact.priced.length).toBe(QUERY_ITINERARIES_MAX);
  expect(faultsOf(`<Query>${range(21, 10)}${listOf(10)}</Query>`)).toEqual([
    "/Query requests too many itineraries",
  ]);
});

test("a hostile query of the largest size is read or refused quickly", () => {
  const whole = "<Query><FirstDate>0000-01-01</FirstDate><LastDate>9999-12-31</LastDate>";
  const hostile = [
    `${whole}<Nights>30</Nights>${LIST}</Query>`,
    "<a>".repeat(QUERY_BYTES_MAX / 3),
    "<".repeat(QUERY_BYTES_MAX),
    "<!--".repeat(QUERY_BYTES_MAX / 4),
    `<Query ${'a="" '.repeat(QUERY_BYTES_MAX / 5)}/>`,
    `<Query ${" ".repeat(QUERY_BYTES_MAX)}`,
    `<Query>${" ".repeat(QUERY_BYTES_MAX)}x</Query>`,
    `<Query>${"<Nights/>".repeat(QUERY_BYTES_MAX / 9)}</Query>`,
    `<Query>${"<Nights/>".repeat(5_998)}</Query>`,
    `<Query>${"<![CDATA[x]]>".repeat(QUERY_BYTES_MAX / 13)}</Query>`,
    `<Query>${"&amp;".repeat(QUERY_BYTES_MAX / 5)}</Query>`,
    `<Query>${"<?x?>".repeat(QUERY_BYTES_MAX / 5)}</Query>`,
    `<?xml ${" ".repeat(QUERY_BYTES_MAX)}`,
    `<Query a="${"b".repeat(QUERY_BYTES_MAX)}`,
    `<Query><${"a".repeat(QUERY_BYTES_MAX)}></Query>`,
  ];
  const tookMs = hostile.map((xml) => Math.round(cpuMsOf(() => readQuery(xml, NIGHTS_MAX))));
  expect(Math.max(...tookMs), JSON.stringify(tookMs)).toBeLessThan(3_000);
});
