/**
 * `hotel-list.xml`, by which partners match hotels. Empty elements are omitted, because importers
 * refuse a listing with one. The schema fixes the order. One listing per line.
 */
import type { PropertyTree } from "../engine/core/supply.ts";
import { readablePhone } from "./listable.ts";
import { hotelPageUrl, type OwnedHotel, partnerSite } from "./point-of-sale.ts";
import { beginning, type Position } from "./position.ts";
import type { Profile } from "./profiles/profile.ts";
import { escapedAttribute, escapedText, oneLine } from "./xml.ts";

const NAME_CHARACTERS_MAX = 200;
const SCHEMA = "http://www.gstatic.com/localfeed/local_feed.xsd";
export const LIST_TAIL = "</listings>\n";

/** Countries without postal codes: partners report a code there as a fault. */
const WITHOUT_POSTAL_CODES = new Set(
  (
    "AE AG AN AO AW BF BI BJ BO BS BW BZ CD CF CG CI CK CM DJ DM ER FJ GA GD GM GQ GY HK KI KM KN " +
    "KP LY ML MO MR MW NR NU QA RW SB SC SL SR ST SY TD TF TG TK TL TO TV UG VU YE ZW"
  ).split(" "),
);

export interface ListingOf {
  readonly profile: Profile;
  readonly siteUrl: string;
  /** Two letters; the language of the texts. */
  readonly language: string;
}

/** The root element of a partner's list. */
export function listRoot({ hasSchemaLocation }: Profile): string {
  const location = hasSchemaLocation ? ` xsi:noNamespaceSchemaLocation="${SCHEMA}"` : "";
  return `<listings xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"${location}>\n`;
}

/** Everything before the first listing. */
export function listOpening({ profile, language }: ListingOf, position: Position): string {
  const root = `${beginning(position)}${listRoot(profile)}`;
  return `${root}<language>${escapedText(language)}</language>\n`;
}

/** An element, or nothing for an empty text. */
function element(name: string, text: string | null | undefined, attributes = ""): string {
  const content = escapedText(text ?? "");
  return content === "" ? "" : `<${name}${attributes}>${content}</${name}>`;
}

function wrapped(name: string, content: string, attributes = ""): string {
  return content === "" ? "" : `<${name}${attributes}>${content}</${name}>`;
}

/** Six decimals (about 10 cm), without exponent. */
function degrees(value: number): string {
  return value.toFixed(6);
}

/** Removes markup; a `<` that starts no tag stays. */
function withoutTags(text: string): string {
  return text.replace(/<\/?[A-Za-z!][^<>]*>/g, " ");
}

function addressOf({ address }: PropertyTree): string {
  const { line1, line2, city, region, country, postal_code } = address;
  const hasCode = !WITHOUT_POSTAL_CODES.has(country.toUpperCase());
  const components: readonly (readonly [string, string | undefined])[] = [
    ["addr1", line1],
    ["addr2", line2],
    ["city", city],
    ["province", region],
    ["postal_code", hasCode ? postal_code : undefined],
  ];
  const found = components.map(([name, text]) =>
    element("component", oneLine(text ?? ""), ` name="${name}"`),
  );
  return wrapped("address", found.join(""), ' format="simple"');
}

function attributesOf(hotel: OwnedHotel, { profile, siteUrl }: ListingOf): string {
  const attribute = (name: string, value: string | null) =>
    element(profile.listAttribute, value, ` name="${escapedAttribute(name)}"`);
  const { url, isHttps } = partnerSite(siteUrl);
  const { slug, star_rating: stars, number_of_rooms: rooms, pets_allowed } = hotel.tree;
  const hasStars = stars !== null && Number.isInteger(stars) && stars >= 1 && stars <= 5;
  return (
    element("website", isHttps ? hotelPageUrl(url, hotel) : null) +
    attribute("alternate_hotel_id", profile.hasAlternateHotelId ? slug : null) +
    attribute("star_rating", hasStars ? String(stars) : null) +
    attribute("number_of_rooms", rooms === null || rooms < 1 ? null : String(rooms)) +
    attribute("pets_allowed", pets_allowed ? "Yes" : "No")
  );
}

/** Renders a property that `listableOf` lists. */
export function listing(hotel: OwnedHotel, of: ListingOf): string {
  const { tree } = hotel;
  const { id, name, address, geo, description } = tree;
  const shownName = [...oneLine(name)].slice(0, NAME_CHARACTERS_MAX).join("");
  const body = element("body", oneLine(withoutTags(description ?? "")));
  const content =
    wrapped("text", body, ' type="description"') + wrapped("attributes", attributesOf(hotel, of));
  return (
    `<listing>${element("id", id)}${element("name", shownName)}${addressOf(tree)}` +
    element("country", address.country.toUpperCase()) +
    (geo ? element("latitude", degrees(geo.lat)) + element("longitude", degrees(geo.lng)) : "") +
    element("phone", readablePhone(tree), ' type="main"') +
    `<category>hotel</category>${wrapped("content", content)}</listing>\n`
  );
}
