/** Where the base amount of a night comes from. */

/** As clients see it. */
export type RateSource = "date_override" | "base" | "derived";

/** A letter for it, as in frozen quotes: `d` derived, `o` date override, `b` base rate. */
export function sourceOf(isDerived: boolean, isByDate: boolean): string {
  if (isDerived) return "d";
  return isByDate ? "o" : "b";
}

/** The source of a letter. */
export function rateSource(letter: string | undefined): RateSource {
  if (letter === "d") return "derived";
  return letter === "o" ? "date_override" : "base";
}
