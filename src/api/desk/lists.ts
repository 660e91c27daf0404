/** What the desk's lists of pending work have in common. */
import type { TSchema } from "@sinclair/typebox";
import { type IdPrefix, timeDigits } from "../../../engine/core/ids.ts";
import { invalid, type Refusal } from "../../http/answer.ts";
import type { Call } from "../../http/call.ts";
import { AS_TABLE } from "../../http/render-table.ts";
import type { FieldError } from "../../http/validate.ts";

/** A list is complete or refused. */
export const ITEMS_MAX = 10_000;

const TOO_MANY = "matches too many";

/** The refusal of a list that would have more items; `path` names the filter that helps. */
export function tooMany(path: string, what: string): Refusal {
  const expected = `a filter that matches at most ${ITEMS_MAX} ${what}`;
  return invalid([{ path, message: `${TOO_MANY} ${what}`, expected }]);
}

/** Whether a refusal with this `detail` is one of `tooMany`. */
export function isTooMany({ field_errors }: Readonly<Record<string, unknown>>): boolean {
  const [error] = (field_errors ?? []) as readonly Partial<FieldError>[];
  return error?.message?.startsWith(TOO_MANY) === true;
}

/** Latest creation of matching items by `?older_than_s`, epoch milliseconds. */
export function bornBefore({ query, context }: Call): number {
  return context.engineNow() - 1000 * Number(query.get("older_than_s") ?? 0);
}

/** The ids of a kind from an instant of the query on, and before another: ids sort by creation. */
export function idsBetween(
  prefix: IdPrefix,
  { query }: Call,
  [fromName, beforeName]: readonly [from: string, before: string],
): readonly [from: string, before: string] {
  const idAt = (name: string) => {
    const text = query.get(name);
    return text === undefined ? null : `${prefix}_${timeDigits(Math.max(0, Date.parse(text)))}`;
  };
  return [idAt(fromName) ?? `${prefix}_`, idAt(beforeName) ?? `${prefix}_~`];
}

/** Access to routes below an admin path. */
export function admin<const S extends string>(segment: S) {
  return { kinds: ["operator"], scope: `admin:${segment}`, touches: "properties" } as const;
}

/** A list as JSON or as a table. */
export function listed<T extends TSchema>(description: string, data: T) {
  return { status: 200, description, data, alternatives: AS_TABLE } as const;
}

/** A read of the desk. */
export const DESK_READ = {
  tag: "Desk",
  method: "GET",
  readsReplica: true,
  errors: ["resource_access_denied"],
} as const;
