/**
 * The published catalogue of errors. Recovery calls without a route here are omitted.
 */
import { REFUSAL_CODES, type RefusalCode } from "../../engine/core/refusals.ts";
import { type Method, publicStep, type RecoveryStep, SAME_CALL } from "../actions/steps.ts";
import { docsUrl, REFUSALS, remediationOf } from "./catalogue.ts";
import type { Terms } from "./record.ts";

type Routes = readonly { readonly method: Method; readonly path: string }[];

/** A path with all its parameters, `:id` or `{id}`, alike. */
function shapeOf(path: string): string {
  return path.replace(/:\w+|\{\w+\}/g, "*");
}

/** The recovery calls of a code that have a route, most useful first. */
export function servedRecovery(code: RefusalCode, routes: Routes): RecoveryStep[] {
  return REFUSALS[code].recovery.filter(({ method, href }) => {
    if (href === SAME_CALL) return true;
    return routes.some((each) => each.method === method && shapeOf(each.path) === shapeOf(href));
  });
}

/**
 * Body of `GET /.well-known/errors`, by default in the terms of REST; `docs` has no trailing slash.
 */
export function catalogueDocument(docs: string, routes: Routes, terms?: Terms) {
  return {
    errors: REFUSAL_CODES.map((code) => ({
      code,
      status: REFUSALS[code].status,
      remediation: remediationOf(code, terms),
      next_actions: servedRecovery(code, routes).map(publicStep),
      docs_url: docsUrl(docs, code),
    })),
  };
}
