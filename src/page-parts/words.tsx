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

/** A difference: `+ €5.00`, `− €5.00`, or that there is none. */
export function Signed({
  amount,
  currency,
}: {
  readonly amount: number;
  readonly currency: string;
}) {
  if (amount === 0) return <>the same price</>;
  const words = `${amount > 0 ? "+" : "−"} ${FORMATS.money(Math.abs(amount), currency)}`;
  return <span class="amount">{words}</span>;
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
  return <Nights from={check_in} until={check_out} />;
}

/** Nights from a date to the day after the last one. */
export function Nights({ from: first, until }: { readonly from: string; readonly until: string }) {
  const [from, to] = [Date.parse(first) / DAY_MS, Date.parse(until) / DAY_MS];
  return (
    <>
      {FORMATS.days(from, to)} <span class="faint">({plural(to - from, "night")})</span>
    </>
  );
}

interface Guests {
  readonly adults: number;
  readonly children?: readonly unknown[];
}

/** How many guests of a stay there are. */
export function Party({ guests: { adults, children = [] } }: { readonly guests: Guests }) {
  return (
    <>
      {plural(adults, "adult")}
      {children.length > 0 &&
        `, ${children.length} ${children.length === 1 ? "child" : "children"}`}
    </>
  );
}

/** `1 night`, `2 nights`; `many` is the plural of words that take no `s`. */
export function plural(count: number, word: string, many = `${word}s`): string {
  return `${count} ${count === 1 ? word : many}`;
}
