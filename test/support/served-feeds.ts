/**
 * Feeds as their partners see them: fetched as bytes, held against the schemas by another program,
 * and read without any of the code that writes them.
 */
import { XMLParser } from "fast-xml-parser";
import type { Service } from "./service.ts";
import { type FeedSchema, validate } from "./xmllint.ts";

/** Longer than a first asker waits at most. */
const LIMIT_MS = 40_000;
/** A machine that takes longer for a build is broken. */
const ASKED_MAX = 4;

export const DOCUMENTS = ["hotel-list", "ari", "pointofsale"] as const;
export type DocumentName = (typeof DOCUMENTS)[number];

const SCHEMA_OF: Readonly<Record<DocumentName, FeedSchema>> = {
  "hotel-list": "hotel-list",
  ari: "transaction",
  pointofsale: "point-of-sale",
};

export interface Fetched {
  readonly status: number;
  readonly headers: Headers;
  /** As they came: compressed when `content-encoding` says so. */
  readonly bytes: Uint8Array<ArrayBuffer>;
}

export interface FetchOptions {
  readonly method?: "GET" | "HEAD";
  readonly headers?: Readonly<Record<string, string>>;
}

/** Fetches a path of the service; without `accept-encoding` among the headers, uncompressed. */
export async function fetchFeed(
  { baseUrl }: Pick<Service, "baseUrl">,
  path: string,
  { method = "GET", headers = {} }: FetchOptions = {},
): Promise<Fetched> {
  const response = await fetch(baseUrl + path, {
    method,
    headers: { "accept-encoding": "identity", ...headers },
    signal: AbortSignal.timeout(LIMIT_MS),
    decompress: false,
    redirect: "manual",
  });
  const bytes = new Uint8Array(await response.arrayBuffer());
  return { status: response.status, headers: response.headers, bytes };
}

/** The same, asked for until it has been built: who asks first may be told to ask again. */
export async function fetchBuilt(
  service: Pick<Service, "baseUrl">,
  path: string,
): Promise<Fetched> {
  for (let asked = 1; ; asked += 1) {
    const answer = await fetchFeed(service, path);
    const again = answer.headers.get("retry-after");
    if (answer.status !== 503 || again === null || asked === ASKED_MAX) return answer;
    await Bun.sleep(Number(again) * 1_000);
  }
}

/** Where a document of a partner is served. */
export function feedPath(
  partner: string,
  document: DocumentName,
  query: Readonly<Record<string, string | number>> = {},
): string {
  const search = Object.entries(query)
    .map(([name, value]) => `${name}=${value}`)
    .join("&");
  return `/feeds/${partner}/${document}.xml${search ? `?${search}` : ""}`;
}

/** The text of a document; throws unless it was answered with 200. */
export function textOf({ status, bytes }: Fetched): string {
  const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  if (status !== 200) throw new Error(`answered ${status}: ${text.slice(0, 500)}`);
  return text;
}

/** Throws what another program has against a document under its schema. */
export function expectValid(document: DocumentName, content: string | Uint8Array): void {
  validate(SCHEMA_OF[document], content);
}

export interface Money {
  readonly currency: string;
  /** As it stands in the document. */
  readonly text: string;
}

export interface Price {
  readonly base: Money;
  readonly tax: Money;
  readonly fees: Money;
}

export interface ReadBundle extends Price {
  readonly room: string;
  readonly plan: string;
  readonly adults: number;
}

export interface ReadResult {
  readonly property: string;
  readonly checkIn: string;
  readonly nights: number;
  readonly isUnavailable: boolean;
  /** The price of the stay itself; null where it has none. */
  readonly price: Price | null;
  readonly bundles: readonly ReadBundle[];
}

const parser = new XMLParser({
  ...{ ignoreAttributes: false, attributeNamePrefix: "@", textNodeName: "text" },
  ...{ parseTagValue: false, parseAttributeValue: false, processEntities: false },
  isArray: (name) => name === "Result" || name === "RoomBundle" || name === "PropertyDataSet",
});

type Parsed = Readonly<Record<string, unknown>>;

function moneyOf(value: unknown): Money {
  const { "@currency": currency, text } = value as Readonly<Record<string, string>>;
  return { currency: currency!, text: text! };
}

function priceOf({ Baserate, Tax, OtherFees }: Parsed): Price {
  return { base: moneyOf(Baserate), tax: moneyOf(Tax), fees: moneyOf(OtherFees) };
}

function bundleOf(bundle: Parsed): ReadBundle {
  const { RoomID, PackageID, Occupancy } = bundle;
  const ids = { room: String(RoomID), plan: String(PackageID) };
  return { ...ids, adults: Number(Occupancy), ...priceOf(bundle) };
}

/** Reads one element `Result`. */
export function readResult(xml: string): ReadResult {
  const [result] = parser.parse(xml).Result as [Parsed];
  const price = result.Baserate === undefined ? null : priceOf(result);
  const isMinusOne = price?.base.text.startsWith("-1") === true;
  return {
    ...{ property: String(result.Property), checkIn: String(result.Checkin) },
    nights: Number(result.Nights),
    isUnavailable: "Unavailable" in result || isMinusOne,
    price: isMinusOne ? null : price,
    bundles: ((result.RoomBundle ?? []) as Parsed[]).map(bundleOf),
  };
}

/** The elements `Result` of a document in their order, unread: there may be many of them. */
export function resultsIn(document: string): string[] {
  const end = "</Result>";
  const first = document.indexOf("<Result>");
  if (first < 0) return [];
  const last = document.lastIndexOf(end);
  return document
    .slice(first, last)
    .split(end)
    .map((text) => text + end);
}

/** A decimal as an integer of minor units, whatever their number. */
export function minorOf(text: string, digits: number): number {
  const [whole = "", fraction = ""] = text.split(".");
  if (fraction.length !== digits) throw new Error(`${text} has not ${digits} decimals`);
  return Number(whole + fraction);
}
