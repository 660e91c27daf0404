/** One call of a chat completions endpoint that an operator has named. */
import type { IncomingMessage } from "node:http";
import { guardedRequest } from "../../../jobs/net/guarded-request.ts";
import type { ChatMessage } from "./prompt.ts";

export interface ModelTerms {
  readonly endpoint: string;
  readonly model: string;
  readonly secret: string;
  readonly temperature: number;
  /** Development only: private addresses too. */
  readonly allowPrivate: boolean;
}

export interface ModelAnswer {
  readonly message: string;
  readonly used_facts: readonly string[];
}

/** Why there is no answer of the model. */
export type ModelFailure = "unreachable" | "timeout" | "too_large" | "status" | "malformed";

/** A traveler waits for it, and the rules answer at once when it is over. */
const TIMEOUT_MS = 8_000;
const ANSWER_BYTES_MAX = 64 * 1024;
const TOKENS_MAX = 800;
const FACTS_MAX = 100;

/** Asks the model. Never throws. */
export async function callModel(
  { endpoint, model, secret, temperature, allowPrivate }: ModelTerms,
  messages: readonly ChatMessage[],
  timeoutMs = TIMEOUT_MS,
): Promise<ModelAnswer | ModelFailure> {
  const body = JSON.stringify({
    ...{ model, temperature, messages, stream: false, max_tokens: TOKENS_MAX },
    response_format: { type: "json_object" },
  });
  const headers = {
    authorization: `Bearer ${secret}`,
    "content-type": "application/json",
    accept: "application/json",
    "accept-encoding": "identity",
  };
  const outgoing = { method: "POST", headers, body } as const;
  const asked = await guardedRequest(endpoint, outgoing, { allowPrivate, timeoutMs }, read);
  if (!asked.ok) return asked.reason === "timeout" ? "timeout" : "unreachable";
  return asked.answer;
}

async function read(response: IncomingMessage): Promise<ModelAnswer | ModelFailure> {
  if (response.statusCode !== 200) return "status";
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response) {
    bytes += chunk.length;
    if (bytes > ANSWER_BYTES_MAX) return "too_large";
    chunks.push(chunk);
  }
  return answerIn(Buffer.concat(chunks).toString());
}

/** The answer in the text of a completion; anything of another form is none. */
function answerIn(text: string): ModelAnswer | "malformed" {
  try {
    const completion = JSON.parse(text) as {
      readonly choices: readonly { readonly message: { readonly content: string } }[];
    };
    const { message, used_facts } = JSON.parse(completion.choices[0]!.message.content);
    const isText = typeof message === "string" && message.trim() !== "";
    const isList =
      Array.isArray(used_facts) &&
      used_facts.length <= FACTS_MAX &&
      used_facts.every((each) => typeof each === "string");
    return isText && isList ? { message: message.trim(), used_facts } : "malformed";
  } catch {
    return "malformed";
  }
}
