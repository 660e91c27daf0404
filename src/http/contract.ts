/**
 * What the published documents say about a route and its code does not: names, words, the shape of
 * a success and the refusals that are the route's own. Checks, headers and the refusals every route
 * of its kind has are read off the route itself, so they cannot be said twice and differ.
 */
import type { TSchema } from "@sinclair/typebox";
import type { ErrorCode } from "../refusals/catalogue.ts";

/** Groups of operations, in the order the reference shows them. */
export const TAGS = {
  Supply: "Hotels that the caller may sell, and search over what can be held now.",
  Quotes: "A quote freezes price and cancellation terms; it is the authority for both.",
  Holds: "A hold takes the room out of sale for a short time.",
  Bookings: "Bookings with payment and signed receipt, their audit, cancellation and refunds.",
  Receipts: "Proof that anyone can check.",
  Authentication: "Access tokens from agent credentials (OAuth 2.0 client credentials) and keys.",
  Protocols: "The same operations for clients of MCP and A2A.",
  Discovery: "What the service is, in the formats that agents and tools look for. No credential.",
  Documentation: "The reference, the pages behind every `docs_url` and the OpenAPI document.",
  "Supply administration": "Properties, rates and availability, for operators.",
  "Access administration": "Agents, credentials and the issuers of delegation tokens.",
} as const;

export type Tag = keyof typeof TAGS;

/** A parameter in the path or the query. */
export interface Parameter {
  readonly schema: TSchema;
  readonly description: string;
}

export interface SuccessOf {
  readonly status: 200 | 201;
  readonly description: string;
  /** `data` of the envelope (spec 2.1). */
  readonly data?: TSchema;
  /** The whole body, where the contract shows none of the envelope. */
  readonly body?: TSchema;
  /** JSON unless said. */
  readonly contentType?: string;
  /** Bodies of other media types that the caller may be answered in, by type. */
  readonly alternatives?: Readonly<Record<string, TSchema>>;
  /** The envelope carries a `receipt` (spec 2.4). */
  readonly hasReceipt?: boolean;
  /** The envelope carries `expires_at` (rules §2). */
  readonly expires?: boolean;
  /** A public document with an `ETag`, for caches to keep this long. */
  readonly maxAgeS?: number;
}

export interface OwnError {
  readonly description: string;
  readonly body: TSchema;
}

export interface Operation {
  /** `operationId`; the tools of other protocols carry the same name. */
  readonly id: string;
  readonly tag: Tag;
  readonly summary: string;
  /** Markdown. */
  readonly description: string;
  /** Parameters of the path in their order, by the names that the contract gives them. */
  readonly params?: Readonly<Record<string, Parameter>>;
  readonly query?: Readonly<Record<string, Parameter>>;
  /** Bodies of other media types than JSON, by type. */
  readonly accepts?: Readonly<Record<string, TSchema>>;
  /** Reads `If-Match`: the version that the caller has seen. */
  readonly takesIfMatch?: boolean;
  readonly success: SuccessOf;
  /** What the route refuses by itself; `errorCodesOf` adds what its checks refuse. */
  readonly errors: readonly ErrorCode[];
  /** An unknown id is 404 `validation_failed`: the catalogue has no code for it (rules §2). */
  readonly hasUnlistedIds?: boolean;
  /** Error bodies that are not the envelope (spec 4.2, 4.3), by status. */
  readonly ownErrors?: Readonly<Record<number, OwnError>>;
}

/** `METHOD /path/:id` of a route → what is said about it. */
export type OperationTable = Readonly<Record<`${string} /${string}`, Operation>>;
