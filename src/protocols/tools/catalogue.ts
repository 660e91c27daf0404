/**
 * The tools for models: routes that declare one. MCP tools, A2A skills and the agent card are
 * generated from it, so they cannot differ, and a tool does exactly what its route does.
 */
import { type TProperties, type TSchema, Type } from "@sinclair/typebox";
import type { Rel } from "../../actions/steps.ts";
import { type Contract, isReadOnly, type ToolWords } from "../../http/contract.ts";
import type { Routes } from "../../http/route-table.ts";
import { closed, describedAs, describedInShort, text } from "../../http/schema/request-parts.ts";
import { type Check, compile } from "../../http/validate.ts";
import { memoizeByKey } from "../../lib/memoize.ts";

export interface Tool {
  /** Equals the route's id. */
  readonly id: string;
  readonly route: Contract;
  readonly title: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly nextRel: Rel | null;
  readonly example: Readonly<Record<string, unknown>>;
  /** Parameters, query and body of the route, and arguments for headers. */
  readonly input: TSchema;
  readonly check: Check;
  /** Route parameter → argument. */
  readonly pathArguments: Readonly<Record<string, string>>;
  readonly queryArguments: readonly string[];
  readonly isReadOnly: boolean;
  readonly isDestructive: boolean;
  readonly isIdempotent: boolean;
  readonly isOpenWorld: boolean;
  readonly needsDelegation: boolean;
  readonly takesKey: boolean;
}

/** In the order of a traveler's agent; the others follow in table order. */
const FIRST: readonly string[] = [
  ...["search", "quote", "hold", "book", "get_booking", "cancel", "get_audit", "release_hold"],
  "verify_receipt",
];

const KEY = describedInShort(
  describedAs(
    text(1, 255),
    "1 to 255 visible ASCII characters: a new key for each new intent, " + "the same on retry",
  ),
  "new per intent, same on retry",
);
const DELEGATION_TOKEN = Type.Optional(
  describedInShort(
    Type.String({
      pattern: "^[\\x21-\\x7e]+$",
      maxLength: 8_192,
      description: "the traveler's consent as a JWT, unless the X-Delegated-User header carries it",
    }),
    "the traveler's consent (JWT)",
  ),
);

/** Every tool, in a fixed order. */
export const toolsOf: (routes: Routes) => readonly Tool[] = memoizeByKey((routes: Routes) => {
  const rank = ({ id }: Contract) => (FIRST.includes(id) ? FIRST.indexOf(id) : FIRST.length);
  return routes.published
    .filter(({ tool }) => tool)
    .sort((a, b) => rank(a) - rank(b))
    .map((route) => toolOf(route, route.tool!));
});

/** The tool of that id, if there is one. */
export function toolById(routes: Routes, id: string): Tool | undefined {
  return toolsOf(routes).find((tool) => tool.id === id);
}

function toolOf(route: Contract, words: ToolWords): Tool {
  const { title, description, tags, nextRel, example } = words;
  const input = words.input ?? inputOf(route, words);
  return {
    ...{ id: route.id, route, title, description, tags, nextRel, example, input },
    check: compile(input),
    pathArguments: words.pathArguments ?? {},
    queryArguments: Object.keys(words.queryArguments ?? {}),
    isReadOnly: isReadOnly(route),
    isDestructive: words.isDestructive ?? false,
    isIdempotent: words.isIdempotent ?? true,
    isOpenWorld: words.isOpenWorld ?? false,
    needsDelegation: route.isDelegated === true,
    takesKey: route.key !== undefined,
  };
}

/** Arguments of path, body and query, then those for headers: key and token. */
function inputOf(route: Contract, words: ToolWords): TSchema {
  const own = words.arguments ?? {};
  const inPath = Object.values(words.pathArguments ?? {}).map((name) => [name, own[name]!]);
  const { idempotency_key: _key, ...body } = (route.body?.schema.properties ?? {}) as TProperties;
  return closed({
    ...Object.fromEntries(inPath),
    ...body,
    ...own,
    ...words.queryArguments,
    ...(route.key ? { idempotency_key: route.key === "required" ? KEY : Type.Optional(KEY) } : {}),
    ...(route.isDelegated ? { delegation_token: DELEGATION_TOKEN } : {}),
  });
}
