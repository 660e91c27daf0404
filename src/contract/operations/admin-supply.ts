/** Properties, rates and availability for operators (domain §0, rules §5). */
import { Type } from "@sinclair/typebox";
import {
  AdminProperty,
  AdminPropertyList,
  AriApplied,
  CreatedProperty,
  FxRates,
  ImportResult,
  Promotion,
} from "../../api/properties/admin-answers.ts";
import type { OperationTable } from "../../http/contract.ts";
import { PROPERTY_ID, pathId } from "./params.ts";

const TAG = "Supply administration";
const OWN_ID = pathId("Id of the property.");

export const adminSupplyOperations: OperationTable = {
  "GET /v1/admin/properties": {
    id: "admin_list_properties",
    tag: TAG,
    summary: "List all properties",
    description: "Whatever their state; complete.",
    success: { status: 200, description: "The properties, newest first.", data: AdminPropertyList },
    errors: [],
  },
  "POST /v1/admin/properties": {
    id: "admin_create_property",
    tag: TAG,
    summary: "Create a property",
    description:
      "A whole tree with room types, rate plans, policies and taxes; it starts as a draft.",
    success: { status: 201, description: "The draft.", data: CreatedProperty },
    errors: ["conflict"],
  },
  "GET /v1/admin/properties/:id": {
    id: "admin_get_property",
    tag: TAG,
    summary: "Get a property as it was stored",
    description: "The whole tree with state and version.",
    params: { id: PROPERTY_ID },
    success: { status: 200, description: "The property.", data: AdminProperty },
    errors: ["property_not_found"],
  },
  "POST /v1/admin/properties/:id/promote": {
    id: "admin_promote_property",
    tag: TAG,
    summary: "Put a property on sale",
    description: "With `dry_run` only says what stands against it.",
    params: { id: OWN_ID },
    success: { status: 200, description: "On sale, with warnings if any.", data: Promotion },
    errors: ["property_not_found", "property_not_promotable"],
  },
  "PUT /v1/admin/properties/:id/ari": {
    id: "admin_update_ari",
    tag: TAG,
    summary: "Update availability, rates and restrictions",
    description:
      "Ranges of stay dates, both ends included; all of them are applied or none. A field left " +
      "out keeps its value, null clears it.",
    params: { id: OWN_ID },
    success: { status: 200, description: "What was applied.", data: AriApplied },
    errors: ["property_not_found"],
  },
  "POST /v1/admin/properties/import": {
    id: "admin_import_properties",
    tag: TAG,
    summary: "Import properties",
    description:
      "NDJSON, one property per line, each line all or nothing; the answer tells what each line " +
      "came to. A line has at most 512 KiB, the stream 256 MiB.",
    accepts: { "application/x-ndjson": Type.String({ description: "One property per line." }) },
    success: { status: 200, description: "What each line came to.", data: ImportResult },
    errors: [],
  },
  "PUT /v1/admin/fx": {
    id: "admin_set_fx_rates",
    tag: TAG,
    summary: "Set the exchange rates for display",
    description: "Replaces the table. Rates are for display and comparison, never for charging.",
    success: { status: 200, description: "The table.", data: FxRates },
    errors: [],
  },
};
