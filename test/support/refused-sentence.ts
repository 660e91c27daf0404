/** What a refused start says, to hold against what the table of such starts has of it. */
import { REFUSED_STARTS } from "../../src/lib/refused-starts.ts";

export type RefusedName = keyof typeof REFUSED_STARTS;

/** The sentence of the table with anything in its braces, behind `prefix`. */
export function sentence(name: RefusedName, prefix = "innkeep: "): RegExp {
  const parts = REFUSED_STARTS[name].says.split(/\{\w+\}/).map((part) => RegExp.escape(part));
  return new RegExp(`^${RegExp.escape(prefix)}${parts.join("[^\\n]+?")}$`);
}
