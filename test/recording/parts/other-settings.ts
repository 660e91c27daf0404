/** What other settings bring about: expiries, https, no OAuth, no payments, unreachable keys. */
import type { World } from "../world.ts";
import { readDocuments } from "./documents.ts";

/** Quotes and holds live two seconds, and the public address is an https one. */
export async function liveShortly(world: World): Promise<void> {
  const settings = { HOLD_TTL_S: "2", QUOTE_TTL_S: "2", BASE_URL: "https://innkeep.test" };
  await world.session.tree.start(settings);
  await readDocuments(world, "documents over https");
  const quote = await world.ask("expiry", "POST /v1/quotes", { body: world.quoteBody(3) });
  const held = await world.hold("expiry", world.quoteBody(4));
  const path = `/v1/holds/${held.hold_id}`;
  const shown = await world.ask("expiry: shown", `GET ${path}`);
  const endsAt = Date.parse(shown.data.expires_at ?? "") || Date.now() + 2_000;
  await Bun.sleep(Math.max(0, endsAt - Date.now()) + 1_500);
  const { quote_id } = quote.data;
  const ask = { headers: world.session.keyed(), body: { quote_id } };
  for (let i = 0; i < 2; i += 1) await world.ask("expiry: quote", "POST /v1/holds", ask);
  await world.ask("expiry: show", `GET ${path}`);
  await world.ask("expiry: extend", `POST ${path}/extend`);
  await world.ask("expiry: release", `POST ${path}/release`);
  await world.book("expiry: book", held);
  const again = { headers: world.session.keyed(), body: { quote_id: held.quote_id } };
  await world.ask("expiry: held before", "POST /v1/holds", again);
  await askOverHttps(world);
}

async function askOverHttps(world: World): Promise<void> {
  const calls = [
    "GET /v1/properties",
    "GET /unknown",
    "DELETE /v1/holds",
    "OPTIONS /",
    "GET /docs",
  ];
  for (const call of calls) {
    await world.ask("https", call);
    await world.ask("https: nobody", call, { as: null });
  }
  const body = { jsonrpc: "2.0", id: 1, method: "tools/list" };
  for (const origin of ["https://innkeep.test", "http://localhost:3000", "https://page.example"]) {
    const headers = { origin, accept: "application/json, text/event-stream" };
    await world.ask("https: mcp", "POST /mcp", { headers, body });
  }
  const host = { host: "page.example", accept: "application/json, text/event-stream" };
  await world.ask("https: mcp", "POST /mcp", { headers: host, body });
}

/** OAuth is off, payments are another provider's, and key sets may be of this machine. */
export async function liveWithout(world: World): Promise<void> {
  const settings = { OAUTH_ISSUER: "", PAYMENT_PROVIDER: "stripe", WEBHOOKS_ALLOW_PRIVATE: "1" };
  await world.session.tree.startUnready(settings);
  await readDocuments(world, "documents without OAuth");
  for (const path of ["token", "revoke", "introspect"]) {
    await world.ask("no OAuth", `POST /oauth/${path}`, { as: null, body: {} });
  }
  await world.ask("no OAuth", "GET /v1/properties", { as: null });
  const token = { agent_id: "", secret: await world.tokens.sign() };
  await world.ask("no OAuth", "GET /v1/properties", { as: token });
  const held = await world.hold("no payments", world.quoteBody(3));
  await world.book("no payments", held);
  const id = "/v1/admin/properties/5eed0000-0000-4000-8000-000000000200";
  await world.admin("no payments", `POST ${id}/promote`, { body: { dry_run: true } });
  await askUnreachable(world);
}

async function askUnreachable(world: World): Promise<void> {
  const iss = "https://unreachable.example";
  const path = "/v1/admin/delegation-issuers";
  const body = { iss, name: "Unreachable", jwks_url: "https://127.0.0.1:1/jwks" };
  const made = await world.admin("unreachable", `POST ${path}`, { body });
  const token = await world.tokens.sign({ iss });
  const held = await world.hold("unreachable", world.quoteBody(3));
  const headers = { ...world.session.keyed(), "x-delegated-user": token };
  for (let i = 0; i < 2; i += 1) {
    const ask = { headers, body: world.bookingBody(held) };
    await world.ask("unreachable", "POST /v1/bookings", ask);
  }
  const test = `POST ${path}/${made.data.issuer_id}/test`;
  await world.admin("unreachable", test, { body: { token } });
}
