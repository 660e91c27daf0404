/** Parameters of path and query that several resources share. */
import { Type } from "@sinclair/typebox";
import type { Parameter, QueryParameter } from "../http/contract.ts";
import { CURRENCY_PATTERN, Currency, said } from "../http/schema/request-parts.ts";

/** An opaque id in the path; a malformed one is an unknown one (rules §1). */
export function pathId(description: string): Parameter {
  return { schema: Type.String({ minLength: 1, maxLength: 64 }), description };
}

/** One of some words in the query. */
export function wordParameter(words: readonly string[], description: string): QueryParameter {
  return {
    schema: Type.String({ enum: [...words] }),
    description,
    isValid: (value) => words.includes(value),
    fault: { message: "is not an allowed value", expected: `one of ${words.join(", ")}` },
  };
}

const IS_CURRENCY = new RegExp(CURRENCY_PATTERN);

/** Whether a rate is known is no fault. */
export const CURRENCY: QueryParameter = {
  schema: Type.String({ pattern: CURRENCY_PATTERN }),
  description:
    "Also show amounts in this currency (ISO 4217), from the tenant's exchange rates. Never " +
    "changes what is charged; without a known rate `display` is null.",
  isValid: (value) => IS_CURRENCY.test(value),
  fault: { message: "is malformed", expected: "three upper-case letters" },
};

/** The same as a tool's argument. */
export const currencyArgument = Type.Optional(
  said(Currency, "three uppercase letters (ISO 4217): also show prices in this currency"),
);
