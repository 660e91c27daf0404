/** The service's calls, typed, each with what makes it safe to repeat. */
import {
  type AnyInput,
  addressOf,
  type OperationData,
  type OperationId,
  type OperationInput,
} from "./call.ts";
import { filled, missing } from "./filled.ts";
import type {
  CallOptions,
  DelegatedOptions,
  InnkeepOptions,
  OffersRequest,
  OperationArguments,
  OperationOptions,
  Source,
  WriteOptions,
} from "./options.ts";
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

interface Asked extends OperationOptions, Pick<AnyInput, "body" | "contentType"> {
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

/** The key that a body carries, and the rest of it: a header with another one would be refused. */
function keyAside(body: unknown): { readonly key?: string; readonly rest: unknown } {
  if (typeof body !== "object" || body === null || !("idempotency_key" in body))
    return { rest: body };
  const { idempotency_key: key, ...rest } = body;
  return typeof key === "string" ? { key, rest } : { rest: body };
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

  /**
   * Calls an operation by its id, agents' and operators' alike: all that need a credential and
   * answer with an envelope. `input` has `params` of the path, `query` and `body`.
   */
  async call<Id extends OperationId>(
    id: Id,
    ...[input = {} as OperationInput<Id>, options = {}]: OperationArguments<Id>
  ): Promise<Answer<OperationData<Id>>> {
    const { body, contentType, ...where }: AnyInput = input;
    const [method, path] = addressOf(id, where);
    return this.#request(method, path, { ...options, body, contentType });
  }

  /** What can be held now for a stay, best first. */
  search(request: SearchRequest, options: CallOptions = {}): Promise<Answer<Search>> {
    return this.call("search", { body: request }, options);
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
    const children = (guests.children ?? []).map(({ age }) => age).join(",");
    const { check_in, check_out } = stay;
    const query = { check_in, check_out, adults: guests.adults, children, currency };
    return this.call("list_offers", { params: { id: property }, query }, options);
  }

  /**
   * Places of which a name begins with a text, for who is still typing; the `value` of one is a
   * destination of type `area`. At most 10 unless given.
   */
  findPlaces(
    begun: string,
    { limit, ...options }: CallOptions & { readonly limit?: number | undefined } = {},
  ): Promise<Answer<PlaceList>> {
    return this.call("find_places", { query: { q: begun, limit } }, options);
  }

  /** Price and cancellation terms, frozen until `expires_at`. */
  quote(request: QuoteRequest, options: CallOptions = {}): Promise<Answer<Quote>> {
    return this.call("quote", { body: request }, options);
  }

  /** Takes the quoted room out of sale until `expires_at`. */
  hold(request: HoldRequest, options: WriteOptions = {}): Promise<Answer<Hold>> {
    return this.call("hold", { body: request }, options);
  }

  /** The quote as it was made; `expires_at` stays. */
  getQuote(quoteId: string, options: CallOptions = {}): Promise<Answer<Quote>> {
    return this.call("get_quote", { params: { id: quoteId } }, options);
  }

  getHold(holdId: string, options: CallOptions = {}): Promise<Answer<HoldDetail>> {
    return this.call("get_hold", { params: { id: holdId } }, options);
  }

  extendHold(holdId: string, options: WriteOptions = {}): Promise<Answer<ExtendedHold>> {
    return this.call("extend_hold", { params: { id: holdId } }, options);
  }

  releaseHold(holdId: string, options: WriteOptions = {}): Promise<Answer<ReleasedHold>> {
    return this.call("release_hold", { params: { id: holdId } }, options);
  }

  /** Takes payment and books what is held; the answer has a signed receipt. */
  book(request: BookRequest, options: DelegatedOptions = {}): Promise<Answer<Booking>> {
    return this.call("book", { body: request }, options);
  }

  getBooking(bookingId: string, options: CallOptions = {}): Promise<Answer<BookingDetail>> {
    return this.call("get_booking", { params: { id: bookingId } }, options);
  }

  /**
   * The booking of a confirmation code or of a hold, one or none. It tells what came of a `book`
   * whose answer was lost.
   */
  async findBookings(
    by: { readonly confirmationCode: string } | { readonly holdId: string },
    options: CallOptions = {},
  ): Promise<Answer<{ readonly items: readonly BookingDetail[] }>> {
    const query =
      "holdId" in by ? { hold_id: by.holdId } : { confirmation_code: by.confirmationCode };
    const found = await this.call("find_bookings", { query }, options);
    // Only a list of all leaves members out.
    return found as Answer<{ readonly items: readonly BookingDetail[] }>;
  }

  /** What a cancellation would cost now. */
  cancellationQuote(
    bookingId: string,
    options: CallOptions = {},
  ): Promise<Answer<CancellationQuote>> {
    return this.call("get_cancellation_quote", { params: { id: bookingId } }, options);
  }

  cancel(
    bookingId: string,
    request: CancelRequest = {},
    options: DelegatedOptions = {},
  ): Promise<Answer<Cancellation>> {
    return this.call("cancel", { params: { id: bookingId }, body: request }, options);
  }

  getRefund(
    bookingId: string,
    refundId: string,
    options: CallOptions = {},
  ): Promise<Answer<Refund>> {
    return this.call("get_refund", { params: { id: bookingId, refund_id: refundId } }, options);
  }

  /** Everything that happened to a booking, each event with the hash of the one before. */
  audit(bookingId: string, options: CallOptions = {}): Promise<Answer<Audit>> {
    return this.call("get_audit", { params: { id: bookingId } }, options);
  }

  /** Throws unless the receipt is the service's own and unchanged. */
  verifyReceipt(receipt: Receipt, options: CallOptions = {}): Promise<Answer<VerifiedReceipt>> {
    return this.call("verify_receipt", { body: receipt }, options);
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
    if (method === "GET") return this.#request("GET", href, { ...options, takesDocument: true });
    const body = filled(hint, fill);
    const open = missing(body);
    if (open.length > 0) throw new TypeError(`not filled in: ${open.join(", ")}`);
    return this.#request(method, href, { ...options, body });
  }

  async #request<T>(method: string, path: string, asked: Asked): Promise<Answer<T>> {
    const { deadlineMs, tryMs, triesMax, fetch } = this.#options;
    const sent = await this.#sent(method, path, asked);
    // A call that waits for events is answered that much later.
    const waitS = Number(new URL(sent.url).searchParams.get("wait_s")) || 0;
    const patience: Patience = {
      deadlineMs: asked.deadlineMs ?? deadlineMs ?? DEADLINE_MS,
      tryMs: (tryMs ?? TRY_MS) + waitS * 1000,
      triesMax: triesMax ?? TRIES_MAX,
    };
    return send<T>(fetch ?? globalThis.fetch, sent, patience);
  }

  async #sent(method: string, path: string, asked: Asked): Promise<Sent> {
    const { contentType, ifMatch } = asked;
    const isWrite = method !== "GET";
    const { key: inBody, rest } = keyAside(asked.body);
    const body = contentType === undefined ? JSON.stringify(rest) : String(rest);
    const key = isWrite ? (asked.idempotencyKey ?? inBody ?? crypto.randomUUID()) : null;
    const delegation = asked.delegation ?? this.#options.delegation;
    const isDelegated = isWrite && delegation !== undefined && DELEGATED.test(path);
    return {
      method,
      url: new URL(path, this.#base).href,
      headers: new Headers({
        accept: "application/json",
        authorization: `Bearer ${await textOf(this.#options.key)}`,
        ...(body === undefined ? {} : { "content-type": contentType ?? "application/json" }),
        ...(key === null ? {} : { "idempotency-key": key }),
        ...(ifMatch === undefined ? {} : { "if-match": `"${ifMatch}"` }),
        ...(isDelegated ? { "x-delegated-user": await textOf(delegation) } : {}),
      }),
      body: body ?? null,
      idempotencyKey: key,
      signal: asked.signal ?? null,
      takesDocument: asked.takesDocument === true,
    };
  }
}
