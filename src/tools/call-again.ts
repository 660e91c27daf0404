/**
 * The arguments with which a refused tool is called again. What the caller alone should have, a
 * guest's data above all, is not sent back to it: it stands as `<what it is>`, as in every ready
 * call (spec 2.2).
 */
import type { TSchema } from "@sinclair/typebox";
import { isSealed, type RefusalCode } from "../../engine/core/refusals.ts";
import { AS_SENT } from "../actions/bodies.ts";
import { inShort } from "../http/schema/request-parts.ts";
import { describe, type FieldError } from "../http/validate.ts";
import type { Tool } from "./catalogue.ts";
import { followingKey } from "./following-key.ts";

type Arguments = Readonly<Record<string, unknown>>;

/** Ids, dates and codes: what may be sent back. All else may hold personal data, or a secret. */
const PLAIN: ReadonlySet<string> = new Set([
  ...["destination", "stay", "guests", "constraints", "sort", "currency", "at", "property", "kind"],
  ...["check_in", "check_out", "adults", "children"],
  ...["hotel_id", "room_type_id", "rate_plan_id", "quote_id", "hold_id", "booking_id"],
  ...["refund_id", "authorization_id", "confirmation_code"],
]);
/** Beyond this many characters of JSON nobody needs to be told what it has sent. */
const PLAIN_MAX = 1_000;
const MENDED = "<as you sent it, mended>";

/** What a refusal says of a call, as far as calling again depends on it. */
export interface Refused {
  readonly code: RefusalCode;
  readonly detail: Arguments & { readonly field_errors?: readonly FieldError[] };
}

/**
 * What was sent, with a place for everything that was at fault, and the key that this refusal asks
 * for: the same one where nothing was decided, another where the decision stands under the old one.
 */
export function argumentsAgain(tool: Tool, sent: Arguments, { code, detail }: Refused): Arguments {
  const { idempotency_key: key, delegation_token: _token, ...rest } = sent;
  const known = Object.entries(rest).filter(([name]) => isKnown(tool, name));
  const again: Record<string, unknown> = Object.fromEntries(known.map(told));
  for (const fault of detail.field_errors ?? []) mark(tool, again, fault);
  if (!tool.takesKey) return again;
  const isSpent = isSealed(code) || code === "idempotency_conflict" || "idempotency_key" in again;
  delete again.idempotency_key;
  const hasKey = typeof key === "string" && key !== "";
  if (hasKey && !isSpent) return { ...again, idempotency_key: key };
  if (!hasKey && tool.route.key !== "required") return again;
  return { ...again, idempotency_key: followingKey(tool.id, again, hasKey ? key : null) };
}

function isKnown({ input }: Tool, name: string): boolean {
  return Object.hasOwn(input.properties, name);
}

function told([name, value]: [string, unknown]): [string, unknown] {
  const isTold = PLAIN.has(name) && JSON.stringify(value).length <= PLAIN_MAX;
  return [name, isTold ? structuredClone(value) : AS_SENT];
}

/**
 * Puts what was expected in the place of what was at fault: at the end of its path where that was
 * told, else for the argument as a whole. What no schema knows is left out.
 */
function mark(tool: Tool, again: Record<string, unknown>, { path, expected }: FieldError): void {
  const [, first = "", ...rest] = path.split("/").map(unescaped);
  if (!isKnown(tool, first) || first === "delegation_token") return;
  if (rest.length > 0 && again[first] === AS_SENT) again[first] = MENDED;
  let at: Record<string, unknown> = again;
  let schema: TSchema | undefined = tool.input;
  let last = first;
  for (const step of rest) {
    const next: unknown = Object.hasOwn(at, last) ? at[last] : undefined;
    if (typeof next !== "object" || next === null) break;
    schema = partOf(schema, last);
    at = next as Record<string, unknown>;
    last = step;
  }
  if (at[last] === MENDED) return;
  const part = partOf(schema, last);
  if (part) at[last] = blank(part, expected);
  else delete at[last];
}

function partOf(schema: TSchema | undefined, name: string): TSchema | undefined {
  const { properties, items } = schema ?? ({} as TSchema);
  if (items) return items;
  return properties && Object.hasOwn(properties, name) ? properties[name] : undefined;
}

/** A place to fill in; of an object, one for each member that it must have. */
function blank(schema: TSchema, expected = ""): unknown {
  const { properties, required = [] } = schema;
  if (!properties) return `<${expected || inShort(schema) || describe(schema)}>`;
  return Object.fromEntries(required.map((name: string) => [name, blank(properties[name])]));
}

/** A step of a JSON pointer (RFC 6901 §4). */
function unescaped(step: string): string {
  return step.replaceAll("~1", "/").replaceAll("~0", "~");
}
