/** The service's calls, typed, each with what makes it safe to repeat. */
import { filled, missing } from "./filled.ts";
import { type Answer, type Patience, type Sent, send } from "./send.ts";
import type {
  Audit,
  Booking,
  BookingDetail,
  BookRequest,
  Cancellation,
  CancellationQuote,
  CancelRequest,
  ExtendedHold,
  Hold,
  HoldDetail,
  HoldRequest,
  NextAction,
  PlaceList,
  PropertyOffers,
  Quote,
  QuoteRequest,
  Receipt,
  Refund,
  ReleasedHold,
  Search,
  SearchRequest,
  VerifiedReceipt,
} from "./types.ts";

/** A text, or what makes one when it is needed. */
export type Source = string | (() => string | Promise<string>);

export interface InnkeepOptions {
  /** Where the service is, as `https://hotels.example`. */
  readonly baseUrl: string;
  /** An agent's key or access token. */
  readonly key: Source;
  /** The traveler's consent for `book` and `cancel`, unless the call itself brings it. */
  readonly delegation?: Source | undefined;
  /** A call with all its tries; 60 s unless given. */
  readonly deadlineMs?: number | undefined;
  /** One try; 15 s unless given. */
  readonly tryMs?: number | undefined;
  /** 6 unless given; 1 never repeats. */
  readonly triesMax?: number | undefined;
  /** Instead of the global one. */
  readonly fetch?: typeof globalThis.fetch | undefined;
}

export interface CallOptions {
  /** Ends the call; what a write came to is then unknown. */
  readonly signal?: AbortSignal | undefined;
  readonly deadlineMs?: number | undefined;
}

export interface WriteOptions extends CallOptions {
  /**
   * Names the intent. Made for each call unless given; keep your own where a later run of your
   * program may have to ask again what came of it.
   */
  readonly idempotencyKey?: string | undefined;
}

/** A stay whose offers are asked for, as a search has it. */
export interface OffersRequest extends Pick<SearchRequest, "stay" | "guests"> {
  /** Also show totals in this currency. */
  readonly currency?: string | undefined;
}

export interface DelegatedOptions extends WriteOptions {
  /** The traveler's consent: a token as `mintDelegation` makes it. */
  readonly delegation?: Source | undefined;
}

interface Asked extends DelegatedOptions {
  readonly body?: unknown;
  readonly takesDocument?: boolean;
}

const DEADLINE_MS = 60_000;
const TRY_MS = 15_000;
const TRIES_MAX = 6;
/** Booking and cancelling are done for a traveler. */
const DELEGATED = /^\/v1\/bookings(\/[^/]+\/cancel)?$/;

async function textOf(source: Source): Promise<string> {
  return typeof source === "string" ? source : await source();
}

/** A path with ids in it. One that is empty, dots or no text would make it another path. */
function at(parts: TemplateStringsArray, ...ids: readonly string[]): string {
  for (const id of ids) {
    if (typeof id !== "string" || /^\.{0,2}$/.test(id)) throw new TypeError(`"${id}" is no id`);
  }
  return String.raw({ raw: parts }, ...ids.map(encodeURIComponent));
}

/** A client of one service with one key. It keeps no state: one may serve a whole program. */
export class Innkeep {
  readonly #base: URL;
  readonly #options: InnkeepOptions;

  /** Throws a `TypeError` when `baseUrl` is no address, or the key is missing. */
  constructor(options: InnkeepOptions) {
    this.#base = new URL(options.baseUrl);
    // `localhost:3000` is an address too, of a protocol named localhost.
    if (!/^https?:$/.test(this.#base.protocol)) {
      throw new TypeError(`baseUrl must begin with https:// or http://, not ${options.baseUrl}`);
    }
    if (!options.key) throw new TypeError("the key is missing");
    this.#options = options;
  }

  /** What can be held now for a stay, best first. */
  search(request: SearchRequest, options: CallOptions = {}): Promise<Answer<Search>> {
    return this.#call("POST", "/v1/search", { ...options, body: request });
  }

  /**
   * All rooms and rates of a property for a stay, with totals and terms; those that can be held
   * first, each with the body of its `quote`.
   */
  async listOffers(
    property: string,
    { stay, guests, currency }: OffersRequest,
    options: CallOptions = {},
  ): Promise<Answer<PropertyOffers>> {
    const ages = (guests.children ?? []).map(({ age }) => age);
    const asked = new URLSearchParams({
      ...{ check_in: stay.check_in, check_out: stay.check_out },
      ...{ adults: String(guests.adults), children: ages.join(",") },
      ...(currency === undefined ? {} : { currency }),
    });
    return this.#call("GET", `${at`/v1/properties/${property}/offers`}?${asked}`, options);
  }

  /**
   * Places of which a name begins with a text, for who is still typing; the `value` of one is a
   * destination of type `area`. At most 10 unless given.
   */
  async findPlaces(
    begun: string,
    { limit, ...options }: CallOptions & { readonly limit?: number | undefined } = {},
  ): Promise<Answer<PlaceList>> {
    const asked = new URLSearchParams({ q: begun, ...(limit && { limit: String(limit) }) });
    return this.#call("GET", `/v1/places?${asked}`, options);
  }

  /** Price and cancellation terms, frozen until `expires_at`. */
  quote(request: QuoteRequest, options: CallOptions = {}): Promise<Answer<Quote>> {
    return this.#call("POST", "/v1/quotes", { ...options, body: request });
  }

  /** Takes the quoted room out of sale until `expires_at`. */
  hold(request: HoldRequest, options: WriteOptions = {}): Promise<Answer<Hold>> {
    return this.#call("POST", "/v1/holds", { ...options, body: request });
  }

  /** The quote as it was made; `expires_at` stays. */
  async getQuote(quoteId: string, options: CallOptions = {}): Promise<Answer<Quote>> {
    return this.#call("GET", at`/v1/quotes/${quoteId}`, options);
  }

  async getHold(holdId: string, options: CallOptions = {}): Promise<Answer<HoldDetail>> {
    return this.#call("GET", at`/v1/holds/${holdId}`, options);
  }

  async extendHold(holdId: string, options: WriteOptions = {}): Promise<Answer<ExtendedHold>> {
    return this.#call("POST", at`/v1/holds/${holdId}/extend`, { ...options, body: {} });
  }

  async releaseHold(holdId: string, options: WriteOptions = {}): Promise<Answer<ReleasedHold>> {
    return this.#call("POST", at`/v1/holds/${holdId}/release`, { ...options, body: {} });
  }

  /** Takes payment and books what is held; the answer has a signed receipt. */
  book(request: BookRequest, options: DelegatedOptions = {}): Promise<Answer<Booking>> {
    return this.#call("POST", "/v1/bookings", { ...options, body: request });
  }

  async getBooking(bookingId: string, options: CallOptions = {}): Promise<Answer<BookingDetail>> {
    return this.#call("GET", at`/v1/bookings/${bookingId}`, options);
  }

  /**
   * The booking of a confirmation code or of a hold, one or none. It tells what came of a `book`
   * whose answer was lost.
   */
  findBookings(
    by: { readonly confirmationCode: string } | { readonly holdId: string },
    options: CallOptions = {},
  ): Promise<Answer<{ readonly items: readonly BookingDetail[] }>> {
    const asked: Record<string, string> =
      "holdId" in by ? { hold_id: by.holdId } : { confirmation_code: by.confirmationCode };
    return this.#call("GET", `/v1/bookings?${new URLSearchParams(asked)}`, options);
  }

  /** What a cancellation would cost now. */
  async cancellationQuote(
    bookingId: string,
    options: CallOptions = {},
  ): Promise<Answer<CancellationQuote>> {
    return this.#call("GET", at`/v1/bookings/${bookingId}/cancellation-quote`, options);
  }

  async cancel(
    bookingId: string,
    request: CancelRequest = {},
    options: DelegatedOptions = {},
  ): Promise<Answer<Cancellation>> {
    const path = at`/v1/bookings/${bookingId}/cancel`;
    return this.#call("POST", path, { ...options, body: request });
  }

  async getRefund(
    bookingId: string,
    refundId: string,
    options: CallOptions = {},
  ): Promise<Answer<Refund>> {
    return this.#call("GET", at`/v1/bookings/${bookingId}/refunds/${refundId}`, options);
  }

  /** Everything that happened to a booking, each event with the hash of the one before. */
  async audit(bookingId: string, options: CallOptions = {}): Promise<Answer<Audit>> {
    return this.#call("GET", at`/v1/bookings/${bookingId}/audit`, options);
  }

  /** Throws unless the receipt is the service's own and unchanged. */
  verifyReceipt(receipt: Receipt, options: CallOptions = {}): Promise<Answer<VerifiedReceipt>> {
    return this.#call("POST", "/v1/receipts/verify", { ...options, body: receipt });
  }

  /**
   * Makes a call that an answer or an error has offered. `fill` is laid over its ready body: what
   * stands there as `<what it is>` only you can know. Throws when something is left unfilled.
   */
  async follow<T = unknown>(
    action: NextAction,
    fill?: Readonly<Record<string, unknown>>,
    options: DelegatedOptions = {},
  ): Promise<Answer<T>> {
    const { body_hint: hint = {}, method, href } = action;
    // `/\elsewhere` is another host as well: what reads addresses has to say.
    if (!href.startsWith("/") || new URL(href, this.#base).origin !== this.#base.origin) {
      throw new TypeError(`${href} is no path of the service`);
    }
    if (method === "GET") return this.#call("GET", href, { ...options, takesDocument: true });
    const body = filled(hint, fill) as { readonly idempotency_key?: string };
    const open = missing(body);
    if (open.length > 0) throw new TypeError(`not filled in: ${open.join(", ")}`);
    const { idempotency_key: idempotencyKey, ...rest } = body;
    return this.#call(method, href, { idempotencyKey, ...options, body: rest });
  }

  async #call<T>(method: string, path: string, asked: Asked): Promise<Answer<T>> {
    const { deadlineMs, tryMs, triesMax, fetch } = this.#options;
    const patience: Patience = {
      deadlineMs: asked.deadlineMs ?? deadlineMs ?? DEADLINE_MS,
      tryMs: tryMs ?? TRY_MS,
      triesMax: triesMax ?? TRIES_MAX,
    };
    return send<T>(fetch ?? globalThis.fetch, await this.#sent(method, path, asked), patience);
  }

  async #sent(method: string, path: string, asked: Asked): Promise<Sent> {
    const isWrite = method !== "GET";
    const key = isWrite ? (asked.idempotencyKey ?? crypto.randomUUID()) : null;
    const delegation = asked.delegation ?? this.#options.delegation;
    const isDelegated = isWrite && delegation !== undefined && DELEGATED.test(path);
    const url = new URL(path, this.#base);
    return {
      method,
      url: url.href,
      headers: new Headers({
        accept: "application/json",
        authorization: `Bearer ${await textOf(this.#options.key)}`,
        ...(isWrite ? { "content-type": "application/json" } : {}),
        ...(key === null ? {} : { "idempotency-key": key }),
        ...(isDelegated ? { "x-delegated-user": await textOf(delegation) } : {}),
      }),
      body: asked.body === undefined ? null : JSON.stringify(asked.body),
      idempotencyKey: key,
      signal: asked.signal ?? null,
      takesDocument: asked.takesDocument === true,
    };
  }
}
