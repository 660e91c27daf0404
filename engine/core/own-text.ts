/**
 * Strings that are kept. A part of a string is a window on the whole of it: whoever keeps an id out
 * of a journal's page keeps the page.
 */
import { Lately } from "./lately.ts";

/** At least as many as are in use at a time. */
const names = new Lately<string, string>(50_000);

/**
 * The same text as a string that keeps nothing else alive. It is joined, not added: a sum keeps its
 * parts until somebody looks into it.
 */
export function ownText(text: string): string {
  return [text.slice(0, 1), text.slice(1)].join("");
}

/**
 * One string for all that are equal: for names that come back again and again, ids of tenants,
 * agents, properties and what is in them. Whoever looks something up by it compares no characters.
 */
export function nameOf(text: string): string {
  const known = names.get(text);
  if (known !== undefined) return known;
  const name = ownText(text);
  names.set(name, name);
  return name;
}
