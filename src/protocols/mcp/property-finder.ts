/** Finds hotels by the first letters of their name, city or slug. */
import { normalizeText } from "../../../engine/core/normalize-text.ts";
import type { Call } from "../../http/call.ts";
import { callRoute, type InProcessAnswer } from "../../http/in-process.ts";

export interface ListedProperty {
  readonly slug: string;
  readonly name: string;
  readonly address: {
    readonly city: string;
    readonly region?: string;
    readonly country: string;
  };
}

type Listed = readonly ListedProperty[];

/** The live properties that the caller may read, or the refusal. */
export async function propertiesOf(
  call: Call,
): Promise<
  { readonly items: Listed } | { readonly items: null; readonly refused: InProcessAnswer["body"] }
> {
  const { status, body } = await callRoute(call, { id: "list_properties" });
  return status === 200 ? (body.data as { items: Listed }) : { items: null, refused: body };
}

/** Properties that match every word as a prefix in name, place or slug; all without words. */
export function found(
  properties: readonly ListedProperty[],
  typed: string,
): readonly ListedProperty[] {
  const begun = wordsOf(typed);
  return properties.filter(({ slug, name, address }) => {
    const { city, region = "", country } = address;
    const words = wordsOf(`${name} ${city} ${region} ${country} ${slug}`);
    return begun.every((start) => words.some((word) => word.startsWith(start)));
  });
}

/** Names and cities with the prefix, without duplicates. */
export function placesBegun(properties: readonly ListedProperty[], typed: string): string[] {
  const places = properties.flatMap(({ name, address }) => [address.city, name]);
  const begun = places.filter((place) => normalizeText(place).startsWith(normalizeText(typed)));
  return [...new Set(begun)].sort();
}

function wordsOf(text: string): string[] {
  return normalizeText(text).match(/[\p{L}\p{N}]+/gu) ?? [];
}
