/**
 * Runs a tool as its REST route, for an admitted caller. The answer is the route's envelope plus
 * tool names and arguments, the same through every front end.
 */

import { allowed } from "../../http/admission.ts";
import { invalid, type Refusal } from "../../http/answer.ts";
import type { Call } from "../../http/call.ts";
import { callRoute, type InProcessAnswer, refuseInProcess } from "../../http/in-process.ts";
import type { FieldError } from "../../http/validate.ts";
import { randomHex, traceOf } from "../../lib/trace.ts";
import type { Tool } from "./catalogue.ts";
import { toolEnvelope } from "./next-calls.ts";

/** Values sent outside the arguments, or null. */
export interface Sent {
  /** `X-Delegated-User`; wins over the argument `delegation_token`. */
  readonly delegation: string | null;
  /** Trace context of this call; without a valid one the request's trace continues. */
  readonly traceparent: string | null;
}

type Input = Readonly<Record<string, unknown>>;

/** Why the caller may not use a tool, else null. */
export function toolRefusal({ principal }: Call, { route }: Pick<Tool, "route">): Refusal | null {
  return route.access === "public" ? null : allowed(route.access, principal);
}

/**
 * The answer of a tool's route to these arguments. The route validates the body; other faults are
 * found here and reported together with those of the body.
 */
export async function runTool(
  call: Call,
  tool: Tool,
  input: Input,
  sent: Sent,
): Promise<InProcessAnswer> {
  const { routes } = call.context;
  const answer = await answerOf(call, tool, input, sent);
  const isConsentSent = sent.delegation !== null;
  return { ...answer, body: toolEnvelope({ routes, tool, input, isConsentSent }, answer.body) };
}

async function answerOf(
  call: Call,
  tool: Tool,
  input: Input,
  sent: Sent,
): Promise<InProcessAnswer> {
  // As over REST: no fault is reported to callers without access.
  const refused = toolRefusal(call, tool);
  if (refused) return refuseInProcess(call, refused);
  const faults = tool.check(input);
  if (faults.some((fault) => !isOfBody(tool, fault))) return refuseInProcess(call, invalid(faults));
  const body: Record<string, unknown> = { ...input };
  const take = (argument: string) => {
    const value = body[argument];
    delete body[argument];
    return value === undefined ? [] : [String(value)];
  };
  const params = Object.entries(tool.pathArguments).flatMap(([name, argument]) =>
    take(argument).map((value) => [name, value]),
  );
  const query = tool.queryArguments.flatMap((name) => take(name).map((value) => [name, value]));
  const [token] = tool.needsDelegation ? take("delegation_token") : [];
  const delegation = sent.delegation ?? token;
  return callRoute(call, {
    id: tool.id,
    params: Object.fromEntries(params),
    query: Object.fromEntries(query),
    ...(tool.route.method === "GET" ? {} : { body }),
    headers: {
      traceparent: nextHop(call, sent.traceparent),
      ...(tool.needsDelegation && delegation ? { "x-delegated-user": delegation } : {}),
    },
  });
}

/** True for faults that the route finds in its body itself. */
function isOfBody({ route, pathArguments, queryArguments }: Tool, { path }: FieldError): boolean {
  const [, argument = ""] = path.split("/");
  const elsewhere = [...Object.values(pathArguments), ...queryArguments];
  return (
    route.method !== "GET" &&
    ![...elsewhere, "idempotency_key", "delegation_token"].includes(argument)
  );
}

/** `traceparent` of the route's request: a child span of the call. */
function nextHop(call: Call, traceparent: string | null): string {
  const { traceId, parentId } = traceOf(traceparent);
  return `00-${parentId === null ? call.traceId : traceId}-${randomHex(8)}-01`;
}
