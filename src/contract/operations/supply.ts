/** Properties and search (spec 4.4). */
import { Type } from "@sinclair/typebox";
import {
  PropertyDetailOrFull,
  PropertyFullOut,
  PropertyList,
  SearchResults,
} from "../../api/properties/answers.ts";
import type { OperationTable } from "../../http/contract.ts";
import { CURRENCY, PROPERTY_ID } from "./params.ts";

export const supplyOperations: OperationTable = {
  "GET /v1/properties": {
    id: "list_properties",
    tag: "Supply",
    summary: "List the properties you may sell",
    description:
      "Every live property of the tenant and mode that the credential may see; complete.",
    success: { status: 200, description: "The properties, newest first.", data: PropertyList },
    errors: [],
  },
  "GET /v1/properties/:id": {
    id: "get_property",
    tag: "Supply",
    summary: "Get a property with room types and rate plans",
    description:
      "Planning context; the quote is the authority for live price, tax and cancellation terms.",
    params: { id: PROPERTY_ID },
    query: {
      full: {
        schema: Type.Union([Type.Literal("true"), Type.Literal("false")]),
        description: "`true` answers the same as `get_property_full`.",
      },
      currency: CURRENCY,
    },
    success: { status: 200, description: "The property.", data: PropertyDetailOrFull },
    errors: ["property_not_found", "resource_access_denied"],
  },
  "GET /v1/properties/:id/full": {
    id: "get_property_full",
    tag: "Supply",
    summary: "Get everything that is published about a property",
    description: "Adds amenities, contact, times and policies to the property.",
    params: { slug: { ...PROPERTY_ID, description: "Slug or id of the property." } },
    query: { currency: CURRENCY },
    success: { status: 200, description: "The property.", data: PropertyFullOut },
    errors: ["property_not_found", "resource_access_denied"],
  },
  "POST /v1/search": {
    id: "search",
    tag: "Supply",
    summary: "Search what can be held now",
    description:
      "Every property with at least one offer that can be held now for the party and meets all " +
      "constraints, best first. An unknown destination finds nothing. The flat form of the body " +
      "(`destination` as text, `check_in` and `check_out` at the top) is accepted too.",
    success: {
      status: 200,
      description: "Properties with their cheapest offer.",
      data: SearchResults,
    },
    errors: [],
  },
};
