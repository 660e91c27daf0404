/** Parameters that several operations share. */
import { Type } from "@sinclair/typebox";
import type { Parameter } from "../../http/contract.ts";
import { CURRENCY_PATTERN } from "../../http/schema/request-parts.ts";

/** An opaque id in the path; a malformed one is an unknown one (rules §1). */
export function pathId(description: string): Parameter {
  return { schema: Type.String({ minLength: 1, maxLength: 64 }), description };
}

export const CURRENCY: Parameter = {
  schema: Type.String({ pattern: CURRENCY_PATTERN }),
  description:
    "Also show amounts in this currency (ISO 4217), from the tenant's exchange rates. Never " +
    "changes what is charged; without a known rate `display` is null.",
};

export const PROPERTY_ID = pathId("Id or slug of the property.");
export const HOLD_ID = pathId("Id of the hold.");
export const BOOKING_ID = pathId("Id of the booking.");
