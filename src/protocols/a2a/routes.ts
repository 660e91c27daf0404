/** A2A: `POST /a2a`, and the card of `GET /.well-known/agent.json`. */
import { type Static, Type } from "@sinclair/typebox";
import type { Document, Verbatim } from "../../http/answer.ts";
import type { Call, PublicCall } from "../../http/call.ts";
import { JSON_TYPE } from "../../http/headers.ts";
import { route } from "../../http/route.ts";
import { documented } from "../../http/schema/annotations.ts";
import { extensible, JsonRpcAnswer } from "../../http/schema/answer-parts.ts";
import { json } from "../../http/validate.ts";
import { discoveryCard } from "./cards.ts";
import { answerRpc, RpcRequest } from "./rpc.ts";

const Text = Type.String();
const Texts = Type.Array(Text);
const Address = Type.String({ format: "uri" });

const A2aCard = extensible("A2aAgentCard", "The card of the Agent2Agent protocol.", {
  name: Text,
  description: documented(Text, "What the agent does."),
  url: documented(Address, "Address of the A2A endpoint."),
  version: documented(Text, "Version of the service."),
  capabilities: extensible("A2aCapabilities", "What of the protocol is spoken.", {
    streaming: documented(Type.Boolean(), "Whether answers are streamed."),
    pushNotifications: documented(Type.Boolean(), "Whether tasks have push notifications."),
    stateTransitionHistory: documented(
      Type.Optional(Type.Boolean()),
      "Whether tasks have a state history.",
    ),
  }),
  skills: Type.Array(
    extensible("A2aSkill", "Something the agent can do.", {
      id: documented(Text, "The operation's id."),
      name: Text,
      description: documented(Text, "What the skill does."),
      tags: documented(Texts, "Topics."),
      examples: documented(Texts, "Example messages."),
    }),
  ),
  defaultInputModes: documented(Texts, "Media types that messages may have."),
  defaultOutputModes: documented(Texts, "Media types that answers have."),
  authentication: Type.Object({ schemes: documented(Texts, "Authentication schemes.") }),
});

const BODY_BYTES_MAX = 256 * 1024;

async function showCard({ context }: PublicCall): Promise<Document> {
  const { card: content, etagOf } = await discoveryCard(context);
  return { ok: true, content, etagOf };
}

/** Refusals of the pipeline use the envelope; from here on it is JSON-RPC. */
async function rpc(call: Call<Static<typeof RpcRequest>>): Promise<Verbatim> {
  const headers = {
    "content-type": JSON_TYPE,
    "cache-control": "no-store",
    "x-trace-id": call.traceId,
  };
  return { ok: true, status: 200, headers, body: JSON.stringify(await answerRpc(call)) };
}

export const a2aRoutes = [
  route({
    id: "get_a2a_card",
    tag: "Discovery",
    method: "GET",
    path: "/.well-known/agent.json",
    summary: "Agent-to-agent card",
    description: "For clients of A2A.",
    access: "public",
    renderer: "document",
    success: { status: 200, description: "The document.", body: A2aCard },
    errors: [],
    handle: showCard,
  }),
  route({
    id: "a2a",
    tag: "Protocols",
    method: "POST",
    path: "/a2a",
    summary: "Agent2Agent protocol",
    description:
      "JSON-RPC. A message carries one data part `{skill, input}`; the answer's data part is the " +
      "envelope.",
    access: { kinds: ["agent", "operator", "service"], scope: null, touches: "nothing" },
    body: json(RpcRequest),
    bodyBytesMax: BODY_BYTES_MAX,
    renderer: "verbatim",
    success: { status: 200, description: "A JSON-RPC response.", body: JsonRpcAnswer },
    errors: [],
    handle: rpc,
  }),
];
