/** What the client and its calls are told. */
import type { OperationId, OperationInput } from "./call.ts";
import type { SearchRequest } from "./types.ts";

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

export interface OperationOptions extends DelegatedOptions {
  /** The `version` that is to be changed: refused with `conflict` when another one is current. */
  readonly ifMatch?: number | undefined;
}

/** What follows the operation's id; left out where the operation needs nothing. */
export type OperationArguments<Id extends OperationId> =
  Record<never, never> extends OperationInput<Id>
    ? [input?: OperationInput<Id>, options?: OperationOptions]
    : [input: OperationInput<Id>, options?: OperationOptions];
