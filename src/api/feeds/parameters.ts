/** Path and query parameters of feeds (spec 4.5). */
import { Type } from "@sinclair/typebox";
import { PARTNERS } from "../../../feeds/partners.ts";
import type { Parameter, QueryParameter } from "../../http/contract.ts";
import { integer, UUID_PATTERN } from "../../http/schema/request-parts.ts";

const NAMES = PARTNERS.map((name) => `\`${name}\``).join(", ");

export const PARTNER: Parameter = {
  schema: Type.String({ minLength: 1, maxLength: 64 }),
  description: `One of ${NAMES}; \`microsoft\` is \`bing\`.`,
};

const UUID = new RegExp(`^${UUID_PATTERN}$`, "i");
const DAYS_MAX = 90;

export const TENANT_ID: QueryParameter = {
  schema: Type.String({ format: "uuid" }),
  description: "The tenant. An unknown tenant has an empty feed.",
  isRequired: true,
  isValid: (value) => UUID.test(value),
  fault: { message: "is malformed", expected: "a uuid" },
};

export const CLICKED_TENANT_ID: QueryParameter = {
  ...TENANT_ID,
  isRequired: false,
  description:
    "The tenant whose hotels the page may show. Without it a click leads to the hotel that was " +
    "on sale first under its id, in any tenant.",
};

export const DAYS: QueryParameter = {
  schema: integer(1, DAYS_MAX),
  description: "Days of arrivals from today at the property; 30 by default.",
  isValid: (value) => /^[1-9]\d?$/.test(value) && Number(value) <= DAYS_MAX,
  fault: { message: "is out of range", expected: `a whole number from 1 to ${DAYS_MAX}` },
};
