/** Refusals about properties and availability. */
import type { RefusalCode } from "../../engine/core/refusals.ts";
import * as step from "../actions/steps.ts";
import {
  ALTERNATIVES,
  BLOCKING,
  type DetailField,
  id,
  MENDING,
  OFFER,
  PROPERTY_ID,
  RATE_PLAN_ID,
  type RefusalRecord,
  ROOM_TYPE_ID,
} from "./record.ts";

/** What cannot be taken: the stay of a quote, or the changed one of a booking. */
const OF_STAY: readonly DetailField[] = [
  ["quote_id?", "string", "The quote; absent for a change of a booking."],
  ["booking_id?", "string", "Of a change: the booking."],
];

export const SUPPLY = {
  property_not_found: {
    status: 404,
    message: "Property not found.",
    remediation: "Search again for valid ids.",
    recovery: [step.SEARCH, step.LIST_PROPERTIES, step.LIST_ADMIN_PROPERTIES],
    detail: [id("property_id", "The requested id or slug.")],
  },
  room_type_not_found: {
    status: 404,
    message: "Room type not found at this property.",
    remediation: ({ property }) => `Call ${property} for its room types.`,
    recovery: [step.GET_PROPERTY, step.SEARCH],
    detail: [
      PROPERTY_ID,
      id("room_type_id", "The requested room type."),
      ["rate_plan_id?", "string", "The requested rate plan, if any."],
    ],
  },
  rate_plan_not_found: {
    status: 404,
    message: "Rate plan not found for this room type.",
    remediation: ({ property }) => `Call ${property} for its rate plans.`,
    recovery: [step.GET_PROPERTY, step.SEARCH],
    detail: OFFER,
  },
  policy_not_found_for_rate_plan: {
    status: 409,
    message: "The rate plan has no cancellation policy.",
    remediation: "Contact the tenant admin, or choose another rate plan.",
    recovery: [step.GET_PROPERTY, step.SEARCH],
    detail: [PROPERTY_ID, RATE_PLAN_ID],
  },
  property_not_promotable: {
    status: 409,
    message: "The property is not ready to go live.",
    remediation:
      "Fix the pre-conditions in detail.reasons with a PATCH of the property; " +
      "detail.mending has ready bodies. Then retry.",
    recovery: [step.GET_ADMIN_PROPERTY],
    detail: [
      PROPERTY_ID,
      ["state", "string", "The property's state."],
      [
        "reasons",
        "list of {code, path, severity, message}",
        "What prevents the promotion (`error`) or should be improved (`warning`).",
      ],
      MENDING,
    ],
  },
  allocation_failed: {
    status: 409,
    message: "The room cannot be held for this stay.",
    remediation: "Requote; try other dates or rooms.",
    recovery: [step.REQUOTE_ALTERNATIVES, step.MODIFY_OTHERWISE, step.SEARCH],
    detail: [
      ...OF_STAY,
      ["reason", "string", "`restriction` or `no_units`."],
      PROPERTY_ID,
      ROOM_TYPE_ID,
      BLOCKING,
      ALTERNATIVES,
    ],
  },
  allotment_exhausted: {
    status: 409,
    message: "The daily ceiling for this room is reached.",
    remediation: "Try a different date or room type.",
    recovery: [step.REQUOTE_ALTERNATIVES, step.MODIFY_OTHERWISE, step.SEARCH],
    detail: [
      ...OF_STAY,
      PROPERTY_ID,
      ROOM_TYPE_ID,
      ["dates", "list of dates", "The nights whose ceiling is reached."],
      ["ceiling", "integer", "Units that may be sold per night, on the first of them."],
      ["used", "integer", "Units sold and held on the first of them."],
      [
        "scope",
        "{room_type_id, rate_plan_id, agent_id}",
        "What the ceiling applies to; null means all plans, or all agents.",
      ],
      BLOCKING,
      ALTERNATIVES,
    ],
  },
  oversell_incident_not_found: {
    status: 404,
    message: "Oversell incident not found.",
    remediation: "Refresh the oversell queue.",
    recovery: [step.LIST_INCIDENTS],
    detail: [id("incident_id", "The requested id.")],
  },
  oversell_not_detected: {
    status: 409,
    message: "The night is not oversold.",
    remediation: "Refresh the data before retrying.",
    recovery: [step.LIST_INCIDENTS],
    detail: [
      ["incident_id?", "string", "The incident, whose nights have passed."],
      ["property_id?", "string", "For a scan: the property."],
      ["room_type_id?", "string", "For a scan: the room type."],
      ["date?", "date", "For a scan: the night."],
      ["capacity", "integer", "Effective capacity."],
      ["sold", "integer", "Units sold."],
      ["held", "integer", "Units held."],
    ],
  },
} satisfies Readonly<Partial<Record<RefusalCode, RefusalRecord>>>;
