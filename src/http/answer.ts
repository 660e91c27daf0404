/**
 * Answers of handlers, as values. The pipeline makes responses of them, with the renderer that the
 * route names (`send-data.ts`).
 */
import type { Hints, Receipt } from "../../engine/core/outcomes.ts";
import type { RefusalCode } from "../../engine/core/refusals.ts";
import type { NextAction } from "../actions/next-action.ts";
import type { RecoveryStep } from "../actions/steps.ts";
import type { Page } from "../pages/frame.ts";
import type { FieldError } from "./validate.ts";

type Headers = Readonly<Record<string, string>>;
type Fields = Readonly<Record<string, unknown>>;

/** `envelope`: data in the envelope of successes. */
export interface Success {
  readonly ok: true;
  /** 200 by default. */
  readonly status?: 201 | 202;
  readonly data: Fields;
  readonly actions?: readonly NextAction[];
  /** On quotes, holds and sessions only. */
  readonly expires_at?: string;
  readonly receipt?: Receipt;
  /** The stored outcome's trace on a replay; the request's own otherwise. */
  readonly trace_id?: string;
  readonly isReplayed?: boolean;
  /** The rows of `table`, where they are not the items of the data. */
  readonly rows?: readonly Fields[];
}

/** `oauth`: a bare JSON body without caching (RFC 6749 §5.1). */
export interface OauthBody {
  readonly ok: true;
  /** 200 by default. */
  readonly status?: 200 | 201;
  readonly body: object;
}

/** `document`: public and cacheable. */
export interface Document {
  readonly ok: true;
  /** 200 by default; 404 if not found. */
  readonly status?: 404;
  /** Text and bytes unchanged; any other value is sent as JSON. */
  readonly content: unknown;
  /** Media type; JSON by default. */
  readonly type?: string;
  /** Seconds that caches may keep it; 300 by default. */
  readonly maxAgeS?: number;
  /** Already compressed as its headers say. */
  readonly isCoded?: boolean;
  /** Value for the ETag, if equal documents differ in their bytes. */
  readonly etagOf?: string;
  readonly headers?: Headers;
}

/** A page of configuration and routes alone: made when it is first asked for. */
export interface FixedPage {
  /** Unlike that of all others, and one of a bounded number. */
  readonly name: string;
  readonly make: () => Page | Promise<Page>;
}

/** `page`: HTML in the common frame, or the same content as a document. */
export interface PageView {
  readonly ok: true;
  readonly page: Page | FixedPage;
  /** `content-security-policy`, if the page needs more than our styles and images. */
  readonly policy?: string;
  /** 200 by default; 404 if not found. */
  readonly status?: 404;
  readonly headers?: Headers;
}

/** `private-page`: a whole page for a signed-in person, never stored by a cache. */
export interface PrivatePage {
  readonly ok: true;
  /** The document, or the address to go to (303). */
  readonly show: { readonly html: string } | { readonly location: string };
  /** It shows a secret, once: sent uncompressed (see `compress.ts`). */
  readonly hasSecret?: boolean;
  /** Where an answer to one of its forms may lead besides this service: a source of a policy. */
  readonly formsLeadTo?: string | null;
  /** 200 by default. */
  readonly status?: number;
  readonly headers?: Headers;
}

/** Content coding (RFC 9110 §8.4). */
export type Encoding = "identity" | "gzip";

/** A stored document in one encoding; size and tag are known without reading it. */
export interface Kept {
  readonly bytes: number;
  /** Strong ETag, with quotes. */
  readonly etag: string;
  body(): ReadableStream<Uint8Array> | Uint8Array<ArrayBuffer>;
}

/** `xml`: a document in XML, made for this answer or kept in every encoding. */
export interface Xml {
  readonly ok: true;
  readonly xml: string | ((encoding: Encoding) => Kept);
  /** Time of its data, epoch milliseconds. */
  readonly modifiedMs?: number;
  /** Needs a credential, so shared caches may not store it. */
  readonly isPrivate?: boolean;
  readonly headers?: Headers;
}

/** `verbatim`: a response of another protocol's library or format. */
export interface Verbatim {
  readonly ok: true;
  readonly status: number;
  readonly headers: Headers;
  readonly body: string | ReadableStream | null;
}

/**
 * What each renderer makes a response of; `negotiated` is what the caller's `Accept` asks for,
 * `table` a list in the envelope or as CSV.
 */
export interface Views {
  readonly envelope: Success;
  readonly oauth: OauthBody;
  readonly document: Document;
  readonly page: PageView | Document;
  readonly "private-page": PrivatePage | Verbatim;
  readonly xml: Xml;
  readonly verbatim: Verbatim;
  readonly negotiated: Success | Verbatim;
  readonly table: Success;
}

export type RendererName = keyof Views;

/** A refusal of the catalogue: the envelope of failures with its recovery calls. */
export interface Refusal {
  readonly ok: false;
  readonly code: RefusalCode;
  readonly detail?: Fields;
  /** Ids and ready bodies that recovery needs and `detail` does not carry. */
  readonly hints?: Hints;
  /** Replaces the catalogue's recovery of the code. */
  readonly recovery?: readonly RecoveryStep[];
  readonly retry_after?: number;
  /** Differs from the catalogue's only for unknown routes, methods and ids. */
  readonly status?: 404 | 405 | 431;
  readonly headers?: Headers;
  readonly trace_id?: string;
  /** Base of `docs_url` of a stored refusal. */
  readonly docs?: string;
  readonly isReplayed?: boolean;
}

/**
 * The first two are the only ones of agents' own tokens; the others are of the grants of a code and
 * a refresh token (RFC 6749 §5.2, RFC 8707 §2) and of registration (RFC 7591 §3.2.2).
 */
export const OAUTH_ERRORS = [
  ...(["invalid_client", "invalid_scope", "invalid_request", "invalid_grant"] as const),
  ...(["invalid_target", "invalid_redirect_uri", "invalid_client_metadata"] as const),
] as const;
export type OauthErrorCode = (typeof OAUTH_ERRORS)[number];

/** The small error body of OAuth and its metadata. */
export interface OauthRefusal {
  readonly ok: false;
  readonly status: 400 | 401 | 404 | 405 | 429 | 431;
  readonly error: OauthErrorCode | "oauth_not_configured" | "oauth_metadata_not_configured";
  readonly description?: string;
  readonly headers?: Headers;
}

/** Answers allowed for a route with the renderer `R`. */
export type Answer<R extends RendererName = RendererName> =
  | Views[R]
  | Refusal
  | (R extends "oauth" | "document" ? OauthRefusal : never);

/** The refusal with this code. */
export function refuse(
  code: RefusalCode,
  detail: Fields = {},
  more: Omit<Refusal, "ok" | "code" | "detail"> = {},
): Refusal {
  return { ok: false, code, detail, ...more };
}

/** Listed errors: a hostile body has an error every two bytes. */
const FIELD_ERRORS_MAX = 100;

/** `detail` of `validation_failed`: the first errors, and the number of omitted ones. */
export function faultDetail(errors: readonly FieldError[]): Fields {
  const field_errors = errors.slice(0, FIELD_ERRORS_MAX);
  const more = errors.length - field_errors.length;
  return more > 0 ? { field_errors, more_field_errors: more } : { field_errors };
}

/** 400 `validation_failed` naming every offending field; never sealed. */
export function invalid(errors: readonly FieldError[]): Refusal {
  return refuse("validation_failed", faultDetail(errors));
}

/**
 * 404 for an id of the path whose kind has no code of its own; `recovery` leads to where
 * such ids are listed, because a retry would be refused again.
 */
export function unknownId(
  path: string,
  expected: string,
  recovery: RecoveryStep,
  hints: Hints = {},
): Refusal {
  const field_errors = [{ path, message: "is unknown", expected }];
  const more = { status: 404, recovery: [recovery], hints } as const;
  return refuse("validation_failed", { field_errors }, more);
}
