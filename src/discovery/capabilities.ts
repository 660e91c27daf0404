/**
 * What an agent can do here, one entry per operation, made of the tool catalogue, the words of the
 * reference and the routes themselves.
 */
import { operationOf } from "../contract/operations.ts";
import { type Route, routeOf } from "../http/call.ts";
import type { Method, Rel } from "../refusals/steps.ts";
import { FLOWS, TOOLS } from "../tools/catalogue.ts";

/** Spec 4.2.1. */
export interface Capability {
  readonly id: string;
  readonly description: string;
  readonly method: Method;
  /** Path with `{name}` for what the caller fills in. */
  readonly href: string;
  /** True when the same call can be repeated: reads, and writes under an idempotency key. */
  readonly idempotent: boolean;
  /** The usual next step. */
  readonly next_rel: Rel | null;
}

type Described = Omit<Capability, "href" | "idempotent"> & { readonly path: string };

/** Calls that next actions lead to and that are no tools of their own. */
const FURTHER: readonly Pick<Described, "method" | "path" | "next_rel">[] = [
  { method: "GET", path: "/v1/holds/:id", next_rel: "confirm" },
  { method: "POST", path: "/v1/holds/:id/extend", next_rel: "confirm" },
  { method: "GET", path: "/v1/bookings/:id/cancellation-quote", next_rel: "cancel" },
  { method: "GET", path: "/v1/bookings/:id/refunds/:refund_id", next_rel: "get" },
];

/** A route's path as a template of RFC 6570: `/v1/holds/:id` is `/v1/holds/{id}`. */
export function template(path: string): string {
  return path.replace(/:(\w+)/g, "{$1}");
}

/** Capabilities in the order of the flow. Throws when a tool or a word has no route. */
export function capabilitiesOf(routes: readonly Route[]): Capability[] {
  const tools = TOOLS.map(({ id, description, method, path, nextRel }) => {
    return { id, description, method, path, next_rel: nextRel };
  });
  const further = FURTHER.map((call) => {
    const { id, summary, description } = operationOf(call);
    return { ...call, id, description: `${summary}. ${description}` };
  });
  return [...tools, ...further].map((each) => capabilityOf(each, routes));
}

function capabilityOf(described: Described, routes: readonly Route[]): Capability {
  const { id, description, method, path, next_rel } = described;
  const route = routeOf(routes, method, path);
  const takesKey = route.access !== "public" && "key" in route && route.key !== undefined;
  const idempotent = method === "GET" || takesKey;
  return { id, description, method, href: template(path), idempotent, next_rel };
}

/** The canonical flows (spec 4.2.1); steps are ids of capabilities. */
export function flows() {
  return FLOWS.map(({ id, description, steps }) => ({ id, description, steps }));
}
