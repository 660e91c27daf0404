/**
 * The real MCP clients behind one small interface: release 2 in both eras of the protocol and
 * release 1, which most hosts still ship. Every tool result that comes back is checked to be the
 * envelope.
 */
import { expect } from "bun:test";
import {
  Client,
  ClientCredentialsProvider,
  StreamableHTTPClientTransport,
} from "@modelcontextprotocol/client";
import { ClientCredentialsProvider as ProviderV1 } from "@modelcontextprotocol/sdk/client/auth-extensions.js";
import { Client as ClientV1 } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as TransportV1 } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { DemoAgent } from "../../src/ops/demo/demo-file.ts";
import type { Refusal, Success } from "./answer.ts";
import type { Service } from "./service.ts";

const INFO = { name: "innkeep-test", version: "1.0.0" };

/** The clients by what they speak. */
export const CLIENTS = ["2025-11-25", "2026-07-28", "2025-11-25 (release 1)"] as const;
export type ClientName = (typeof CLIENTS)[number];

type AnyClient = Client | ClientV1;
type Arguments = Record<string, unknown>;

export interface ConnectOptions {
  readonly agent?: DemoAgent;
  readonly client?: ClientName;
  /** `default` unless said. */
  readonly profile?: string;
  /** Sent with every request. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** Where the service expects MCP clients: its `BASE_URL`, not the address it listens on. */
export function mcpUrl(service: Service, profile?: string): URL {
  const url = new URL(`http://localhost:${new URL(service.baseUrl).port}/mcp`);
  if (profile !== undefined) url.searchParams.set("profile", profile);
  return url;
}

/** An agent's secret as it is, or what a client needs to get a token for it. */
type Access =
  | { readonly requestInit: { readonly headers: Record<string, string> } }
  | { readonly clientId: string; readonly clientSecret: string; readonly expectedIssuer: string };

async function connected(url: URL, name: ClientName, access: Access): Promise<AnyClient> {
  if (name === "2025-11-25 (release 1)") {
    const client = new ClientV1(INFO);
    const options = "requestInit" in access ? access : { authProvider: new ProviderV1(access) };
    await client.connect(new TransportV1(url, options) as never);
    return client;
  }
  const isAuto = name === "2026-07-28";
  const client = new Client(INFO, isAuto ? { versionNegotiation: { mode: "auto" } } : {});
  const options =
    "requestInit" in access ? access : { authProvider: new ClientCredentialsProvider(access) };
  await client.connect(new StreamableHTTPClientTransport(url, options));
  expect(client.getNegotiatedProtocolVersion()).toBe(name);
  return client;
}

export class McpCaller {
  readonly client: AnyClient;

  private constructor(client: AnyClient) {
    this.client = client;
  }

  /** Connects and lists the tools, after which the client holds results against their schemas. */
  static async connect(service: Service, options: ConnectOptions = {}): Promise<McpCaller> {
    const { agent = service.demo.agent, client = "2026-07-28", profile, headers } = options;
    const own = { authorization: `Bearer ${agent.secret}`, ...headers };
    const access = { requestInit: { headers: own } };
    const caller = new McpCaller(await connected(mcpUrl(service, profile), client, access));
    await caller.client.listTools();
    return caller;
  }

  /** Connects with the address, an id and a secret; the client finds out how to get a token. */
  static async discover(
    service: Service,
    { client = "2026-07-28", profile }: Pick<ConnectOptions, "client" | "profile">,
  ): Promise<McpCaller> {
    const { agent_id: clientId, secret: clientSecret } = service.demo.agent;
    const url = mcpUrl(service, profile);
    const access = { clientId, clientSecret, expectedIssuer: url.origin };
    return new McpCaller(await connected(url, client, access));
  }

  async toolNames(): Promise<string[]> {
    return (await this.client.listTools()).tools.map(({ name }) => name);
  }

  /** The envelope of a tool's answer, success or refusal. */
  async send(name: string, args: Arguments, _meta: Arguments = {}): Promise<Arguments> {
    const result = await this.client.callTool({ name, arguments: args, _meta });
    const [content] = result.content as { type: string; text: string }[];
    const envelope = result.structuredContent as Arguments;
    expect(JSON.parse(content!.text)).toEqual(envelope);
    expect(result.isError ?? false).toBe("error" in envelope);
    return envelope;
  }

  /** The success of a tool. Fails on a refusal. */
  async ok<Data = Readonly<Record<string, unknown>>>(
    name: string,
    args: Arguments,
    _meta: Arguments = {},
  ): Promise<Success<Data>> {
    const envelope = await this.send(name, args, _meta);
    if ("error" in envelope) throw new Error(`${name}: ${JSON.stringify(envelope)}`);
    return envelope as unknown as Success<Data>;
  }

  /** The refusal of a tool. Fails unless it has this code. */
  async refused(name: string, args: Arguments, code: string): Promise<Refusal> {
    const { error } = (await this.send(name, args)) as unknown as { error?: Refusal };
    expect({ name, code: error?.code }).toEqual({ name, code });
    return error!;
  }

  /** The pointers of a `validation_failed`, sorted. */
  async faults(name: string, args: Arguments): Promise<string[]> {
    const { detail } = await this.refused(name, args, "validation_failed");
    return detail.field_errors!.map(({ path }) => path).sort();
  }

  close(): Promise<void> {
    return this.client.close();
  }
}
