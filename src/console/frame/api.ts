/**
 * Calls of the API for a page, with the rights of the visit. Pages read and change nothing in any
 * other way, so that they can do nothing that the API cannot.
 */

import { concretePath } from "../../http/contract.ts";
import { callRoute, type InProcessCall } from "../../http/in-process.ts";
import type { ApiError, OfferedCall } from "./api-error.ts";
import type { ApiCall, Visit } from "./visit.ts";

export type { ApiError, OfferedCall };

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
  visit.made.push({ method, path, body: inner.body, status, traceId, error: error ?? null });
  if (error) return { ok: false, error };
  return { ok: true, data: body.data as T, actions: body.next_actions as OfferedCall[] };
}

/** Where the engine's answer is missing: it may have done the command, or may do it later. */
const WAY_TO_ENGINE: readonly unknown[] = ["engine", "redis", "journal"];

/** The last error that leaves open whether the visit has changed something; null without any. */
export function openErrorOf({ made }: Visit): ApiError | null {
  const isOpen = ({ method, path, body, error }: ApiCall) => {
    const isTrial = /[?&]dry_run=true/.test(path) || (body as { dry_run?: boolean })?.dry_run;
    if (method === "GET" || isTrial || error === null) return false;
    if (error.code === "payment_timeout") return true;
    return error.code === "upstream_unavailable" && WAY_TO_ENGINE.includes(error.detail.upstream);
  };
  return made.findLast(isOpen)?.error ?? null;
}
