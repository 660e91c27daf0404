/** `GET /v1/properties*`: properties that the caller may sell, from the replica. */
import { Type } from "@sinclair/typebox";
import { permitted, post } from "../../actions/next-action.ts";
import type { Refusal, Success } from "../../http/answer.ts";
import type { Call } from "../../http/call.ts";
import type { QueryParameter } from "../../http/contract.ts";
import { route } from "../../http/route.ts";
import { describedAs, describedInShort, text } from "../../http/schema/request-parts.ts";
import { CURRENCY, currencyArgument } from "../parameters.ts";
import { exampleStayBody } from "../stays.ts";
import { EXAMPLE } from "../tool-arguments.ts";
import { livePropertiesOf, livePropertyOf } from "../visible.ts";
import { PROPERTY_ID } from "./parameters.ts";
import { PropertyDetailOut, PropertyFullOut, PropertyList } from "./responses.ts";
import { listItem, propertyOut } from "./views.ts";

const ACCESS = {
  kinds: ["agent", "operator", "service", "partner"],
  scope: "supply:read",
  touches: "properties",
} as const;

const FULL: QueryParameter = {
  schema: Type.Union([Type.Literal("true"), Type.Literal("false")]),
  description: "`true` answers the same as `get_property_full`.",
  isValid: (value) => value === "true" || value === "false",
  fault: { message: "is malformed", expected: "true or false" },
};

/** How tools name the property and the currency. */
const ARGUMENTS = {
  pathArguments: { id: "property" },
  arguments: {
    property: describedInShort(
      describedAs(text(1, 120), "a property's id or slug, as list_properties or search gave it"),
      "id or slug",
    ),
  },
  queryArguments: { currency: currencyArgument },
} as const;

function list(call: Call): Success {
  const items = livePropertiesOf(call).map(({ tree }) => listItem(tree));
  const actions = permitted([post("search", "/v1/search", exampleStayBody(call))], call.may);
  return { ok: true, data: { items }, actions };
}

function show(call: Call<unknown, "id">, isFull: boolean): Success | Refusal {
  const { context, params, query, may } = call;
  const property = livePropertyOf(call, params.id);
  if ("code" in property) return property;
  const currency = query.get("currency");
  const fx = context.replica.state.tenants.get(property.tenant_id)?.fx ?? null;
  const display = currency === undefined ? null : { currency, fx };
  const data = propertyOut(property.tree, isFull, display);
  const destination = { type: "property", value: property.tree.id };
  const hint = { destination, ...exampleStayBody(call) };
  const actions = permitted([post("search", "/v1/search", hint)], may);
  return { ok: true, data, actions };
}

const READ = {
  tag: "Supply",
  method: "GET",
  access: ACCESS,
  readsReplica: true,
  etag: "content",
  errors: ["property_not_found", "resource_access_denied"],
} as const;

export const propertyRoutes = [
  route({
    ...READ,
    id: "list_properties",
    path: "/v1/properties",
    summary: "List the properties you may sell",
    description:
      "Every live property of the tenant and mode that the credential has access to; complete.",
    success: { status: 200, description: "The properties, newest first.", data: PropertyList },
    errors: [],
    tool: {
      title: "List properties",
      description:
        "All hotels here, with slug, address and time zone: which destinations exist. search " +
        "finds rooms for dates.",
      tags: ["supply", "properties"],
      nextRel: "search",
      example: {},
    },
    handle: list,
  }),
  route({
    ...READ,
    id: "get_property",
    path: "/v1/properties/:id",
    summary: "Get a property with room types and rate plans",
    description: "For planning only; quotes have the current price, tax and cancellation terms.",
    params: { id: PROPERTY_ID },
    query: { full: FULL, currency: CURRENCY },
    success: { status: 200, description: "The property.", data: PropertyDetailOut },
    tool: {
      ...ARGUMENTS,
      title: "Get a property",
      description:
        "One hotel with its room types and rate plans, whose ids quote needs. Rates shown are " +
        "base rates; only a quote is a price.",
      tags: ["supply", "properties"],
      nextRel: "search",
      example: { property: EXAMPLE.hotel_id },
    },
    handle: (call) => show(call, call.query.get("full") === "true"),
  }),
  route({
    ...READ,
    id: "get_property_full",
    path: "/v1/properties/:id/full",
    summary: "Get all published facts of a property",
    description: "The property with amenities, contact, times and policies.",
    params: { slug: { ...PROPERTY_ID, description: "Slug or id of the property." } },
    query: { currency: CURRENCY },
    success: { status: 200, description: "The property.", data: PropertyFullOut },
    tool: {
      ...ARGUMENTS,
      title: "Get all of a property",
      description:
        "get_property plus amenities, images, contact, check-in times and cancellation policies, " +
        "for questions about the hotel.",
      tags: ["supply", "properties"],
      nextRel: "search",
      example: { property: "hotel-example-madrid" },
    },
    handle: (call) => show(call, true),
  }),
];
