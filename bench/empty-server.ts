/**
 * A server that does nothing, to find what the load generator itself can do: it answers every
 * request with the same small body, prints `{"port":…}` and ends when its stdin closes.
 */
const BODY = JSON.stringify({ data: { state: "held" }, trace_id: "0", next_actions: [] });
const HEADERS = { "content-type": "application/json" };

const server = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  fetch: () => new Response(BODY, { status: 201, headers: HEADERS }),
});
process.stdin.on("end", () => process.exit(0)).resume();
console.log(JSON.stringify({ port: server.port }));
