/**
 * The contract of a route, without its handler: checks of a request, and published descriptions.
 * Documents, tools, skills, capabilities and the tests of isolation are generated from it.
 */
import type { TSchema } from "@sinclair/typebox";
import type { RefusalCode } from "../../engine/core/refusals.ts";
import type { Resource } from "../access/auth/access-token.ts";
import type { PrincipalKind } from "../access/control/principal.ts";
import type { Method, Rel } from "../actions/steps.ts";
import type { RendererName } from "./answer.ts";
import type { Body } from "./validate.ts";

/** Groups of operations, in the order the reference shows them. */
export const TAGS = {
  Supply: "Hotels that the caller may sell, and search of available rooms.",
  Advisor: "Answers to travelers' questions about a hotel, from its facts.",
  Quotes: "A quote freezes price and cancellation terms; it is the authority for both.",
  Holds: "A hold reserves a room for a short time.",
  Checkout: "A page on which a person books a hold, instead of a delegation token.",
  Bookings: "Bookings with payment and signed receipt, their audit, cancellation and refunds.",
  Guest:
    "A guest's own booking: seen, changed and cancelled by a link in a mail, without the agent.",
  Desk: "The property's front desk, for operators: arrivals, departures, open payments and refunds.",
  "Payment provider": "Events that the payment provider sends.",
  Receipts: "Signed proofs that anyone can verify.",
  Events: "A tenant's events, by page or as a stream.",
  Authentication:
    "Access tokens from agent credentials or an operator's consent (OAuth), and keys.",
  Protocols: "The same operations for clients of MCP and A2A.",
  Discovery: "Descriptions of the service in formats for agents and tools. No credential.",
  Documentation: "The reference, the pages behind every `docs_url` and the OpenAPI document.",
  "Supply administration": "Properties, rates and availability, for operators.",
  "Access administration": "Agents, credentials and the issuers of delegation tokens.",
  Webhooks: "Endpoints for a tenant's events, and their deliveries.",
  Feeds:
    "Partner feeds: a tenant's properties, rates and availability as documents for metasearch partners.",
} as const;

export type Tag = keyof typeof TAGS;

/**
 * Access: kinds, then scope, then properties. Every valid credential has the null scope.
 */
export interface Access {
  readonly kinds: readonly PrincipalKind[];
  readonly scope: string | null;
  readonly touches: Touched;
}

/**
 * Extent of a call, which limits credentials of some properties:
 * `properties`: checked one by one (`api/visible.ts`, the engine).
 * `tenant`: concerns all properties, including future ones; refused.
 * `agents`: bounded by the caller's own rights (`control/rights.ts`).
 * `nothing`: none of these.
 */
export type Touched = "properties" | "tenant" | "agents" | "nothing";

/** Calls per client address, also the burst. */
export interface AddressLimit {
  readonly name: string;
  /** 60 unless said. */
  readonly perMinute?: number;
  /** A daily limit instead, for calls that create lasting data. */
  readonly perDay?: number;
}

/** A parameter of the path. */
export interface Parameter {
  readonly schema: TSchema;
  readonly description: string;
}

/** A parameter of the query; a value that is not of its schema is refused with `fault`. */
export interface QueryParameter extends Parameter {
  readonly isRequired?: boolean;
  /** Personal data: no answer repeats it. */
  readonly isPersonal?: boolean;
  readonly isValid: (value: string) => boolean;
  readonly fault: { readonly message: string; readonly expected: string };
}

export interface DocumentedSuccess {
  readonly status: 200 | 201 | 202;
  readonly description: string;
  /** `data` of the envelope. */
  readonly data?: TSchema;
  /** The whole body, without an envelope. */
  readonly body?: TSchema;
  /** JSON by default. */
  readonly contentType?: string;
  /** Additional headers with descriptions. */
  readonly headers?: Readonly<Record<string, string>>;
  /** A row of the table, if it is not an item of the data's list. */
  readonly rows?: TSchema;
  /** Bodies of other accepted media types, by type. */
  readonly alternatives?: Readonly<Record<string, TSchema>>;
  /** `data` of a 202 instead: the answer is being made, and `retry` asks for it again. */
  readonly later?: TSchema;
  /** The envelope carries a `receipt`. */
  readonly hasReceipt?: boolean;
  /** The envelope carries `expires_at`. */
  readonly expires?: boolean;
}

export interface OwnError {
  readonly description: string;
  readonly body: TSchema;
  /** JSON by default. */
  readonly contentType?: string;
}

/** A route as a tool for models (MCP) and a skill (A2A); both carry the route's id. */
export interface ToolWords {
  readonly title: string;
  /** For models: when to use it, its result and the next step. */
  readonly description: string;
  readonly tags: readonly string[];
  /** The usual next step; null without one. */
  readonly nextRel: Rel | null;
  /** Route parameter → argument. */
  readonly pathArguments?: Readonly<Record<string, string>>;
  /** Schemas of path arguments, and of members of the body that need other words. */
  readonly arguments?: Readonly<Record<string, TSchema>>;
  /** Parameters of the query that are arguments. */
  readonly queryArguments?: Readonly<Record<string, TSchema>>;
  /** All arguments, if they differ from parameters and body. */
  readonly input?: TSchema;
  /** An argument object, for the skill's example. */
  readonly example: Readonly<Record<string, unknown>>;
  /** Whether it changes nothing; true of a GET by default. */
  readonly isReadOnly?: boolean;
  readonly isDestructive?: boolean;
  /** True unless said: a repeated call does no harm. */
  readonly isIdempotent?: boolean;
  /** True if it affects outside systems: a payment. */
  readonly isOpenWorld?: boolean;
}

export interface Contract {
  /** `operationId`; tools, skills and capabilities carry the same name. */
  readonly id: string;
  readonly tag: Tag;
  readonly method: Method;
  /** `:name` for path parameters. */
  readonly path: string;
  /** A former path with the same parameters; unpublished alias. */
  readonly formerPath?: string;
  readonly summary: string;
  /** Markdown. */
  readonly description: string;
  readonly access: "public" | Access;
  /** A rate limit per client address, for public routes; every public write has one. */
  readonly addressLimit?: AddressLimit;
  /** Takes a partner's user and password (HTTP Basic) where the operator has set them. */
  readonly takesPartnerCredential?: boolean;
  /** Only for the session of a guest, on a public route: the handler then has a principal. */
  readonly isForGuests?: boolean;
  /** Takes agent id and secret as HTTP Basic too, for clients that know no bearer tokens. */
  readonly takesBasic?: boolean;
  /** Audience of access tokens (RFC 8707); the service by default. */
  readonly resource?: Resource;
  /** Needs the traveler's delegation token. */
  readonly isDelegated?: boolean;
  /** Idempotency key; ignored if absent. */
  readonly key?: "required" | "accepted";
  /** Parameters of the path in their order, by the names that the contract gives them. */
  readonly params?: Readonly<Record<string, Parameter>>;
  /** Others are refused under `/v1` and `/feeds`. */
  readonly query?: Readonly<Record<string, QueryParameter>>;
  /** The JSON body; not read if absent. */
  readonly body?: Body<unknown>;
  /** The handler reads the body itself; `body` is only documentation. */
  readonly reads?: "stream";
  /** Largest body in bytes; 64 KiB unless said. */
  readonly bodyBytesMax?: number;
  /** A missing body counts as `{}`. */
  readonly isBodyOptional?: boolean;
  /** Bodies of other media types than JSON, by type. */
  readonly accepts?: Readonly<Record<string, TSchema>>;
  /** Reads `If-Match`: the expected version. */
  readonly takesIfMatch?: boolean;
  /**
   * Success has an `ETag` and supports 304: the `version` of its data, as in `If-Match`; a hash of
   * the content; or both, if more than the version can change.
   */
  readonly etag?: "version" | "content" | "version_and_content";
  /** Reads the replica, which applies what is new before the handler starts; see `freshness.ts`. */
  readonly readsReplica?: boolean;
  /** Renders outcomes from the replica, which then has the outcome's row or timed out. */
  readonly rendersReplica?: boolean;
  /** The envelope by default. */
  readonly renderer?: RendererName;
  readonly success: DocumentedSuccess;
  /** A dry run of a creation answers 200 with the same data. */
  readonly hasDryRun?: boolean;
  /** The route's own refusals; `refusalCodesOf` adds those of its checks. */
  readonly errors: readonly RefusalCode[];
  /** An unknown id is 404 `validation_failed`: the catalogue has no code for it. */
  readonly hasUnlistedIds?: boolean;
  /** Error bodies that are not the envelope, by status. */
  readonly ownErrors?: Readonly<Record<number, OwnError>>;
  readonly tool?: ToolWords;
  /** A page for people: in no document for programs, and no call of the API. */
  readonly isPage?: boolean;
}

/** True when the pipeline reads a JSON body before the handler. */
export function readsJson({ body, reads }: Pick<Contract, "body" | "reads">): boolean {
  return body !== undefined && reads === undefined;
}

/** True when a call changes nothing, whatever its method. */
export function isReadOnly({ tool, method }: Pick<Contract, "tool" | "method">): boolean {
  return tool?.isReadOnly ?? method === "GET";
}

/** True when success has an `ETag`, and 304 answers who has it already. */
export function isDocument({ renderer }: Pick<Contract, "renderer">): boolean {
  return renderer === "document" || renderer === "page" || renderer === "xml";
}

/** Path with its parameters filled in: one spelling, however a client wrote it. */
export function concretePath(path: string, params: Readonly<Record<string, string>>): string {
  return path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ""));
}

/** Path as documents write it, with the parameter names that the contract gives. */
export function documentedPath({ path, params = {} }: Pick<Contract, "path" | "params">): string {
  const names = Object.keys(params);
  return path.replace(/:(\w+)/g, (_, own: string) => `{${names.shift() ?? own}}`);
}
