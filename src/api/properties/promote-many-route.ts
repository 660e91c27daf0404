/**
 * `POST /v1/admin/properties/promote`: promotes many properties in one call, each independently. A
 * property that fails does not affect the others and lists all its reasons. An unknown name refuses
 * the call before anything is done.
 */
import type { PromotionReason } from "../../../engine/core/outcomes.ts";
import type { PropertyEntry } from "../../../engine/core/state/state.ts";
import type { PropertyState } from "../../../engine/core/supply.ts";
import { NoOutcome } from "../../../jobs/lanes/submitter.ts";
import { missingForPayments } from "../../../jobs/payments/providers.ts";
import type { Refusal, Success } from "../../http/answer.ts";
import type { Call } from "../../http/call.ts";
import { partMeta, submitPart, unavailable } from "../../http/execute.ts";
import { route } from "../../http/route.ts";
import { json } from "../../http/validate.ts";
import { propertiesOf, propertyOf } from "../visible.ts";
import { Promotions } from "./admin-responses.ts";
import { PROPERTY_ADMIN, SUPPLY_BYTES_MAX } from "./parameters.ts";
import { PromoteManyBody, type PromoteManyRequest } from "./requests.ts";

/** Concurrent commands: they share a group of the engine and leave room for others. */
const AT_ONCE = 16;

interface Item {
  readonly property_id: string;
  readonly slug: string;
  readonly state: PropertyState;
  readonly version?: number;
  readonly warnings?: readonly PromotionReason[];
  readonly error?: { readonly code: string; readonly detail: unknown };
}

async function promoteMany(call: Call<PromoteManyRequest>): Promise<Success | Refusal> {
  const { property_ids, dry_run = false } = call.body;
  const left = new Set<PropertyEntry>();
  if (property_ids === undefined) {
    for (const property of propertiesOf(call)) if (property.state === "draft") left.add(property);
  }
  for (const name of property_ids ?? []) {
    const property = propertyOf(call, name);
    if ("code" in property) return property;
    left.add(property);
  }
  const waiting = [...left];
  const items: Item[] = [];
  try {
    while (waiting.length > 0) {
      const next = waiting.splice(0, AT_ONCE);
      items.push(...(await Promise.all(next.map((each) => promoteOne(call, each, dry_run)))));
    }
  } catch (error) {
    if (error instanceof NoOutcome) return unavailable(error);
    throw error;
  }
  const failed = items.filter(({ error }) => error).length;
  return { ok: true, data: { dry_run, promoted: items.length - failed, failed, items } };
}

async function promoteOne(
  call: Call<PromoteManyRequest>,
  { tree, state: before }: PropertyEntry,
  dry_run: boolean,
): Promise<Item> {
  const { id: property_id, slug } = tree;
  const command = {
    ...partMeta(call, property_id, { property_id, dry_run }),
    ...{ type: "PromoteProperty" as const, property_id, dry_run },
    payments_configured: missingForPayments(call.context.config) === null,
  };
  const outcome = await submitPart(call, command, "promotion");
  if (!outcome.ok) {
    const { code, detail } = outcome;
    return { property_id, slug, state: before, error: { code, detail } };
  }
  const { state, version, warnings } = outcome.data;
  return { property_id, slug, state, version, warnings };
}

export const promoteManyRoutes = [
  route({
    ...PROPERTY_ADMIN,
    id: "admin_promote_properties",
    method: "POST",
    path: "/v1/admin/properties/promote",
    summary: "Put many properties on sale",
    description:
      "Those in `property_ids`, by id or slug, or every draft by default. Each is promoted " +
      "independently: `items` has for each that it is on sale, or everything that prevents it " +
      "(`error`). With `dry_run` nothing is changed. A retry with the same key repeats the " +
      "result of each named property.",
    key: "accepted",
    readsReplica: true,
    body: json(PromoteManyBody),
    isBodyOptional: true,
    bodyBytesMax: SUPPLY_BYTES_MAX,
    success: { status: 200, description: "The result of each property.", data: Promotions },
    errors: ["property_not_found"],
    handle: promoteMany,
  }),
];
