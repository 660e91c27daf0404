/**
 * The JSON-RPC binding of A2A (A2A §9), versions 1.0 and 0.3, by the SDK's transports. Always
 * answers 200: A2A refusals are JSON-RPC errors.
 */
import { A2A_VERSION_HEADER } from "@a2a-js/sdk";
import { A2A_LEGACY_PROTOCOL_VERSION } from "@a2a-js/sdk/compat/v0_3";
import { LegacyJsonRpcTransportHandler } from "@a2a-js/sdk/compat/v0_3/server";
import {
  A2A_ERROR_CODE,
  type A2AError,
  RequestMalformedError,
  toJsonRpcError,
  VersionNotSupportedError,
} from "@a2a-js/sdk/errors";
import { JsonRpcTransportHandler, ServerCallContext } from "@a2a-js/sdk/server";
import { type Static, Type } from "@sinclair/typebox";
import type { Call } from "../../http/call.ts";
import { documented } from "../../http/schema/annotations.ts";
import { agentFor } from "./agent.ts";
import { VERSIONS } from "./cards.ts";

/** A single JSON-RPC 2.0 request; methods validate their own `params`. */
export const RpcRequest = Type.Object({
  jsonrpc: Type.Literal("2.0", { description: '"2.0"' }),
  method: documented(Type.String({ minLength: 1 }), "Name of a method of A2A."),
  id: documented(
    Type.Optional(Type.Union([Type.String(), Type.Integer(), Type.Null()])),
    "Id of the request, repeated in the answer.",
  ),
  params: documented(Type.Optional(Type.Object({})), "Parameters of the method."),
});
export type RpcRequest = Static<typeof RpcRequest>;

/** The JSON-RPC answer to a validated request. Throws for bugs only. */
export async function answerRpc(call: Call<RpcRequest>): Promise<object> {
  const request = call.body;
  const version = call.request.headers.get(A2A_VERSION_HEADER) || A2A_LEGACY_PROTOCOL_VERSION;
  if (!VERSIONS.some((known) => known === version)) {
    const message = `${A2A_VERSION_HEADER} must be one of ${VERSIONS.join(", ")}.`;
    return failure(request, new VersionNotSupportedError(message));
  }
  const bugs: unknown[] = [];
  const agent = agentFor(call, (bug) => bugs.push(bug));
  const transport =
    version === A2A_LEGACY_PROTOCOL_VERSION
      ? new LegacyJsonRpcTransportHandler(agent)
      : new JsonRpcTransportHandler(agent);
  const answer = await transport.handle(request, new ServerCallContext());
  if (bugs.length > 0) throw bugs[0];
  if (Symbol.asyncIterator in answer) throw new Error("a stream, though none is supported");
  const { error } = answer as { readonly error?: { readonly code: number } };
  // The SDK does not validate parameters: an internal error there is the caller's mistake.
  if (error?.code !== A2A_ERROR_CODE.INTERNAL_ERROR) return answer;
  return failure(request, new RequestMalformedError("The params are not those of the method."));
}

function failure({ id = null }: RpcRequest, error: A2AError): object {
  return { jsonrpc: "2.0", id, error: toJsonRpcError(error) };
}
