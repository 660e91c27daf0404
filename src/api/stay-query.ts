/** Stays and parties of a query: `check_in`, `check_out`, `adults` and `children`. */
import { Type } from "@sinclair/typebox";
import { ADULTS_MAX, CHILDREN_MAX } from "../../engine/core/price/price-bounds.ts";
import type { Party, Stay } from "../../engine/core/price/quote.ts";
import type { QueryParameter } from "../http/contract.ts";
import type { FieldError } from "../http/validate.ts";
import { dateParameter } from "./ari/query.ts";
import { saleProblems, stayProblems } from "./stays.ts";

/** Default number of adults. */
export const ADULTS = 2;
/** Empty counts as not given, because forms send empty values. */
const AGES = /^(?:(?:\d|1[0-7])(?:,(?:\d|1[0-7]))*)?$/;

function isCount(value: string, least: number, most: number): boolean {
  return /^\d{1,2}$/.test(value) && Number(value) >= least && Number(value) <= most;
}

/** The same, required. */
export const required = (parameter: QueryParameter) => ({ ...parameter, isRequired: true });

export const STAY_QUERY = {
  check_in: required(dateParameter("The day of arrival.")),
  check_out: required(dateParameter("The day of departure.")),
  adults: {
    schema: Type.Integer({ minimum: 1, maximum: ADULTS_MAX }),
    description: `Adults; ${ADULTS} by default.`,
    isValid: (value) => isCount(value, 1, ADULTS_MAX),
    fault: { message: "is out of range", expected: `a whole number from 1 to ${ADULTS_MAX}` },
  },
  children: {
    schema: Type.String({ pattern: AGES.source }),
    description: "Ages of the children in completed years, separated by commas; none by default.",
    isValid: (value) => AGES.test(value) && value.split(",").length <= CHILDREN_MAX,
    fault: { message: "is malformed", expected: `up to ${CHILDREN_MAX} ages from 0 to 17: 4,11` },
  },
} as const satisfies Readonly<Record<string, QueryParameter>>;

type Query = ReadonlyMap<string, string>;

/** The dates of a query that was checked with `STAY_QUERY`. */
export function stayIn(query: Query): Stay {
  return { check_in: query.get("check_in")!, check_out: query.get("check_out")! };
}

/** The party of a query that was checked with `STAY_QUERY`. */
export function partyIn(query: Query): Party {
  const ages = query.get("children")?.match(/\d+/g) ?? [];
  return {
    adults: Number(query.get("adults") ?? ADULTS),
    children: ages.map((age) => ({ age: Number(age) })),
  };
}

/** Errors of such a stay independent of today, at its parameters. */
export function stayFaults(stay: Stay): FieldError[] {
  return stayProblems(stay, Number.NEGATIVE_INFINITY, "").map(atParameter);
}

/** Errors of such a stay for booking; `todayDay` is today at the property. */
export function saleFaults(stay: Stay, todayDay: number): FieldError[] {
  return saleProblems(stay, todayDay, "").map(atParameter);
}

function atParameter(fault: FieldError): FieldError {
  return { ...fault, path: fault.path.replace("/", "?") };
}
