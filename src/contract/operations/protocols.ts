/** The doors of other protocols to the same operations. */
import { Type } from "@sinclair/typebox";
import { JsonRpcAnswer } from "../../discovery/answers.ts";
import type { OperationTable } from "../../http/contract.ts";

const Events = Type.String({ description: "One event; its data is the JSON-RPC response." });
const ANSWER = { status: 200, description: "A JSON-RPC response.", body: JsonRpcAnswer } as const;

export const protocolOperations: OperationTable = {
  "POST /mcp": {
    id: "mcp",
    tag: "Protocols",
    summary: "Model Context Protocol",
    description:
      "Streamable HTTP, one message per request. Tools have the names of the operations here; " +
      "`structuredContent` of a result is the envelope.",
    success: { ...ANSWER, alternatives: { "text/event-stream": Events } },
    errors: [],
    ownErrors: {
      400: { description: "The message is not one of the protocol.", body: JsonRpcAnswer },
      404: { description: "The method is unknown.", body: JsonRpcAnswer },
    },
  },
  "POST /a2a": {
    id: "a2a",
    tag: "Protocols",
    summary: "Agent2Agent protocol",
    description:
      "JSON-RPC. A message carries one data part `{skill, input}`; the answer's data part is the " +
      "envelope.",
    success: ANSWER,
    errors: [],
  },
};
