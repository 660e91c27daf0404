/** Shared path and query parameters. */
import { Type } from "@sinclair/typebox";
import type { Parameter, QueryParameter } from "../http/contract.ts";
import { CURRENCY_PATTERN, Currency, said } from "../http/schema/request-parts.ts";

/** An opaque id in the path; a malformed one counts as unknown (rules §1). */
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
  said(Currency, "three uppercase letters (ISO 4217): also show prices in this currency"),
);
