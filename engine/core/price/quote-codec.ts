/**
 * A frozen quote as text: the same bytes in Redis, in holds and in the journal. Its head is what a
 * decision or a fold needs, its tail the price and the terms, parsed only on demand. Members that
 * follow from others are left out: check-out from the nights, the anchor's instant from its text,
 * tenant and mode from the context. Grammar: `engine/README.md`.
 */
import { dateOf, dayOf } from "../calendar.ts";
import type { Mode } from "../supply.ts";
import { Fields, fromListField, toField } from "../text-fields.ts";
import type { FeeTable, FrozenQuote, Party, Stay } from "./quote.ts";

/** The first characters of every such text. */
const MARK = "quote|";
/** The prefix of every hash on the wire; stored texts omit it. */
const HASH_PREFIX = "sha256:";

/** The quote as text; one that was read from text keeps that text. */
export function quoteText(quote: FrozenQuote): string {
  return quote instanceof TextQuote ? quote.text : `${MARK}${headText(quote)}|${tailText(quote)}`;
}

function headText(quote: FrozenQuote): string {
  const { adults, children } = quote.guests;
  return (
    `${toField(quote.quote_id)}|${toField(quote.agent_id)}|${toField(quote.property_id)}|` +
    `${toField(quote.room_type_id)}|${toField(quote.rate_plan_id)}|` +
    `${dayOf(quote.stay.check_in)}|${quote.nightly.length}|${adults}|` +
    `${children.map(({ age }) => age).join(",")}|${quote.created_at}|${quote.expires_at}`
  );
}

function tailText(quote: FrozenQuote): string {
  const { extra_adult: extra, fees } = quote;
  const tiers = fees.tiers.map(({ until_ms, fee }) => `${until_ms},${fee}`).join(",");
  return (
    `${quote.supply_version}|${toField(quote.policy_version)}|` +
    `${toField(quote.currency)}|${runsText(quote.nightly)}|` +
    `${typeof extra === "number" ? extra : runsText(extra)}|${toField(quote.sources)}|` +
    `${quote.room_subtotal}|${quote.total}|${quote.due_now}|${quote.due_at_property}|` +
    `${tiers}|${fees.after}|${fees.no_show}|${toField(fees.anchor)}|` +
    `${toField(quote.price_hash.slice(HASH_PREFIX.length))}|` +
    `${toField(quote.policy_hash.slice(HASH_PREFIX.length))}`
  );
}

/** `120*3,150*1`: most stays have one amount for all nights. */
function runsText(amounts: readonly number[]): string {
  const runs: string[] = [];
  for (let from = 0; from < amounts.length; ) {
    let to = from + 1;
    while (to < amounts.length && amounts[to] === amounts[from]) to += 1;
    runs.push(`${amounts[from]}*${to - from}`);
    from = to;
  }
  return runs.join(",");
}

function amountsOf(runs: string): number[] {
  return fromListField(runs).flatMap((run) => {
    const [amount, count] = run.split("*");
    return new Array<number>(Number(count)).fill(Number(amount));
  });
}

/**
 * The quote of a text made by `quoteText`.
 *
 * @throws Error when the text is not a quote's.
 */
export function readQuote(text: string, tenantId: string, mode: Mode): FrozenQuote {
  if (!text.startsWith(MARK)) throw new Error("not the text of a quote");
  return new TextQuote(text, tenantId, mode);
}

/** Whether a text is the quote with that id. */
export function isQuoteOf(text: string, quoteId: string): boolean {
  return text.startsWith(`${MARK}${toField(quoteId)}|`);
}

/** The property id in a quote's text. */
export function propertyIdOf(text: string): string {
  const fields = new Fields(text, MARK.length);
  fields.text();
  fields.text();
  return fields.text();
}

/** The number of the day of check-in. */
export function checkInDayOf(quote: FrozenQuote): number {
  return quote instanceof TextQuote ? quote.checkInDay : dayOf(quote.stay.check_in);
}

/** How many nights the stay has. */
export function nightCountOf(quote: FrozenQuote): number {
  return quote instanceof TextQuote ? quote.nights : quote.nightly.length;
}

/** Needed by decisions or the fold, or given by the context. */
type HeadMember =
  | ("quote_id" | "tenant_id" | "mode" | "agent_id" | "property_id" | "room_type_id")
  | ("rate_plan_id" | "stay" | "guests" | "created_at" | "expires_at");

/** The supply version and terms; needed to count holds. */
type Terms = Pick<FrozenQuote, "supply_version" | "policy_version" | "currency">;

function readTerms(fields: Fields): Terms {
  return {
    supply_version: fields.number(),
    policy_version: fields.text(),
    currency: fields.text(),
  };
}

/** Needed only to show a quote, and to take or refund money. */
type Tail = Omit<FrozenQuote, HeadMember>;

function readTail(text: string, at: number): Tail {
  const fields = new Fields(text, at);
  return {
    ...readTerms(fields),
    nightly: amountsOf(fields.text()),
    extra_adult: extraOf(fields.text()),
    sources: fields.text(),
    room_subtotal: fields.number(),
    total: fields.number(),
    due_now: fields.number(),
    due_at_property: fields.number(),
    fees: readFees(fields),
    price_hash: HASH_PREFIX + fields.text(),
    policy_hash: HASH_PREFIX + fields.text(),
  };
}

function extraOf(field: string): readonly number[] | number {
  return field === "" || field.includes("*") ? amountsOf(field) : Number(field);
}

function readFees(fields: Fields): FeeTable {
  const numbers = fields.list().map(Number);
  const tiers = Array.from({ length: numbers.length / 2 }, (_, i) => {
    return { until_ms: numbers[2 * i]!, fee: numbers[2 * i + 1]! };
  });
  const [after, no_show, anchor] = [fields.number(), fields.number(), fields.text()];
  return { tiers, after, no_show, anchor_ms: Date.parse(anchor), anchor };
}

/** A quote that was read from text: parses the head at once and the rest on demand. */
class TextQuote implements FrozenQuote {
  readonly text: string;
  readonly quote_id: string;
  readonly tenant_id: string;
  readonly mode: Mode;
  readonly agent_id: string;
  readonly property_id: string;
  readonly room_type_id: string;
  readonly rate_plan_id: string;
  readonly checkInDay: number;
  readonly nights: number;
  readonly created_at: number;
  readonly expires_at: number;
  readonly #adults: number;
  readonly #ages: string;
  readonly #tailAt: number;
  #termsRead: Terms | null = null;
  #tailRead: Tail | null = null;

  /** @throws Error when the text is not a quote's. */
  constructor(text: string, tenantId: string, mode: Mode) {
    const fields = new Fields(text, MARK.length);
    this.text = text;
    this.tenant_id = tenantId;
    this.mode = mode;
    this.quote_id = fields.text();
    this.agent_id = fields.text();
    this.property_id = fields.text();
    this.room_type_id = fields.text();
    this.rate_plan_id = fields.text();
    this.checkInDay = fields.number();
    this.nights = fields.number();
    this.#adults = fields.number();
    this.#ages = fields.text();
    this.created_at = fields.number();
    this.expires_at = fields.number();
    this.#tailAt = fields.at;
  }

  get stay(): Stay {
    const { checkInDay, nights } = this;
    return { check_in: dateOf(checkInDay), check_out: dateOf(checkInDay + nights) };
  }

  get guests(): Party {
    const ages = fromListField(this.#ages);
    return { adults: this.#adults, children: ages.map((age) => ({ age: Number(age) })) };
  }

  get #tail(): Tail {
    this.#tailRead ??= readTail(this.text, this.#tailAt);
    return this.#tailRead;
  }

  get #terms(): Terms {
    this.#termsRead ??= readTerms(new Fields(this.text, this.#tailAt));
    return this.#termsRead;
  }

  get supply_version(): number {
    return this.#terms.supply_version;
  }
  get policy_version(): string {
    return this.#terms.policy_version;
  }
  get currency(): string {
    return this.#terms.currency;
  }
  get nightly(): readonly number[] {
    return this.#tail.nightly;
  }
  get extra_adult(): readonly number[] | number {
    return this.#tail.extra_adult;
  }
  get sources(): string {
    return this.#tail.sources;
  }
  get room_subtotal(): number {
    return this.#tail.room_subtotal;
  }
  get total(): number {
    return this.#tail.total;
  }
  get due_now(): number {
    return this.#tail.due_now;
  }
  get due_at_property(): number {
    return this.#tail.due_at_property;
  }
  get fees(): FeeTable {
    return this.#tail.fees;
  }
  get price_hash(): string {
    return this.#tail.price_hash;
  }
  get policy_hash(): string {
    return this.#tail.policy_hash;
  }

  /** The members in the order of `makeQuote` and of stored records. */
  toJSON(): FrozenQuote {
    return {
      quote_id: this.quote_id,
      tenant_id: this.tenant_id,
      mode: this.mode,
      agent_id: this.agent_id,
      property_id: this.property_id,
      room_type_id: this.room_type_id,
      rate_plan_id: this.rate_plan_id,
      stay: this.stay,
      guests: this.guests,
      supply_version: this.supply_version,
      policy_version: this.policy_version,
      currency: this.currency,
      nightly: this.nightly,
      extra_adult: this.extra_adult,
      sources: this.sources,
      room_subtotal: this.room_subtotal,
      total: this.total,
      due_now: this.due_now,
      due_at_property: this.due_at_property,
      fees: this.fees,
      created_at: this.created_at,
      expires_at: this.expires_at,
      price_hash: this.price_hash,
      policy_hash: this.policy_hash,
    };
  }
}
