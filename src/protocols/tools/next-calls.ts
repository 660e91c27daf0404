/**
 * Answers for callers of tools: each next action names its tool and arguments, and refusals refer
 * to arguments.
 */
import { AS_SENT, blanksIn } from "../../actions/call-parts.ts";
import type { NextAction } from "../../actions/next-action.ts";
import { keyAgain, type Refused, sentAgain } from "../../http/retry-body.ts";
import type { Routes } from "../../http/route-table.ts";
import { remediationOf } from "../../refusals/catalogue.ts";
import { TOOL_TERMS } from "../../refusals/record.ts";
import { type Tool, toolById } from "./catalogue.ts";

type Arguments = Readonly<Record<string, unknown>>;
type Body = Readonly<Record<string, unknown>>;

/** A next action with its tool. */
interface NextCall extends NextAction {
  readonly tool?: string;
  /** Complete; blanks are `<meaning>`. */
  readonly arguments?: Arguments;
}

/** The relevant parts of a tool call. */
export interface ToolCall {
  readonly routes: Routes;
  readonly tool: Tool;
  readonly input: Arguments;
  /** The traveler's consent is sent outside the arguments. */
  readonly isConsentSent: boolean;
}

const ID_CHARS_MAX = 64;

/** Only the traveler's side can make it. */
const CONSENT = { delegation_token: "<the traveler's delegation token>" };

/** The envelope of a tool's answer; members are added, and only the remediation changes. */
export function toolEnvelope(call: ToolCall, body: Body): Body {
  if (!("error" in body)) return { ...body, next_actions: actionsOf(body).map(nextCall(call)) };
  const error = inArguments(body.error as Refused & Body);
  const remediation = remediationOf(error.code, TOOL_TERMS, error.detail);
  const next_actions = actionsOf(error).map(nextCall(call, error));
  return { ...body, error: { ...error, remediation, next_actions } };
}

/** Headers that are arguments of tools. */
const HEADERS: Readonly<Record<string, string>> = {
  "Idempotency-Key": TOOL_TERMS.key,
  "X-Delegated-User": TOOL_TERMS.delegation,
};

/** The refusal with every fault at an argument instead of query, header or body. */
function inArguments(error: Refused & Body): Refused & Body {
  const { field_errors, header } = error.detail;
  const argument = typeof header === "string" ? HEADERS[header] : undefined;
  if (argument) return { ...error, detail: { ...error.detail, argument } };
  if (field_errors === undefined) return error;
  const faults = field_errors.map((fault) => {
    const { path } = fault;
    const name = path.startsWith("?") ? path.slice(1) : HEADERS[path];
    return name === undefined ? fault : { ...fault, path: `/${name}` };
  });
  return { ...error, detail: { ...error.detail, field_errors: faults } };
}

function actionsOf({ next_actions = [] }: Body): readonly NextAction[] {
  return next_actions as readonly NextAction[];
}

/** Adds tool and arguments to an action that a tool can do; others stay. */
function nextCall(call: ToolCall, refused?: Refused) {
  return (action: NextAction): NextCall => {
    if (refused && action.rel === "retry") {
      const { body_hint: _hint, fill_in: _fill, ...rest } = action;
      return withTool(rest, call, call.tool, argumentsAgain(call.tool, call.input, refused));
    }
    const tool = toolOf(call.routes, action);
    const known = tool && argumentsOf(tool, action);
    if (!tool || !known) return action;
    const isUnread = refused?.code === "delegation_required";
    return withTool(action, call, tool, isUnread ? { ...known, ...heldBy(call, known) } : known);
  };
}

/** A missing token is refused before the body is read; its hold is in the arguments. */
function heldBy({ input: { hold_id } }: ToolCall, known: Arguments): Arguments {
  const isId = typeof hold_id === "string" && hold_id.length <= ID_CHARS_MAX;
  return "hold_id" in known && isId ? { hold_id } : {};
}

/** Replaces the blanks of body and headers by those of the arguments. */
function withTool(action: NextAction, call: ToolCall, tool: Tool, known: Arguments): NextCall {
  const args = { ...known, ...consent(call, tool) };
  const fill_in = blanksIn(args);
  const { fill_in: _fill, ...rest } = action;
  return { ...rest, ...(fill_in.length > 0 && { fill_in }), tool: tool.id, arguments: args };
}

function toolOf(routes: Routes, { method, href }: NextAction): Tool | undefined {
  const route = routes.match(method, pathOf(href));
  return route && toolById(routes, route.id);
}

/** Arguments of path, query and body; null where the tool lacks one of them. */
function argumentsOf(tool: Tool, { href, body_hint }: NextAction): Arguments | null {
  const path = pathOf(href);
  const query = new URLSearchParams(href.slice(path.length));
  if ([...query.keys()].some((name) => !tool.queryArguments.includes(name))) return null;
  const given = path.split("/");
  const inPath = tool.route.path.split("/").flatMap((segment, at) => {
    const argument = segment.startsWith(":") ? tool.pathArguments[segment.slice(1)] : undefined;
    return argument === undefined ? [] : [[argument, decodeURIComponent(given[at] ?? "")]];
  });
  return { ...Object.fromEntries(inPath), ...Object.fromEntries(query), ...body_hint };
}

function pathOf(href: string): string {
  return href.split("?", 1)[0]!;
}

function consent({ isConsentSent }: ToolCall, tool: Tool): Arguments {
  return tool.needsDelegation && !isConsentSent ? CONSENT : {};
}

/** Longer arguments (JSON) are replaced by `<as you sent it>`. */
const REPEATED_CHARS_MAX = 4_000;

/** The sent arguments, with a blank for each fault, and the key that this refusal requires. */
function argumentsAgain(tool: Tool, sent: Arguments, refused: Refused): Arguments {
  const { idempotency_key, delegation_token: _token, ...rest } = sent;
  const again = sentAgain(tool.input, rest, refused, repeated);
  delete again.delegation_token;
  delete again.idempotency_key;
  if (!tool.takesKey) return again;
  const key = keyAgain(idempotency_key, refused, tool.route.key === "required");
  return { ...again, ...(key !== undefined && { idempotency_key: key }) };
}

function repeated(_name: string, value: unknown): unknown {
  return JSON.stringify(value).length <= REPEATED_CHARS_MAX ? structuredClone(value) : AS_SENT;
}
