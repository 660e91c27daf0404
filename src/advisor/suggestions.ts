/** Links of an answer to pages and calls of this service. */
import { dateOf } from "../../engine/core/calendar.ts";
import type { Party } from "../../engine/core/price/quote.ts";
import type { PropertyEntry } from "../../engine/core/state/state.ts";
import type { Speech } from "./sentences.ts";
import type { Suggestion } from "./sessions.ts";
import type { AskedStay } from "./stay.ts";

/** Rooms of the current stay, else the hotel's page. */
export function suggestionsFor(
  { phrases, locale }: Speech,
  property: PropertyEntry,
  asked: { readonly stay: AskedStay; readonly party: Party } | null,
): Suggestion[] {
  const label = phrases.seeRooms;
  // Only live properties have a page.
  if (property.mode !== "live") return [{ label, href: apiHref(property, asked) }];
  const query = new URLSearchParams({ tenant_id: property.tenant_id, lang: locale.tag });
  if (asked) for (const [name, value] of stayQuery(asked)) query.set(name, value);
  return [{ label, href: `/book/${property.tree.slug}?${query}` }];
}

function stayQuery({ stay, party }: { readonly stay: AskedStay; readonly party: Party }) {
  const { checkInDay, nights } = stay;
  return [
    ["check_in", dateOf(checkInDay)],
    ["check_out", dateOf(checkInDay + nights)],
    ["adults", String(party.adults)],
  ] as const;
}

function apiHref(
  { tree }: PropertyEntry,
  asked: { readonly stay: AskedStay; readonly party: Party } | null,
): string {
  const path = `/v1/properties/${tree.slug}`;
  if (asked === null) return path;
  const query = new URLSearchParams(Object.fromEntries(stayQuery(asked)));
  const ages = asked.party.children.map(({ age }) => age);
  if (ages.length > 0) query.set("children", ages.join(","));
  return `${path}/offers?${query}`;
}
