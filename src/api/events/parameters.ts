/** What is asked of a tenant's events: by query, and of a stream by `Last-Event-ID`. */
import { Type } from "@sinclair/typebox";
import { invalid, type Refusal } from "../../http/answer.ts";
import type { Call } from "../../http/call.ts";
import type { QueryParameter } from "../../http/contract.ts";
import { KINDS, kindNamed, SUBJECT_TYPES } from "./kinds.ts";
import type { EventsAsked, Filter } from "./reader.ts";

const LIMIT_MAX = 1_000;
const LIMIT = 100;
/** Shorter than the time that proxies give an answer. */
const WAIT_S_MAX = 25;

const SEQ = /^\d{1,15}$/;
const SUBJECT = new RegExp(`^(${SUBJECT_TYPES.join("|")}):([\\x21-\\x7e]{1,200})$`);

function isWithin(value: string, least: number, most: number): boolean {
  return SEQ.test(value) && Number(value) >= least && Number(value) <= most;
}

function wholeNumber(least: number, most: number, description: string): QueryParameter {
  return {
    schema: Type.Integer({ minimum: least, maximum: most }),
    description,
    isValid: (value) => isWithin(value, least, most),
    fault: {
      message: "is out of range",
      expected: `a whole number from ${least} to ${most}`,
    },
  };
}

export const QUERY = {
  after_seq: {
    schema: Type.Integer({ minimum: 0 }),
    description: "The last event that the reader has; from the first on by default.",
    isValid: (value: string) => SEQ.test(value),
    fault: { message: "is not an event number", expected: "a whole number from 0" },
  },
  kinds: {
    schema: Type.String(),
    description: "Only these kinds, separated by commas; all by default.",
    isValid: (value: string) => value.split(",").every((word) => kindNamed(word) !== null),
    fault: {
      message: "has an unknown event kind",
      expected: `some of ${Object.keys(KINDS).join(", ")}`,
    },
  },
  subject: {
    schema: Type.String({ pattern: SUBJECT.source }),
    description: "Only events about this one: its type and id, as `booking:bkg_…`.",
    isValid: (value: string) => SUBJECT.test(value),
    fault: {
      message: "is not a subject",
      expected: `one of ${SUBJECT_TYPES.join(", ")}, a colon and its id`,
    },
  },
  limit: wholeNumber(1, LIMIT_MAX, `Events of a page; ${LIMIT} by default.`),
  wait_s: wholeNumber(
    0,
    WAIT_S_MAX,
    "Seconds to wait for an event when there is none yet; not at all by default.",
  ),
} as const satisfies Readonly<Record<string, QueryParameter>>;

/** What the credential that is presented lets through of what was asked. */
export function filterOf({ query, principal }: Pick<Call, "query" | "principal">): Filter {
  const kinds = query.get("kinds")?.split(",");
  const [, type, id] = SUBJECT.exec(query.get("subject") ?? "") ?? [];
  return {
    kinds: kinds === undefined ? null : new Set(kinds),
    subject: type === undefined || id === undefined ? null : { type, id },
    property_ids: principal.property_ids,
  };
}

/** The page that was asked for. */
export function askedOf(call: Call): EventsAsked {
  const { principal, query } = call;
  const { tenant_id, mode } = principal;
  return {
    realm: { tenant_id, mode },
    afterSeq: Number(query.get("after_seq") ?? 0),
    filter: filterOf(call),
    limit: Number(query.get("limit") ?? LIMIT),
  };
}

/** Where a stream begins: `Last-Event-ID` is of a reader that comes again, and newer. */
export function streamStart({ request, query }: Call): number | Refusal {
  const last = request.headers.get("last-event-id") ?? "";
  if (last === "") return Number(query.get("after_seq") ?? 0);
  if (SEQ.test(last)) return Number(last);
  const expected = "the id of the last event that was received";
  return invalid([{ path: "Last-Event-ID", message: "is not an event number", expected }]);
}
