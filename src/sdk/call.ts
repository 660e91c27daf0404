/** A call by its operation id: what it takes, and where it goes. */
import { OPERATIONS } from "./operations.ts";
import type { Operations } from "./types.ts";

/** As the service's OpenAPI document names its operations. */
export type OperationId = keyof Operations;

/** What an operation takes: `params` of its path, `query` and `body`, as far as it has them. */
export type OperationInput<Id extends OperationId> = Omit<Operations[Id], "data">;

/** `data` of an operation's answer. */
export type OperationData<Id extends OperationId> = Operations[Id]["data"];

/** Input of any operation. */
export interface AnyInput {
  readonly params?: Readonly<Record<string, string>> | undefined;
  readonly query?: Readonly<Record<string, string | number | undefined>> | undefined;
  /** Of a `body` that is a text; others are sent as JSON. */
  readonly contentType?: string | undefined;
  readonly body?: unknown;
}

/** One that is empty, dots or no text would make the path another one. */
function segment(id: unknown): string {
  if (typeof id !== "string" || /^\.{0,2}$/.test(id)) throw new TypeError(`"${id}" is no id`);
  return encodeURIComponent(id);
}

/** Method and path of a call. Throws a `TypeError` of an unknown operation or an empty id. */
export function addressOf(id: string, { params = {}, query = {} }: AnyInput): [string, string] {
  if (!Object.hasOwn(OPERATIONS, id)) throw new TypeError(`"${id}" is no operation`);
  const [method = "", template = ""] = OPERATIONS[id as OperationId].split(" ");
  const path = template.replace(/\{(\w+)\}/g, (_, name: string) => segment(params[name]));
  const asked = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) asked.set(name, String(value));
  }
  const text = asked.toString();
  return [method, text === "" ? path : `${path}?${text}`];
}
