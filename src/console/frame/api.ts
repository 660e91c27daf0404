/**
 * Calls of the API for a page, with the rights of the visit. Pages read and change nothing in any
 * other way, so that they can do nothing that the API cannot.
 */

import { concretePath } from "../../http/contract.ts";
import { callRoute, type InProcessCall } from "../../http/in-process.ts";
import type { Visit } from "./visit.ts";

/** An error of the catalogue, as far as pages show it. */
export interface ApiError {
  readonly code: string;
  readonly message: string;
  readonly remediation: string;
  readonly detail: Readonly<Record<string, unknown>>;
  readonly retry_after: number | null;
  readonly trace_id: string;
  /** Ways on from it. */
  readonly next_actions: readonly OfferedCall[];
}

export interface OfferedCall {
  readonly rel: string;
  readonly method: string;
  readonly href: string;
  readonly body_hint?: Readonly<Record<string, unknown>>;
}

export type Answered<T> =
  | { readonly ok: true; readonly data: T; readonly actions: readonly OfferedCall[] }
  | { readonly ok: false; readonly error: ApiError };

/** Calls a route of the API by its id. */
export async function ask<T>(visit: Visit, inner: InProcessCall): Promise<Answered<T>> {
  const { method, path: template } = visit.call.context.routes.byId(inner.id);
  const { status, body } = await callRoute(visit.call, { ...inner, hasRoutes: true });
  const query = new URLSearchParams(inner.query).toString();
  const path = concretePath(template, inner.params ?? {}) + (query === "" ? "" : `?${query}`);
  const error = body.error as ApiError | undefined;
  const traceId = error?.trace_id ?? String(body.trace_id);
  visit.made.push({ method, path, body: inner.body, status, traceId });
  if (error) return { ok: false, error };
  return { ok: true, data: body.data as T, actions: body.next_actions as OfferedCall[] };
}
