/** `GET /v1/properties*` (spec 4.4): what the caller may sell, from the local replica. */
import { convert, type FxTable } from "../../../engine/core/money.ts";
import { type SearchScope, visibleProperties } from "../../../engine/core/search.ts";
import type { PropertyEntry } from "../../../engine/core/state.ts";
import type { PropertyTree, RatePlan, RoomType } from "../../../engine/core/supply.ts";
import type { Principal } from "../../control/principal.ts";
import type { Call, ProtectedRoute, PublicCall } from "../../http/call.ts";
import type { Deps } from "../../http/deps.ts";
import { action, permitted } from "../../http/next-actions.ts";
import { bad, good, invalid } from "../../http/respond.ts";
import type { FieldError } from "../../http/validate.ts";

const KINDS = ["agent", "operator", "service", "partner"] as const;
const ACCESS = { kinds: KINDS, scope: "supply:read" } as const;
const CURRENCY = /^[A-Z]{3}$/;

/** What a principal sees of the supply. */
export function scopeFor(principal: Principal, deps: Deps): SearchScope {
  const { tenant_id, mode, agent_id, property_ids } = principal;
  return { tenant_id, mode, agent_id, property_ids, nowMs: deps.now() };
}

/** A live property of the caller's tenant and mode by id or slug, or why there is none. */
export function findProperty(
  call: Call,
  idOrSlug: string,
): PropertyEntry | "property_not_found" | "resource_access_denied" {
  const { principal, deps } = call;
  const { state } = deps.replica;
  const slug = `${principal.mode}:${idOrSlug}`;
  const id = state.tenants.get(principal.tenant_id)?.slugs.get(slug) ?? idOrSlug;
  const property = state.property(principal, id);
  if (property?.state !== "live") return "property_not_found";
  const { property_ids } = principal;
  return property_ids && !property_ids.has(id) ? "resource_access_denied" : property;
}

/** PropertyOut (spec 2.5). */
function listItem(tree: PropertyTree) {
  const { id, slug, name, description, star_rating, address, geo, default_currency, timezone } =
    tree;
  return { id, slug, name, description, star_rating, address, geo, default_currency, timezone };
}

interface Display {
  readonly currency: string;
  readonly fx: FxTable | null;
}

function ratePlan(plan: RatePlan, display: Display | null) {
  const { id, code, name, currency, base_rate_per_night, meal_plan, cancellation_kind } = plan;
  const base = { id, code, name, currency, base_rate_per_night, meal_plan, cancellation_kind };
  if (!display) return base;
  const shown = convert(base_rate_per_night, currency, display.currency, display.fx);
  return {
    ...base,
    display: shown && {
      currency: display.currency,
      base_rate_per_night: shown.amount,
      fx_rate: shown.fx_rate,
      fx_as_of: display.fx?.as_of ?? null,
      source: "admin_table",
    },
  };
}

function roomType(room: RoomType, display: Display | null) {
  const { id, code, name, description, max_occupancy, bed_type, floor_size_sqm } = room;
  const { amenities, images, smoking_allowed, default_inventory } = room;
  return {
    ...{ id, code, name, description, max_occupancy, bed_type, floor_size_sqm },
    ...{ amenities, images, smoking_allowed, default_inventory },
    rate_plans: room.rate_plans.map((plan) => ratePlan(plan, display)),
  };
}

/** PropertyDetailOut or PropertyFullOut (spec 2.6, 2.7). */
export function propertyOut(tree: PropertyTree, isFull: boolean, display: Display | null) {
  const detail = {
    ...listItem(tree),
    room_types: tree.room_types.map((room) => roomType(room, display)),
  };
  if (!isFull) return detail;
  const { amenities, images, phone, email, pets_allowed, number_of_rooms } = tree;
  const { checkin_time, checkout_time } = tree;
  return {
    ...detail,
    ...{ amenities, images, phone, email, pets_allowed, number_of_rooms },
    ...{ checkin_time, checkout_time },
    policies: tree.policies.map((policy) => ({
      version: policy.version,
      cancellation_kind: policy.cancellation_kind,
      free_cancellation_hours_before_checkin: policy.free_cancellation_hours_before_checkin,
      cancellation_fee_pct_after_cutoff: policy.cancellation_fee_pct_after_cutoff,
      child_policy_text: policy.child_policy_text,
    })),
  };
}

/** Faults of `?currency=`; whether a rate is known is no fault. */
export function currencyErrors(query: PublicCall["query"]): FieldError[] {
  const currency = query.get("currency");
  if (currency === undefined || CURRENCY.test(currency)) return [];
  return [{ path: "?currency", message: "is malformed", expected: "three upper-case letters" }];
}

function list(call: Call): Response {
  const { deps, principal } = call;
  deps.replica.catchUp(2);
  const visible = visibleProperties(deps.replica.state, scopeFor(principal, deps));
  const items = visible.map(({ tree }) => listItem(tree)).reverse();
  const actions = permitted([action("search", "POST", "/v1/search")], call.may);
  return good(call, { data: { items }, actions });
}

function show(call: Call, isFull: boolean): Response {
  const { deps, params, query } = call;
  const currency = query.get("currency");
  const full = query.get("full");
  const errors = currencyErrors(query);
  if (full !== undefined && full !== "true" && full !== "false") {
    errors.push({ path: "?full", message: "is malformed", expected: "true or false" });
  }
  if (errors.length > 0) return invalid(call, errors);
  deps.replica.catchUp(2);
  const id = params.id ?? "";
  const property = findProperty(call, id);
  if (typeof property === "string") {
    return bad(call, { code: property, detail: { property_id: id } });
  }
  const fx = deps.replica.state.tenants.get(property.tenant_id)?.fx ?? null;
  const display = currency === undefined ? null : { currency, fx };
  const data = propertyOut(property.tree, isFull || full === "true", display);
  const actions = permitted([action("search", "POST", "/v1/search")], call.may);
  return good(call, { data, actions });
}

export const propertyRoutes: readonly ProtectedRoute[] = [
  { method: "GET", path: "/v1/properties", access: ACCESS, handle: list },
  {
    method: "GET",
    path: "/v1/properties/:id",
    access: ACCESS,
    query: ["full", "currency"],
    handle: (call) => show(call, false),
  },
  {
    method: "GET",
    path: "/v1/properties/:id/full",
    access: ACCESS,
    query: ["currency"],
    handle: (call) => show(call, true),
  },
];
