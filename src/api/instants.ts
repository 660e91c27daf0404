/** Instants (RFC 3339) in a body or in the query. */
import { Type } from "@sinclair/typebox";
import type { QueryParameter } from "../http/contract.ts";
import { dateProblems } from "./stays.ts";

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
