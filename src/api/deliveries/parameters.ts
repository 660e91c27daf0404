import { Type } from "@sinclair/typebox";
import { PUBLIC_KINDS } from "../../../engine/core/public-events.ts";
import {
  DELIVERY_STATES,
  type DeliveryState,
  REASONS,
} from "../../../jobs/webhooks/store/delivery.ts";
import type { DeliveryFilter } from "../../../jobs/webhooks/store/delivery-store.ts";
import type { Call } from "../../http/call.ts";
import type { QueryParameter } from "../../http/contract.ts";
import { instantParameter } from "../parameters.ts";
import { propertyId } from "../visible.ts";

/** Deliveries of a complete list: some 2 MB. */
export const COMPLETE_MAX = 2_000;
const LIMIT_MAX = 500;
const Limit = Type.Integer({ minimum: 1, maximum: LIMIT_MAX });

function matching(pattern: RegExp, description: string, expected: string): QueryParameter {
  return {
    schema: Type.String({ pattern: pattern.source }),
    description,
    isValid: (value) => pattern.test(value),
    fault: { message: "is malformed", expected },
  };
}

/** Words of a list, separated by commas. */
function someOf(words: readonly string[], description: string): QueryParameter {
  return {
    schema: Type.String(),
    description: `${description}, separated by commas; all by default.`,
    isValid: (value) => value.split(",").every((word) => words.includes(word)),
    fault: { message: "has unknown values", expected: `some of ${words.join(", ")}` },
  };
}

function oneOf(words: readonly string[], description: string): QueryParameter {
  return {
    schema: Type.Unsafe<string>({ type: "string", enum: words }),
    description,
    isValid: (value) => words.includes(value),
    fault: { message: "is not an allowed value", expected: `one of ${words.join(", ")}` },
  };
}

const ID = /^[\x21-\x7e]{1,64}$/;
const NAME = /^[\x21-\x7e]{1,120}$/;

export const LIST_QUERY = {
  endpoint_id: matching(ID, "Only those to this endpoint.", "an id"),
  webhook_id: matching(ID, "Only those of this event, replays included.", "an id"),
  kinds: someOf(PUBLIC_KINDS, "Only of events of these kinds"),
  property_id: matching(NAME, "Only of events at this property: its id or slug.", "an id or slug"),
  subject: matching(
    /^[a-z_]{1,40}:[\x21-\x7e]{1,200}$/,
    "Only of events about this subject: type and id, such as `booking:bkg_…`.",
    "a type, a colon and an id",
  ),
  states: someOf(DELIVERY_STATES, "Only in these states"),
  reason: oneOf(Object.keys(REASONS), "Only those whose last attempt failed for this reason."),
  status: matching(
    /^[1-5]\d\d$/,
    "Only those whose last answer had this status.",
    "an HTTP status",
  ),
  since: instantParameter("Only those created at this instant or later."),
  until: instantParameter("Only those created before this instant."),
  unhandled: oneOf(["true"], "Only dead letters that were not replayed or discarded."),
  after: matching(
    ID,
    "With `limit`: the last delivery of the previous page.",
    "the id of a delivery",
  ),
  limit: {
    schema: Limit,
    description: "Page size; without it the list is complete.",
    isValid: (value: string) => /^[1-9]\d{0,2}$/.test(value) && Number(value) <= LIMIT_MAX,
    fault: { message: "is out of range", expected: `a whole number from 1 to ${LIMIT_MAX}` },
  },
} as const satisfies Readonly<Record<string, QueryParameter>>;

type Asked = Omit<DeliveryFilter, "tenant_id" | "mode" | `visible_${string}`>;

/** Which deliveries a checked query asks for. */
export function filterOf(call: Call): Asked {
  const { query } = call;
  const ms = (name: string) => (query.has(name) ? Date.parse(query.get(name)!) : undefined);
  return {
    endpoint_id: query.get("endpoint_id"),
    webhook_id: query.get("webhook_id"),
    kinds: query.get("kinds")?.split(","),
    property_id: query.has("property_id") ? propertyId(call, query.get("property_id")!) : undefined,
    subject: query.get("subject"),
    states: query.get("states")?.split(",") as DeliveryState[] | undefined,
    reason: query.get("reason"),
    status: query.has("status") ? Number(query.get("status")) : undefined,
    since: ms("since"),
    until: ms("until"),
    is_unhandled: query.has("unhandled"),
  };
}

/** The requested page; the complete list without `limit` and `after`. */
export function pageOf({ query }: Pick<Call, "query">) {
  const [after = null, limit] = [query.get("after"), query.get("limit")];
  const isComplete = after === null && limit === undefined;
  // One more shows that there are too many.
  const most = isComplete ? COMPLETE_MAX + 1 : LIMIT_MAX;
  return { isComplete, after, limit: limit === undefined ? most : Number(limit) };
}
