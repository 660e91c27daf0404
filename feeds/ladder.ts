/**
 * Steps that reduce a document until it fits the size limit. Every step keeps all properties, all
 * days and true prices; it has fewer rates or shorter stays.
 */
import { type Bundle, totalOf } from "./bundles.ts";
import type { Profile } from "./profiles/profile.ts";
import type { WrittenBundles } from "./transaction.ts";

/** 100 MB, decimal, of plain text: the limit of Google and Microsoft. */
export const DOCUMENT_BYTES_MAX = 100_000_000;

export type StepName = "all_rates" | "two_rates_per_room" | "lowest_rate" | `lowest_rate_${number}`;

export interface Step {
  readonly name: StepName;
  readonly select: (bundles: readonly Bundle[]) => WrittenBundles;
  /** Longest stay. */
  readonly nightsMax: number;
}

/** Longest stays of the last steps. */
const SHORTER_NIGHTS = [3, 1];

/** From the most complete to the smallest. */
export function stepsOf({ nightsMax }: Profile): readonly Step[] {
  const lowest = (bundles: readonly Bundle[]) => ({ bundles, hasBundles: false });
  const shorter = SHORTER_NIGHTS.filter((nights) => nights < nightsMax);
  return [
    { name: "all_rates", nightsMax, select: (bundles) => ({ bundles, hasBundles: true }) },
    {
      name: "two_rates_per_room",
      nightsMax,
      select: (bundles) => ({ bundles: twoPerRoom(bundles), hasBundles: true }),
    },
    { name: "lowest_rate", nightsMax, select: lowest },
    ...shorter.map(
      (nights): Step => ({ name: `lowest_rate_${nights}`, nightsMax: nights, select: lowest }),
    ),
  ];
}

/** The cheapest refundable and the cheapest other rate of every room type. */
function twoPerRoom(bundles: readonly Bundle[]): Bundle[] {
  const lowest = new Map<string, Bundle>();
  for (const bundle of bundles) {
    const { isRefundable, currency, offer } = bundle;
    const key = `${isRefundable} ${currency} ${offer.roomType.id}`;
    const other = lowest.get(key);
    if (other === undefined || totalOf(bundle) < totalOf(other)) lowest.set(key, bundle);
  }
  const kept = new Set(lowest.values());
  return bundles.filter((bundle) => kept.has(bundle));
}
