/** Cancellation terms as a line of steps in time, with "now". */
import type { PolicySnapshot } from "../../engine/core/price/policy-snapshot.ts";
import type { Tongue } from "./tongue.ts";

export interface Step {
  /** Epoch milliseconds; null for the last step. */
  readonly untilMs: number | null;
  readonly fee: number;
  readonly isNow: boolean;
}

/** What the steps need of the terms. */
export interface Terms {
  readonly tiers: readonly Pick<PolicySnapshot["tiers"][number], "cutoff_at" | "fee">[];
  readonly after_last_tier: Pick<PolicySnapshot["after_last_tier"], "cutoff_at" | "fee">;
  readonly no_show: Pick<PolicySnapshot["no_show"], "fee">;
}

/** The steps of the terms, one of which is now. */
export function stepsOf({ tiers, after_last_tier: late, no_show }: Terms, atMs: number): Step[] {
  const rows = [
    ...tiers.map(({ cutoff_at, fee }) => ({ untilMs: Date.parse(cutoff_at), fee })),
    ...(late.cutoff_at === null ? [] : [{ untilMs: Date.parse(late.cutoff_at), fee: late.fee }]),
    { untilMs: null, fee: no_show.fee },
  ];
  const now = rows.findIndex(({ untilMs }) => untilMs === null || atMs < untilMs);
  return rows.map((row, i) => ({ ...row, isNow: i === now }));
}

interface StepsOf {
  readonly steps: readonly Step[];
  readonly zone: string;
  readonly currency: string;
  readonly tongue: Tongue;
}

/** The steps with the fee of each. */
export function Steps({ steps, zone, currency, tongue: { words, formats } }: StepsOf) {
  return (
    <ol class="steps">
      {steps.map(({ untilMs, fee, isNow }) => (
        <li aria-current={isNow ? "step" : undefined}>
          {untilMs === null ? words.noShow : words.until(formats.zoned(untilMs, zone))}:{" "}
          {fee === 0 ? words.free : words.costs(formats.money(fee, currency))}
          {isNow && <strong> ({words.now})</strong>}
        </li>
      ))}
    </ol>
  );
}
