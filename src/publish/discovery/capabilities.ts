/** Capabilities, one entry per tool. */
import type { Method, Rel } from "../../actions/steps.ts";
import { type Contract, documentedPath } from "../../http/contract.ts";
import type { Routes } from "../../http/route-table.ts";
import { toolsOf } from "../../protocols/tools/catalogue.ts";
import { FLOWS } from "../../protocols/tools/flows.ts";

/** Spec 4.2.1. */
export interface Capability {
  readonly id: string;
  readonly description: string;
  readonly method: Method;
  /** Path with `{name}` parameters. */
  readonly href: string;
  /** True for reads and for writes with an idempotency key. */
  readonly idempotent: boolean;
  /** The usual next step. */
  readonly next_rel: Rel | null;
}

/** Capabilities in the order of the flow. */
export function capabilitiesOf(routes: Routes): Capability[] {
  return toolsOf(routes).map(({ route, description, nextRel }) => {
    return capabilityOf(route, description, nextRel);
  });
}

function capabilityOf(route: Contract, description: string, next_rel: Rel | null): Capability {
  const { id, method, key } = route;
  const idempotent = method === "GET" || key !== undefined;
  return { id, description, method, href: documentedPath(route), idempotent, next_rel };
}

/** The canonical flows (spec 4.2.1); steps are ids of capabilities. */
export function flows() {
  return FLOWS.map(({ id, description, steps }) => ({ id, description, steps }));
}
