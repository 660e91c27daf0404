/** JSON-RPC, as MCP and A2A answer in it. */
import { Type } from "@sinclair/typebox";
import { extensible, freeForm, words } from "./answer-parts.ts";

export const JsonRpcAnswer = extensible("JsonRpcAnswer", "A JSON-RPC 2.0 response.", {
  jsonrpc: words(["2.0"]),
  result: Type.Optional(freeForm("Result of the method.")),
  error: Type.Optional(freeForm("`code`, `message`, `data`.")),
});
