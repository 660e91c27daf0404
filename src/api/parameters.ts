/** Shared path and query parameters, and instants (RFC 3339). */
import { Type } from "@sinclair/typebox";
import type { Parameter, QueryParameter } from "../http/contract.ts";
import {
  CURRENCY_PATTERN,
  Currency,
  describedAs,
  describedInShort,
} from "../http/schema/request-parts.ts";
import { dateProblems } from "./stays.ts";

/** An opaque id in the path; a malformed one counts as unknown. */
export function pathId(description: string): Parameter {
  return { schema: Type.String({ minLength: 1, maxLength: 64 }), description };
}

/** A query parameter with fixed values. */
export function wordParameter(words: readonly string[], description: string): QueryParameter {
  return {
    schema: Type.String({ enum: [...words] }),
    description,
    isValid: (value) => words.includes(value),
    fault: { message: "is not an allowed value", expected: `one of ${words.join(", ")}` },
  };
}

/** A whole number of the query. */
export function numberParameter(least: number, most: number, description: string): QueryParameter {
  return {
    schema: Type.Integer({ minimum: least, maximum: most }),
    description,
    isValid: (value) => /^\d{1,15}$/.test(value) && Number(value) >= least && Number(value) <= most,
    fault: {
      message: "is out of range",
      expected: `a whole number from ${least} to ${most}`,
    },
  };
}

const IS_CURRENCY = new RegExp(CURRENCY_PATTERN);

/** An unknown rate is not an error. */
export const CURRENCY: QueryParameter = {
  schema: Type.String({ pattern: CURRENCY_PATTERN }),
  description:
    "Also show amounts in this currency (ISO 4217) by the tenant's exchange rates. Does not " +
    "change charges; `display` is null without a known rate.",
  isValid: (value) => IS_CURRENCY.test(value),
  fault: { message: "is malformed", expected: "three upper-case letters" },
};

/** The same as a tool's argument. */
export const currencyArgument = Type.Optional(
  describedInShort(
    describedAs(Currency, "three uppercase letters (ISO 4217): also show prices in this currency"),
    "ISO 4217: prices in it too",
  ),
);

export const BOOKING_ID = pathId("Id of the booking.");

const FORM =
  "^\\d{4}-\\d{2}-\\d{2}T([01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d(\\.\\d{1,9})?(Z|[+-]([01]\\d|2[0-3]):[0-5]\\d)$";
const IS_FORMED = new RegExp(FORM);

/** The form only; `dateProblems` checks the date. */
export const Instant = Type.String({
  pattern: FORM,
  description: "an instant as RFC 3339, like 2027-01-31T12:00:00Z",
});

/** An instant of the query. */
export function instantParameter(description: string): QueryParameter {
  return {
    schema: Type.String({ format: "date-time" }),
    description,
    isValid: (value) => IS_FORMED.test(value) && dateProblems(value.slice(0, 10), "").length === 0,
    fault: {
      message: "is not an instant",
      expected: "an RFC 3339 instant such as 2026-12-18T14:00:00Z",
    },
  };
}
