/** What a page of another origin runs to call the service: plain `fetch`, and the MCP client. */
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";

interface Envelope {
  readonly data?: { readonly results: readonly unknown[] };
  readonly error?: { readonly code: string };
}

/** Sends a search; what the page may read of its answer. */
async function search(url: string, secret: string, body: object) {
  const headers = { authorization: `Bearer ${secret}`, "content-type": "application/json" };
  const response = await fetch(url, { method: "POST", headers, body: JSON.stringify(body) });
  const { data, error } = (await response.json()) as Envelope;
  const trace = response.headers.get("x-trace-id");
  return { status: response.status, hotels: data?.results.length, code: error?.code, trace };
}

/** Connects, lists the tools and calls one. */
async function mcp(url: string, secret: string) {
  const client = new Client({ name: "page", version: "1.0.0" });
  const requestInit = { headers: { authorization: `Bearer ${secret}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit }));
  const { tools } = await client.listTools();
  const { isError } = await client.callTool({ name: "list_properties", arguments: {} });
  await client.close();
  return { tools: tools.map(({ name }) => name), isError: isError ?? false };
}

/** Whatever a page is told of a call that its browser has stopped: next to nothing. */
async function outcome(work: Promise<unknown>): Promise<unknown> {
  return work.catch((error: Error) => ({ failed: error.name }));
}

Object.assign(globalThis, {
  search: (...args: Parameters<typeof search>) => outcome(search(...args)),
  mcp: (...args: Parameters<typeof mcp>) => outcome(mcp(...args)),
});
