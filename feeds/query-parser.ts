/**
 * Parses the untrusted pull `<Query>` of Google and Microsoft. Documented forms:
 *
 * - prices of a stay: `Checkin`, `Nights`, `PropertyList`;
 * - prices of a range of arrivals (after a hint): `FirstDate`, `LastDate`, `Nights`, all lengths up
 *   to it;
 * - prices affected by a range: `FirstDate`, `LastDate`, `AffectedNights`: stays of up to this many
 *   nights that end on the first day or later and start on the last or before;
 * - live: the first form with `@latencySensitive` or `DeadlineMs`; every answer is fast enough;
 * - with context: properties in `PropertyContextList/PropertyContext`, or `Context` beside a list.
 *   A context (guests, country, device) is optional; prices are those of the feed, and each bundle
 *   states its number of guests;
 * - rooms and packages: `HotelInfoProperties`; only from Google.
 *
 * Unknown elements are ignored for compatibility. `HintRequest` is another message and is refused.
 */
import { XMLParser, XMLValidator } from "fast-xml-parser";
import { dateOf, dayOf } from "../engine/core/calendar.ts";
import { childrenOf, type Element, textOf } from "./reading/element.ts";

/** More than partners send in one message; larger requests come as several queries. */
export const QUERY_BYTES_MAX = 256 * 1024;
export const QUERY_PROPERTIES_MAX = 1_000;
/** Properties times stays of a query: about 50 ms of work with a dozen rates per room. */
export const QUERY_ITINERARIES_MAX = 2_000;
const DEPTH_MAX = 8;
/** Opening and closing tags; the parser needs microseconds for each. */
const TAGS_MAX = 6_000;

export interface AskedStay {
  readonly checkInDay: number;
  readonly nights: number;
}

export interface Query {
  /** Properties whose rooms and packages are requested, without duplicates. */
  readonly described: readonly string[];
  /** Properties whose prices are requested. */
  readonly priced: readonly string[];
  readonly stays: readonly AskedStay[];
}

/** A fault at a path like `/Query/Nights`; never contains the text sent. */
export interface QueryFault {
  readonly path: string;
  readonly message: string;
  readonly expected: string;
}

export type QueryReading =
  | { readonly ok: true; readonly query: Query }
  | { readonly ok: false; readonly faults: readonly QueryFault[] };

/** Elements as in `reading/element.ts`, but from an untrusted text. */
const parser = new XMLParser({
  alwaysCreateTextNode: true,
  parseTagValue: false,
  processEntities: false,
  ignoreDeclaration: true,
  isArray: () => true,
  maxNestedTags: DEPTH_MAX,
});

/**
 * Parses a query of a partner with stays of up to `nightsMax`; returns all faults of a well-formed
 * one together. Never throws.
 */
export function readQuery(text: string, nightsMax: number): QueryReading {
  const reading = rootOf(text);
  if (!reading.ok) return reading;
  const { root } = reading;
  const faults: QueryFault[] = [];
  const described = listedIn(root, "HotelInfoProperties", faults);
  const priced = [...listedIn(root, "PropertyList", faults), ...contextual(root, faults)];
  const asksPrices = priced.length > 0 || STAY_ELEMENTS.some((name) => root[name] !== undefined);
  const stays = asksPrices ? staysIn(root, nightsMax, faults) : [];
  const query = {
    described: [...new Set(described)],
    priced: [...new Set(priced)],
    stays,
  };
  faults.push(...sizeFaults(query, asksPrices));
  return faults.length > 0 ? { ok: false, faults } : { ok: true, query };
}

const A_QUERY = "a <Query> message";

/** Other references need a DOCTYPE or are characters that no id has. */
const REFERENCE = /&(?!(?:amp|lt|gt|quot|apos);)/;

function fault(path: string, message: string, expected: string): QueryFault {
  return { path, message, expected };
}

type RootReading =
  | { readonly ok: true; readonly root: Element }
  | Extract<QueryReading, { ok: false }>;

function refused(message: string, expected: string, path = ""): RootReading {
  return { ok: false, faults: [{ path, message, expected }] };
}

function rootOf(text: string): RootReading {
  if (text.trim() === "") return refused("is empty", A_QUERY);
  // Valid queries never contain it, not even in a comment.
  if (/<!(?:DOCTYPE|ENTITY)/i.test(text)) {
    return refused("has a DOCTYPE", "XML without DOCTYPE and entities");
  }
  if (/<\?(?!xml\s)/.test(text)) {
    return refused("has a processing instruction", "only the XML declaration");
  }
  if (countOf("<", text) > TAGS_MAX) {
    return refused("has too many elements", `at most ${TAGS_MAX} tags`);
  }
  if (REFERENCE.test(text)) {
    return refused("has an unknown entity", "only XML's own entities, such as &amp;");
  }
  const [, encoding] = /^\s*<\?xml[^>]*?\sencoding\s*=\s*["']([^"']*)["']/.exec(text) ?? [];
  if (encoding !== undefined && !/^(?:utf-?8|us-ascii)$/i.test(encoding)) {
    return refused("declares an unsupported encoding", "UTF-8");
  }
  // The parser alone accepts unclosed tags.
  const validity = XMLValidator.validate(text);
  if (validity !== true) {
    const { line, col } = validity.err;
    return refused(`is not well-formed XML at line ${line}, column ${col}`, A_QUERY);
  }
  return parsedRoot(text);
}

function countOf(part: string, text: string): number {
  let count = 0;
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + 1)) count += 1;
  return count;
}

function parsedRoot(text: string): RootReading {
  let document: Element;
  try {
    document = parser.parse(text) as Element;
  } catch {
    return refused("is nested too deeply", `at most ${DEPTH_MAX} levels`);
  }
  if (childrenOf(document, "HintRequest").length > 0) {
    return refused("is not supported", A_QUERY, "/HintRequest");
  }
  const [root, ...more] = childrenOf(document, "Query");
  if (root === undefined || more.length > 0)
    return refused("has an unexpected root element", A_QUERY);
  return { ok: true, root };
}

/** The form of our ids, safe to repeat in an answer. */
const ID = /^[\w-]{1,64}$/;

/** The ids of these elements; each must have one. */
function idsIn(parents: readonly Element[], path: string, faults: QueryFault[]): string[] {
  return parents.flatMap((parent) => {
    const ids = childrenOf(parent, "Property").map(textOf);
    const isMissing = ids.length === 0 || ids.includes("");
    if (!isMissing && ids.every((id) => ID.test(id))) return ids;
    const message = isMissing ? "is missing or empty" : "is not an id";
    faults.push(fault(`/Query/${path}/Property`, message, "the id of a property"));
    return [];
  });
}

/** The ids of all lists of that name. */
function listedIn(root: Element, name: string, faults: QueryFault[]): string[] {
  return idsIn(childrenOf(root, name), name, faults);
}

function contextual(root: Element, faults: QueryFault[]): string[] {
  const lists = childrenOf(root, "PropertyContextList");
  const contexts = lists.flatMap((list) => childrenOf(list, "PropertyContext"));
  return idsIn(contexts, "PropertyContextList/PropertyContext", faults);
}

const STAY_ELEMENTS = ["Checkin", "Nights", "FirstDate", "LastDate", "AffectedNights"] as const;
type StayElement = (typeof STAY_ELEMENTS)[number];

/** The text of an element that may occur once; null without it. */
function single(root: Element, name: StayElement, faults: QueryFault[]): string | null {
  const [first, ...more] = childrenOf(root, name);
  if (more.length > 0) faults.push(fault(`/Query/${name}`, "stands twice", "one element"));
  return first === undefined ? null : textOf(first);
}

function staysIn(root: Element, most: number, faults: QueryFault[]): readonly AskedStay[] {
  const before = faults.length;
  const checkIn = dateIn(root, "Checkin", faults);
  const first = dateIn(root, "FirstDate", faults);
  const last = dateIn(root, "LastDate", faults);
  const nights = nightsIn(root, "Nights", most, faults);
  const affected = nightsIn(root, "AffectedNights", most, faults);
  if (checkIn === null && first === null) {
    faults.push(fault("/Query/Checkin", "is missing", "a date, or FirstDate and LastDate"));
  } else if (checkIn !== null && (first ?? last) !== null) {
    faults.push(fault("/Query/FirstDate", "conflicts with Checkin", "one of the two"));
  }
  if (nights === null && (affected === null || checkIn !== null)) {
    faults.push(fault("/Query/Nights", "is missing", upTo(most)));
  } else if (nights !== null && affected !== null) {
    faults.push(fault("/Query/AffectedNights", "conflicts with Nights", "one of the two"));
  }
  if (first !== null && last !== null && last < first) {
    faults.push(fault("/Query/LastDate", "is before FirstDate", `${dateOf(first)} or later`));
  }
  if (faults.length > before) return [];
  if (checkIn !== null) return [{ checkInDay: checkIn, nights: nights! }];
  return staysFrom(first!, last ?? first!, (nights ?? affected)!, affected !== null);
}

/**
 * Stays of up to `nightsMax` nights that start on one of the days; with `touching` also those that
 * start earlier and end on the first day or later. Returns at most one more than the limit.
 */
function staysFrom(first: number, last: number, nightsMax: number, touching: boolean): AskedStay[] {
  const stays: AskedStay[] = [];
  for (let checkInDay = touching ? first - nightsMax : first; checkInDay <= last; checkInDay += 1) {
    for (let nights = Math.max(1, first - checkInDay); nights <= nightsMax; nights += 1) {
      if (stays.length > QUERY_ITINERARIES_MAX) return stays;
      stays.push({ checkInDay, nights });
    }
  }
  return stays;
}

/** NaN, with a fault, for an invalid date; null without the element. */
function dateIn(root: Element, name: StayElement, faults: QueryFault[]): number | null {
  const text = single(root, name, faults);
  if (text === null) return null;
  const day = dayOf(text);
  if (Number.isNaN(day)) {
    faults.push(fault(`/Query/${name}`, "is not a valid date", "a date as YYYY-MM-DD"));
  }
  return day;
}

const upTo = (most: number) => `a whole number from 1 to ${most}`;

/** As `dateIn`. */
function nightsIn(
  root: Element,
  name: StayElement,
  most: number,
  faults: QueryFault[],
): number | null {
  const text = single(root, name, faults);
  if (text === null) return null;
  const nights = /^\d{1,3}$/.test(text) ? Number(text) : 0;
  if (nights >= 1 && nights <= most) return nights;
  faults.push(fault(`/Query/${name}`, "is not a valid number of nights", upTo(most)));
  return Number.NaN;
}

function sizeFaults(query: Query, asksPrices: boolean): QueryFault[] {
  const { described, priced, stays } = query;
  const faults: QueryFault[] = [];
  if (described.length === 0 && priced.length === 0) {
    const expected = "the ids of properties, in PropertyList or HotelInfoProperties";
    const path = asksPrices ? "/Query/PropertyList" : "/Query";
    faults.push(fault(path, "has no property", expected));
  }
  if (described.length + priced.length > QUERY_PROPERTIES_MAX) {
    faults.push(fault("/Query", "has too many properties", `at most ${QUERY_PROPERTIES_MAX}`));
  }
  if (priced.length * stays.length > QUERY_ITINERARIES_MAX) {
    const expected = `properties times stays of at most ${QUERY_ITINERARIES_MAX}`;
    faults.push(fault("/Query", "requests too many itineraries", expected));
  }
  return faults;
}
