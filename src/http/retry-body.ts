/**
 * The body for the retry of a refused call: the sent values, a placeholder `<expected value>` for
 * every error, and the idempotency key that the refusal requires.
 */
import type { TSchema } from "@sinclair/typebox";
import { isSealed, type RefusalCode } from "../../engine/core/refusals.ts";
import { AS_SENT, nextKey, offeredKey } from "../actions/call-parts.ts";
import { inShort } from "./schema/request-parts.ts";
import { describe, type FieldError } from "./validate.ts";

type Fields = Readonly<Record<string, unknown>>;

const CORRECTED = "<as you sent it, corrected>";

/** The parts of a refusal that a retry depends on. */
export interface Refused {
  readonly code: RefusalCode;
  readonly detail: Fields & { readonly field_errors?: readonly FieldError[] };
  readonly trace_id?: string;
}

/**
 * The members of `sent` that `schema` knows, each as `repeat` returns it, with a blank for each
 * fault.
 */
export function sentAgain(
  schema: TSchema,
  sent: Fields,
  { detail }: Refused,
  repeat: (name: string, value: unknown) => unknown,
): Record<string, unknown> {
  const known = Object.entries(sent).filter(([name]) => isKnown(schema, name));
  const again: Record<string, unknown> = {};
  for (const [name, value] of known) again[name] = repeat(name, value);
  for (const fault of detail.field_errors ?? []) mark(schema, again, fault);
  return again;
}

/**
 * The key for a retry: the same when nothing was decided, the next one when the decision is stored
 * under the old key. Undefined when the call needs none.
 */
export function keyAgain(sent: unknown, { code, detail, trace_id }: Refused, isRequired: boolean) {
  const hasKey = typeof sent === "string" && sent !== "";
  const isFaulty = detail.field_errors?.some(({ path }) => KEY_PATHS.includes(path));
  if (!hasKey || isFaulty) {
    return hasKey || isRequired ? offeredKey("key", trace_id ?? "", 0) : undefined;
  }
  return isSealed(code) || code === "idempotency_conflict" ? nextKey(sent) : sent;
}

const KEY_PATHS: readonly string[] = ["/idempotency_key", "Idempotency-Key"];

function isKnown({ properties }: TSchema, name: string): boolean {
  return properties !== undefined && Object.hasOwn(properties, name);
}

/**
 * Replaces the value at fault by a blank: at the end of the path if known, else the whole member.
 * Members without a schema are left out.
 */
function mark(root: TSchema, again: Record<string, unknown>, { path, expected }: FieldError): void {
  if (!path.startsWith("/")) return;
  const [, first = "", ...rest] = path.split("/").map(unescaped);
  if (!isKnown(root, first)) return;
  if (rest.length > 0 && again[first] === AS_SENT) again[first] = CORRECTED;
  let at: Record<string, unknown> = again;
  let schema: TSchema | undefined = root;
  let last = first;
  for (const step of rest) {
    const next: unknown = Object.hasOwn(at, last) ? at[last] : undefined;
    if (typeof next !== "object" || next === null) break;
    schema = partOf(schema, last);
    at = next as Record<string, unknown>;
    last = step;
  }
  if (at[last] === CORRECTED) return;
  const part = partOf(schema, last);
  if (part) at[last] = blank(part, expected);
  else delete at[last];
}

function partOf(schema: TSchema | undefined, name: string): TSchema | undefined {
  const { properties, items } = schema ?? ({} as TSchema);
  if (items) return items;
  return properties && Object.hasOwn(properties, name) ? properties[name] : undefined;
}

/** A blank; of an object, one for each required member. */
function blank(schema: TSchema, expected = ""): unknown {
  const { properties, required = [] } = schema;
  if (!properties) return `<${expected || inShort(schema) || describe(schema)}>`;
  return Object.fromEntries(required.map((name: string) => [name, blank(properties[name])]));
}

/** A step of a JSON pointer (RFC 6901 §4). */
function unescaped(step: string): string {
  return step.replaceAll("~1", "/").replaceAll("~0", "~");
}
