/** The cancellation terms of a booking, and what a cancellation gives back. */
import type { Static } from "@sinclair/typebox";
import type { CancellationQuote } from "../api/bookings/responses.ts";
import { type Step, Steps, stepsOf } from "../page-parts/cancellation.tsx";
import type { Tongue } from "./tongue.ts";
import type { OwnBooking } from "./visit.ts";

export type Cost = Static<typeof CancellationQuote>;
type Snapshot = NonNullable<OwnBooking["policy_snapshot"]>;

/** The first instant after now from which nothing of `paid` comes back; null for none. */
export function nothingBackFrom(steps: readonly Step[], paid: number): number | null {
  const now = steps.findIndex(({ isNow }) => isNow);
  const first = steps.findIndex(({ fee }, i) => i > now && fee >= paid);
  return first < 0 ? null : steps[first - 1]!.untilMs;
}

interface TermsOf {
  readonly terms: Snapshot;
  readonly cost: Cost;
  readonly paid: number;
  readonly tongue: Tongue;
}

/** The steps, and what a cancellation gives back now. */
export function Terms({ terms, cost, paid, tongue }: TermsOf) {
  const { words, formats } = tongue;
  const { currency } = cost.fee;
  const { timezone: zone } = terms;
  const steps = stepsOf(terms, Date.parse(cost.at));
  const fromMs = nothingBackFrom(steps, paid);
  return (
    <>
      <h2>{words.terms}</h2>
      <Steps {...{ steps, zone, currency, tongue }} />
      <p>{costNow(cost, paid, tongue)}</p>
      {paid > 0 && fromMs !== null && cost.refund.amount > 0 && (
        <p>{words.nothingBackFrom(formats.zoned(fromMs, zone))}</p>
      )}
    </>
  );
}

/** What comes back of a cancellation now, in a sentence. */
export function costNow({ fee, refund }: Cost, paid: number, { words, formats }: Tongue): string {
  const back = formats.money(refund.amount, refund.currency);
  if (paid === 0) return words.nothingToPay;
  if (refund.amount === 0) return words.nothingBackNow;
  if (fee.amount === 0) return words.allBackNow(back);
  return words.backNow(back, formats.money(fee.amount, fee.currency));
}
