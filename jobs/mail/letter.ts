/**
 * Letters to guests about a booking: a list of facts as text and as HTML. A letter depends only on
 * the booking and its property, so a repeated mail has the same content.
 *
 * Callers choose names and recipient addresses. So control characters are removed, HTML is escaped,
 * and a name that a mail program would turn into a link is omitted, which prevents spam.
 */
import { dayOf, weekdayOf } from "../../engine/core/calendar.ts";
import { exponentOf } from "../../engine/core/price/money.ts";
import { policySnapshot } from "../../engine/core/price/policy-snapshot.ts";
import { timeText } from "../../engine/core/price/policy-words.ts";
import { offerOf } from "../../engine/core/price/price.ts";
import type { Booking, Cancellation } from "../../engine/core/records.ts";
import type { PropertyTree } from "../../engine/core/supply.ts";

/** A confirmation of a booking, of its last change, or of its cancellation. */
export const LETTER_KINDS = ["confirmation", "modification", "cancellation"] as const;
export type LetterKind = (typeof LETTER_KINDS)[number];

export interface Letter {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/** A letter as data: subject, paragraphs and labelled facts. */
export interface Draft {
  readonly subject: string;
  readonly opening: string;
  readonly facts: readonly (readonly [label: string, value: string])[];
  readonly closing: string;
}

/**
 * The letter about a booking; `tree` is the property version of its quote.
 *
 * @throws Error for a cancellation of a booking that is not cancelled, which is a bug.
 */
export function letterOf(kind: LetterKind, { booking, tree, name }: LetterData): Letter {
  const draft = DRAFTS[kind](booking, tree);
  const shown = nameToShow(name);
  const greeting = shown === null ? "Hello," : `Hello ${shown},`;
  return renderLetter(greeting, draft);
}

/** Renders a draft as text and HTML. */
export function renderLetter(greeting: string, draft: Draft): Letter {
  return {
    subject: oneLine(draft.subject),
    text: textOf(greeting, draft),
    html: htmlOf(greeting, draft),
  };
}

export interface LetterData {
  readonly booking: Booking;
  readonly tree: PropertyTree;
  /** The guest's name as given. */
  readonly name: string;
}

const DRAFTS: Readonly<Record<LetterKind, (booking: Booking, tree: PropertyTree) => Draft>> = {
  confirmation,
  modification,
  cancellation,
};

function modification(booking: Booking, tree: PropertyTree): Draft {
  return {
    ...confirmation(booking, tree),
    subject: subjectOf("Booking changed", booking, tree),
    opening: "The property has changed your booking. This is how it is now.",
  };
}

/** For all letters of a booking: what happened, where and when. */
function subjectOf(what: string, { quote, confirmation_code }: Booking, { name }: PropertyTree) {
  return `${what}: ${name}, ${dateText(quote.stay.check_in)} (${confirmation_code})`;
}

function confirmation(booking: Booking, tree: PropertyTree): Draft {
  const { quote } = booking;
  const { currency, total, due_now, due_at_property } = quote;
  return {
    subject: subjectOf("Booking confirmed", booking, tree),
    opening: "Your booking is confirmed. Please show the confirmation code when you arrive.",
    facts: [
      ...stayFacts(booking, tree),
      ["Total price", moneyText(total, currency)],
      ["Paid at booking", moneyText(due_now, currency)],
      ["Due at the property", moneyText(due_at_property, currency)],
      ["Cancellation", policySnapshot(tree, quote).description],
    ],
    closing: "To change or cancel the booking, contact the service that you booked with.",
  };
}

function cancellation(booking: Booking, tree: PropertyTree): Draft {
  const { quote, cancellation: cancelled } = booking;
  if (!cancelled) throw new Error(`booking ${booking.booking_id} is not cancelled`);
  const { currency, due_now } = quote;
  return {
    subject: subjectOf("Booking cancelled", booking, tree),
    opening: "Your booking is cancelled. The room is no longer reserved for you.",
    facts: [
      ...stayFacts(booking, tree),
      ["Cancelled on", timeText(cancelled.cancelled_at, tree.timezone)],
      ["Paid at booking", moneyText(due_now, currency)],
      ["Cancellation fee", moneyText(cancelled.fee, currency)],
      ["Paid back", moneyText(cancelled.refund, currency)],
    ],
    closing: refundSentence(cancelled),
  };
}

function refundSentence({ refund, withheld }: Cancellation): string {
  if (refund > 0) {
    return "The refund goes to your original payment method; your bank may take some days to show it.";
  }
  return withheld
    ? "Your bank is looking into this payment, so the property cannot refund it. Your bank decides."
    : "By the cancellation terms of the booking there is no refund.";
}

function stayFacts({ quote, confirmation_code }: Booking, tree: PropertyTree): Draft["facts"] {
  const { roomType, plan } = offerOf(tree, quote);
  const { check_in, check_out } = quote.stay;
  const nights = dayOf(check_out) - dayOf(check_in);
  const { line1, line2, postal_code, city, country } = tree.address;
  const place = [line1, line2, [postal_code, city].filter(Boolean).join(" "), country];
  const at = (word: string, time: string | null) => (time === null ? "" : `, ${word} ${time}`);
  return [
    ["Confirmation code", confirmation_code],
    ["Property", tree.name],
    ["Address", place.filter(Boolean).join(", ")],
    ["Room", `${roomType.name}, ${plan.name}`],
    ["Arrival", `${dateText(check_in)}${at("from", tree.checkin_time)}`],
    ["Departure", `${dateText(check_out)}${at("until", tree.checkout_time)}`],
    ["Nights", String(nights)],
    ["Guests", partyText(quote.guests)],
  ];
}

function partyText({ adults, children }: Booking["quote"]["guests"]): string {
  const count = (many: number, one: string, more: string) => `${many} ${many === 1 ? one : more}`;
  const grown = count(adults, "adult", "adults");
  if (children.length === 0) return grown;
  const ages = children.map(({ age }) => age).join(", ");
  return `${grown}, ${count(children.length, "child", "children")} (age ${ages})`;
}

const WEEKDAY_NAMES = "Mon Tue Wed Thu Fri Sat Sun".split(" ");
const MONTHS = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(" ");

/** `Sun, 20 Dec 2026`; for local dates of a property. */
export function dateText(date: string): string {
  const weekday = WEEKDAY_NAMES[weekdayOf(dayOf(date))]!;
  const month = MONTHS[Number(date.slice(5, 7)) - 1]!;
  return `${weekday}, ${Number(date.slice(8, 10))} ${month} ${date.slice(0, 4)}`;
}

/** `EUR 1,234.50`, with the decimals of the currency. */
export function moneyText(amount: number, currency: string): string {
  const decimals = exponentOf(currency);
  const digits = String(Math.abs(amount)).padStart(decimals + 1, "0");
  const whole = digits.slice(0, digits.length - decimals).replace(/\B(?=(\d{3})+$)/g, ",");
  const fraction = decimals === 0 ? "" : `.${digits.slice(-decimals)}`;
  return `${currency} ${amount < 0 ? "-" : ""}${whole}${fraction}`;
}

/** Longer names are omitted. */
const NAME_CHARS_MAX = 100;
/** Texts that mail programs turn into links. */
const LINK = /[/\\@]|[\p{L}\p{N}]\.[\p{L}\p{N}]{2,}/u;

const IGNORED = /\p{Default_Ignorable_Code_Point}/gu;

/** The name if it is safe to show, else null. */
export function nameToShow(name: string): string | null {
  const line = oneLine(name);
  // Normalized as a reader sees it: wide forms, other full stops, invisible characters.
  const read = line.normalize("NFKC").replace(IGNORED, "").replaceAll("\u3002", ".");
  return line === "" || line.length > NAME_CHARS_MAX || LINK.test(read) ? null : line;
}

/** Invisible characters with an effect: controls, lone surrogates, text direction. */
const UNSEEN = /[\s\p{Cc}\p{Cs}\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]+/gu;

function oneLine(text: string): string {
  return text.normalize("NFC").replace(UNSEEN, " ").trim();
}

function textOf(greeting: string, { opening, facts, closing }: Draft): string {
  const width = Math.max(...facts.map(([label]) => label.length)) + 2;
  const lines = facts.map(([label, value]) => `${`${label}:`.padEnd(width)}${oneLine(value)}`);
  return `${[greeting, opening, lines.join("\n"), closing].join("\n\n")}\n`;
}

const ENTITIES: Readonly<Record<string, string>> = {
  ...{ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" },
};

function escaped(text: string): string {
  return oneLine(text).replace(/[&<>"']/g, (sign) => ENTITIES[sign]!);
}

/** Without style sheets, images and links: looks the same everywhere and makes no requests. */
function htmlOf(greeting: string, { subject, opening, facts, closing }: Draft): string {
  const rows = facts.map(([label, value]) => {
    const head = `<th scope="row" align="left" valign="top">${escaped(label)}</th>`;
    return `<tr>${head}<td>${escaped(value)}</td></tr>`;
  });
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>${escaped(subject)}</title></head>
<body>
<p>${escaped(greeting)}</p>
<p>${escaped(opening)}</p>
<table cellpadding="4">
${rows.join("\n")}
</table>
<p>${escaped(closing)}</p>
</body>
</html>
`;
}
