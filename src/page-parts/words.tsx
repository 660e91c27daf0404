/** Amounts, instants and stays on pages for people. Text in JSX is escaped by the renderer. */
import { formatsOf } from "../languages/formats.ts";

const FORMATS = formatsOf({ language: "en", tag: "en" });
const DAY_MS = 86_400_000;

/** An amount in minor units with its currency. */
export function Amount({
  amount,
  currency,
}: {
  readonly amount: number;
  readonly currency: string;
}) {
  return <span class="amount">{FORMATS.money(amount, currency)}</span>;
}

/** An instant in a zone; the title has it in UTC. */
export function At({ instant, zone }: { readonly instant: string; readonly zone: string }) {
  return (
    <time datetime={instant} title={instant}>
      {FORMATS.instant(Date.parse(instant), zone)}
    </time>
  );
}

interface Dates {
  readonly check_in: string;
  readonly check_out: string;
}

/** The dates of a stay and its nights. */
export function Stay({ stay: { check_in, check_out } }: { readonly stay: Dates }) {
  const [from, to] = [Date.parse(check_in) / DAY_MS, Date.parse(check_out) / DAY_MS];
  return (
    <>
      {FORMATS.days(from, to)} <span class="faint">({plural(to - from, "night")})</span>
    </>
  );
}

/** `1 night`, `2 nights`. */
export function plural(count: number, word: string): string {
  return `${count} ${word}${count === 1 ? "" : "s"}`;
}
