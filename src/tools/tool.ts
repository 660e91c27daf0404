/** What a tool is, and the few things that all definitions of tools need. */
import type { TProperties, TSchema } from "@sinclair/typebox";
import type { Method, Rel } from "../refusals/steps.ts";

export interface Tool {
  readonly id: string;
  readonly title: string;
  /** For a model: when to use it, what it gives, what comes next. */
  readonly description: string;
  readonly method: Method;
  /** Path of the route with its `:name` parameters. */
  readonly path: string;
  /** The arguments: parameters, query and body of the route, and what REST has headers for. */
  readonly input: TSchema;
  /** Route parameter → argument. */
  readonly pathArguments: Readonly<Record<string, string>>;
  /** Arguments that go into the query. */
  readonly queryArguments: readonly string[];
  readonly isReadOnly: boolean;
  readonly isDestructive: boolean;
  readonly isIdempotent: boolean;
  /** True when it reaches beyond the service: a payment. */
  readonly isOpenWorld: boolean;
  readonly needsDelegation: boolean;
  readonly takesKey: boolean;
  readonly tags: readonly string[];
  /** The usual next step of spec 2.2; null when there is none. */
  readonly nextRel: Rel | null;
}

type Shape = Pick<Tool, "id" | "title" | "description" | "method" | "path" | "input" | "nextRel"> &
  Partial<Tool>;

/** A tool that only reads, unless the shape says otherwise. */
export function tool(shape: Shape): Tool {
  return {
    pathArguments: {},
    queryArguments: [],
    isReadOnly: true,
    isDestructive: false,
    isIdempotent: true,
    isOpenWorld: false,
    needsDelegation: false,
    takesKey: false,
    tags: [],
    ...shape,
  };
}

/** The properties of a body schema without its key, which each tool words for itself. */
export function bodyOf({ properties }: { readonly properties: TProperties }): TProperties {
  const { idempotency_key: _key, ...own } = properties;
  return own;
}
