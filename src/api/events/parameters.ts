/** Query parameters of a tenant's events, and `Last-Event-ID` of a stream. */

import { Type } from "@sinclair/typebox";
import { SUBJECT_TYPES } from "../../../engine/core/events/declaration.ts";
import { invalid, type Refusal } from "../../http/answer.ts";
import type { Call } from "../../http/call.ts";
import type { QueryParameter } from "../../http/contract.ts";
import { numberParameter } from "../parameters.ts";
import { KINDS, kindNamed } from "./kinds.ts";
import type { EventsAsked, Filter } from "./reader.ts";

const LIMIT_MAX = 1_000;
const LIMIT = 100;
/** Shorter than the timeout of proxies. */
const WAIT_S_MAX = 25;

const SEQ = /^\d{1,15}$/;
const SUBJECT = new RegExp(`^(${SUBJECT_TYPES.join("|")}):([\\x21-\\x7e]{1,200})$`);

export const QUERY = {
  after_seq: {
    schema: Type.Integer({ minimum: 0 }),
    description: "Number of the last event received; 0 by default.",
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
    description: "Only events about this subject: type and id, such as `booking:bkg_…`.",
    isValid: (value: string) => SUBJECT.test(value),
    fault: {
      message: "is not a subject",
      expected: `one of ${SUBJECT_TYPES.join(", ")}, a colon and its id`,
    },
  },
  limit: numberParameter(1, LIMIT_MAX, `Events of a page; ${LIMIT} by default.`),
  wait_s: numberParameter(0, WAIT_S_MAX, "Seconds to wait if there is no event yet; 0 by default."),
} as const satisfies Readonly<Record<string, QueryParameter>>;

/** The filter limited to the credential's rights. */
export function filterOf({ query, principal }: Pick<Call, "query" | "principal">): Filter {
  const kinds = query.get("kinds")?.split(",");
  const [, type, id] = SUBJECT.exec(query.get("subject") ?? "") ?? [];
  return {
    kinds: kinds === undefined ? null : new Set(kinds),
    subject: type === undefined || id === undefined ? null : { type, id },
    property_ids: principal.property_ids,
  };
}

/** The requested page. */
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

/** Start of a stream: `Last-Event-ID` of a reconnecting reader overrides `after_seq`. */
export function streamStart({ request, query }: Call): number | Refusal {
  const last = request.headers.get("last-event-id") ?? "";
  if (last === "") return Number(query.get("after_seq") ?? 0);
  if (SEQ.test(last)) return Number(last);
  const expected = "the id of the last event that was received";
  return invalid([{ path: "Last-Event-ID", message: "is not an event number", expected }]);
}
