/** The same call by route, by tool and by skill: whoever asks, whichever way, is told the same. */
import { Answer, asRest, type Success } from "./answer.ts";
import { McpCaller } from "./mcp-client.ts";
import { asPublished } from "./published.ts";
import type { Service } from "./service.ts";

/** Calls a tool, or what it is made of, with a body; fails on a refusal. */
export interface Way {
  readonly name: string;
  ask<Data>(tool: string, body: unknown): Promise<Success<Data>>;
}

/** REST, MCP and A2A of the demo's agent; tools are called by the name of a `POST` route. */
export async function threeWays(
  service: Service,
  paths: Readonly<Record<string, string>>,
): Promise<{ readonly ways: readonly Way[]; close(): Promise<void> }> {
  const caller = await McpCaller.connect(service);
  const rest: Way = {
    name: "REST",
    async ask<Data>(tool: string, body: unknown) {
      const answer = asPublished(tool, await service.api("POST", paths[tool]!, { body }));
      return answer.ok<Data>(answer.status === 201 ? 201 : 200);
    },
  };
  const mcp: Way = {
    name: "MCP",
    ask: async (tool, body) => asRest(await caller.ok(tool, body as Record<string, unknown>)),
  };
  const a2a: Way = {
    name: "A2A",
    async ask<Data>(skill: string, input: unknown) {
      const message = { messageId: crypto.randomUUID(), parts: [{ data: { skill, input } }] };
      const request = { jsonrpc: "2.0", id: 1, method: "SendMessage", params: { message } };
      const headers = { "a2a-version": "1.0" };
      const sent = await service.api("POST", "/a2a", { body: request, headers });
      const { result } = sent.json as { result: { message: { parts: { data: object }[] } } };
      const text = JSON.stringify(asRest(result.message.parts[0]!.data));
      return new Answer(skill, 200, new Headers(), text).ok<Data>();
    },
  };
  return { ways: [rest, mcp, a2a], close: () => caller.close() };
}
