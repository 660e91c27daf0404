/**
 * The arguments with which a refused tool is called again, as they were sent: a model has only what
 * stands before it. They go back to their sender alone.
 */
import { AS_SENT } from "../../actions/bodies.ts";
import { keyAgain, type Refused, sentAgain } from "../../http/retry-body.ts";
import type { Tool } from "./catalogue.ts";

type Arguments = Readonly<Record<string, unknown>>;

/** An argument of more characters of JSON stands as `<as you sent it>`. */
const TOLD_CHARS_MAX = 4_000;

/** What was sent, with a blank for everything at fault, and the key that this refusal asks for. */
export function argumentsAgain(tool: Tool, sent: Arguments, refused: Refused): Arguments {
  const { idempotency_key, delegation_token: _token, ...rest } = sent;
  const again = sentAgain(tool.input, rest, refused, told);
  delete again.delegation_token;
  delete again.idempotency_key;
  if (!tool.takesKey) return again;
  const key = keyAgain(idempotency_key, refused, tool.route.key === "required");
  return { ...again, ...(key !== undefined && { idempotency_key: key }) };
}

function told(_name: string, value: unknown): unknown {
  return JSON.stringify(value).length <= TOLD_CHARS_MAX ? structuredClone(value) : AS_SENT;
}
