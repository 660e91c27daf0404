/**
 * Letters to guests about a booking: a list of facts as text and as HTML. A letter depends only on
 * the booking and its property, so a repeated mail has the same content.
 *
 * Callers choose names and recipient addresses. So control characters are removed, HTML is escaped,
 * and a name that a mail program would turn into a link is omitted, which prevents spam.
 */
import { dayOf } from "../../engine/core/calendar.ts";
import { offerOf } from "../../engine/core/price/price.ts";
import type { Booking, Cancellation } from "../../engine/core/records.ts";
import type { PropertyTree } from "../../engine/core/supply.ts";
import { type Voice, voiceOf } from "./voice.ts";
import type { MailWords } from "./words/words.ts";

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
  /** An address of this service after the closing. */
  readonly link?: string;
}

/**
 * The letter about a booking; `tree` is the property version of its quote.
 *
 * @throws Error for a cancellation of a booking that is not cancelled, which is a bug.
 */
export function letterOf(kind: LetterKind, data: LetterData): Letter {
  const voice = voiceOf(data.language ?? "en");
  return renderLetter(greetingIn(voice, data.name), DRAFTS[kind](data, voice), voice.language);
}

/** The letter with the link, and the six digits, of a guest who asked for them. */
export function linkLetterOf(
  data: LetterData,
  { url, code }: { readonly url: string; readonly code: string },
): Letter {
  const { booking, tree } = data;
  const voice = voiceOf(data.language ?? "en");
  const { words } = voice;
  const draft: Draft = {
    subject: subjectOf(words.linkSubject, booking, tree, voice),
    opening: words.linkOpening,
    facts: [
      [words.digits, code],
      [words.property, tree.name],
    ],
    closing: words.notAsked,
    link: url,
  };
  return renderLetter(greetingIn(voice, data.name), draft, voice.language);
}

function greetingIn({ words }: Voice, name: string): string {
  return words.hello(nameToShow(name));
}

/** Renders a draft as text and HTML; `language` is that of its words. */
export function renderLetter(greeting: string, draft: Draft, language = "en"): Letter {
  return {
    subject: oneLine(draft.subject),
    text: textOf(greeting, draft),
    html: htmlOf(greeting, draft, language),
  };
}

export interface LetterData {
  readonly booking: Booking;
  readonly tree: PropertyTree;
  /** The guest's name as given. */
  readonly name: string;
  /** Language tag of the guest; English for an unsupported one and by default. */
  readonly language?: string | undefined;
  /** Address of the guests' pages. */
  readonly guestUrl?: string;
}

const DRAFTS: Readonly<Record<LetterKind, (data: LetterData, voice: Voice) => Draft>> = {
  confirmation,
  modification,
  cancellation,
};

function modification(data: LetterData, voice: Voice): Draft {
  const { words } = voice;
  return {
    ...confirmation(data, voice),
    subject: subjectOf(words.changed, data.booking, data.tree, voice),
    opening: words.changedOpening,
  };
}

/** For all letters of a booking: what happened, where and when. */
function subjectOf(
  what: string,
  { quote, confirmation_code }: Booking,
  { name }: PropertyTree,
  { date }: Voice,
): string {
  return `${what}: ${name}, ${date(quote.stay.check_in)} (${confirmation_code})`;
}

function confirmation({ booking, tree, guestUrl }: LetterData, voice: Voice): Draft {
  const { words, money, terms } = voice;
  const { quote } = booking;
  const { currency, total, due_now, due_at_property } = quote;
  return {
    subject: subjectOf(words.confirmed, booking, tree, voice),
    opening: words.confirmedOpening,
    facts: [
      ...stayFacts(booking, tree, voice),
      [words.total, money(total, currency)],
      [words.paid, money(due_now, currency)],
      [words.dueThere, money(due_at_property, currency)],
      [words.cancellation, terms(tree, quote)],
    ],
    closing: guestUrl === undefined ? words.contact : words.ownPage,
    ...(guestUrl !== undefined && { link: guestUrl }),
  };
}

function cancellation({ booking, tree }: LetterData, voice: Voice): Draft {
  const { words, money, instant } = voice;
  const { quote, cancellation: cancelled } = booking;
  if (!cancelled) throw new Error(`booking ${booking.booking_id} is not cancelled`);
  const { currency, due_now } = quote;
  return {
    subject: subjectOf(words.cancelled, booking, tree, voice),
    opening: words.cancelledOpening,
    facts: [
      ...stayFacts(booking, tree, voice),
      [words.cancelledOn, instant(cancelled.cancelled_at, tree.timezone)],
      [words.paid, money(due_now, currency)],
      [words.fee, money(cancelled.fee, currency)],
      [words.paidBack, money(cancelled.refund, currency)],
    ],
    closing: refundSentence(cancelled, due_now, voice),
  };
}

function refundSentence(
  { refund, withheld }: Cancellation,
  paid: number,
  { words }: Voice,
): string {
  if (refund > 0) return words.refundOnItsWay;
  if (paid === 0) return words.nothingPaid;
  return withheld ? words.refundWithheld : words.noRefund;
}

function stayFacts(
  { quote, confirmation_code }: Booking,
  tree: PropertyTree,
  { words, date }: Voice,
): Draft["facts"] {
  const { roomType, plan } = offerOf(tree, quote);
  const { check_in, check_out } = quote.stay;
  const nights = dayOf(check_out) - dayOf(check_in);
  const { line1, line2, postal_code, city, country } = tree.address;
  const place = [line1, line2, [postal_code, city].filter(Boolean).join(" "), country];
  const at = (word: (time: string) => string, time: string | null) => {
    return time === null ? "" : `, ${word(time)}`;
  };
  return [
    [words.code, confirmation_code],
    [words.property, tree.name],
    [words.address, place.filter(Boolean).join(", ")],
    [words.room, `${roomType.name}, ${plan.name}`],
    [words.arrival, `${date(check_in)}${at(words.from, tree.checkin_time)}`],
    [words.departure, `${date(check_out)}${at(words.until, tree.checkout_time)}`],
    [words.nights, String(nights)],
    [words.guests, partyText(quote.guests, words)],
  ];
}

function partyText({ adults, children }: Booking["quote"]["guests"], words: MailWords): string {
  if (children.length === 0) return words.adults(adults);
  const ages = children.map(({ age }) => age).join(", ");
  return `${words.adults(adults)}, ${words.children(children.length, ages)}`;
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

function textOf(greeting: string, { opening, facts, closing, link }: Draft): string {
  const width = Math.max(...facts.map(([label]) => label.length)) + 2;
  const lines = facts.map(([label, value]) => `${`${label}:`.padEnd(width)}${oneLine(value)}`);
  const end = link === undefined ? closing : `${closing}\n${link}`;
  return `${[greeting, opening, lines.join("\n"), end].join("\n\n")}\n`;
}

const ENTITIES: Readonly<Record<string, string>> = {
  ...{ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" },
};

function escaped(text: string): string {
  return oneLine(text).replace(/[&<>"']/g, (sign) => ENTITIES[sign]!);
}

/** Without style sheets and images: looks the same everywhere and makes no requests. */
function htmlOf(greeting: string, draft: Draft, language: string): string {
  const { subject, opening, facts, closing, link } = draft;
  const rows = facts.map(([label, value]) => {
    const head = `<th scope="row" align="left" valign="top">${escaped(label)}</th>`;
    return `<tr>${head}<td>${escaped(value)}</td></tr>`;
  });
  const end = link === undefined ? "" : `<br>\n<a href="${escaped(link)}">${escaped(link)}</a>`;
  return `<!doctype html>
<html lang="${language}">
<head><meta charset="utf-8"><title>${escaped(subject)}</title></head>
<body>
<p>${escaped(greeting)}</p>
<p>${escaped(opening)}</p>
<table cellpadding="4">
${rows.join("\n")}
</table>
<p>${escaped(closing)}${end}</p>
</body>
</html>
`;
}
