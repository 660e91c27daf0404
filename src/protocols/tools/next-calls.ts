/**
 * Answers as callers with tools alone need them: each next action names the tool that does it and
 * its arguments, and what to do about a refusal is told in the terms of arguments.
 */
import { blanksIn } from "../../actions/bodies.ts";
import type { NextAction } from "../../actions/next-action.ts";
import type { Refused } from "../../http/retry-body.ts";
import type { Routes } from "../../http/route-table.ts";
import { remediationOf } from "../../refusals/catalogue.ts";
import { TOOL_TERMS } from "../../refusals/terms.ts";
import { type Tool, toolById } from "./catalogue.ts";
import { argumentsAgain } from "./retry-arguments.ts";

type Arguments = Readonly<Record<string, unknown>>;
type Body = Readonly<Record<string, unknown>>;

/** A next action that a tool does (spec 2.2, and what tools need besides). */
interface NextCall extends NextAction {
  readonly tool?: string;
  /** Complete; what only the caller can know stands as `<what it is>`. */
  readonly arguments?: Arguments;
}

/** A call of a tool, as far as what follows depends on it. */
export interface ToolCall {
  readonly routes: Routes;
  readonly tool: Tool;
  readonly input: Arguments;
  /** The traveler's consent came beside the arguments, and will again. */
  readonly isConsentSent: boolean;
}

/** Stands for what the traveler's side alone can make. */
const CONSENT = { delegation_token: "<the traveler's delegation token>" };

/** The envelope of a tool's answer; members are added, none is changed but the remediation. */
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

/** The refusal with every fault at an argument, wherever REST has it: in query, header or body. */
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

/** An action that a tool does gets the tool's name and arguments; any other stays as it is. */
function nextCall(call: ToolCall, refused?: Refused) {
  return (action: NextAction): NextCall => {
    if (refused && action.rel === "retry") {
      const { body_hint: _hint, fill_in: _fill, ...rest } = action;
      return told(rest, call, call.tool, argumentsAgain(call.tool, call.input, refused));
    }
    const tool = toolOf(call.routes, action);
    const known = tool && argumentsOf(tool, action);
    return tool && known ? told(action, call, tool, known) : action;
  };
}

/** The blanks of the arguments in the place of those of a body and of headers. */
function told(action: NextAction, call: ToolCall, tool: Tool, known: Arguments): NextCall {
  const args = { ...known, ...consent(call, tool) };
  const fill_in = blanksIn(args);
  const { fill_in: _fill, ...rest } = action;
  return { ...rest, ...(fill_in.length > 0 && { fill_in }), tool: tool.id, arguments: args };
}

function toolOf(routes: Routes, { method, href }: NextAction): Tool | undefined {
  const route = routes.match(method, pathOf(href));
  return route && toolById(routes, route.id);
}

/** Arguments in path, query and body; null where the tool has no place for one of them. */
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
