/** Every public document, as it is for the first time, for a cache, and for a HEAD. */
import type { World } from "../world.ts";

/** The same bytes in every run of one version. */
const FIXED = [
  ...["/", "/.well-known/ai-plugin.json", "/.well-known/acp.json", "/.well-known/errors"],
  ...["/.well-known/api-catalog", "/.well-known/ai-catalog.json", "/mcp/server-card"],
  ...["/.well-known/mcp/server-card.json", "/capabilities.json", "/llms.txt", "/llms-full.txt"],
  ...["/legal", "/robots.txt", "/logo.svg", "/openapi.json", "/openapi.yaml", "/docs"],
  ...["/docs/errors", "/.well-known/oauth-authorization-server", "/oauth/authorize"],
  ...["/.well-known/openid-configuration", "/.well-known/oauth-protected-resource"],
  "/.well-known/oauth-protected-resource/mcp",
];
/** These name keys, ids and instants. */
const CHANGING = [
  ...["/.well-known/agent-card.json", "/.well-known/agent.json", "/.well-known/jwks.json"],
  ...["/.well-known/delegation-issuers", "/coverage.json", "/healthz", "/readyz"],
];
const ASSETS = ["pages.css", "reference.css", "reference.js"];

/** Reads all of them; `label` tells the phase. */
export async function readDocuments(world: World, label = "documents"): Promise<void> {
  // What it says may be a second old.
  await Bun.sleep(1_200);
  for (const path of FIXED) await readOne(world, label, path, true);
  for (const path of CHANGING) await readOne(world, label, path, false);
  await readVariants(world, label);
}

async function readOne(world: World, label: string, path: string, isFixed: boolean) {
  const keep = path.endsWith("jwks.json") ? { keep: inOrder } : {};
  const ask = { as: null, isFixed, ...keep };
  const first = await world.ask(`${label}: read`, `GET ${path}`, ask);
  await world.ask(`${label}: head`, `HEAD ${path}`, ask);
  await world.ask(`${label}: query`, `GET ${path}?utm_source=x`, ask);
  const etag = first.headers.get("etag");
  if (etag === null) return;
  for (const known of [etag, `W/${etag}`, `"other", ${etag}`, "*", '"other"']) {
    const headers = { "if-none-match": known };
    await world.ask(`${label}: cached`, `GET ${path}`, { ...ask, headers });
  }
}

async function readVariants(world: World, label: string): Promise<void> {
  for (const version of ["1.0", "0.3", "9.9"]) {
    const ask = { as: null, headers: { "a2a-version": version } };
    await world.ask(`${label}: card`, "GET /.well-known/agent-card.json", ask);
  }
  const issuers = "GET /.well-known/delegation-issuers";
  for (const id of [world.operator.tenant_id, world.unknownUuid, "no-uuid", ""]) {
    await world.ask(`${label}: issuers`, `${issuers}?tenant_id=${id}`, { as: null });
  }
  const text = { as: null, headers: { accept: "text/html" } };
  await world.ask(`${label}: as a browser`, "GET /", text);
  await world.ask(`${label}: as a browser`, "GET /v1/properties", text);
}

/** The page of every error, in both forms, and the assets. */
export async function readDocs(world: World): Promise<void> {
  const ask = { as: null, isFixed: true };
  const catalogue = await world.ask("docs: errors", "GET /.well-known/errors", ask);
  const errors = (catalogue.json.errors ?? []) as { readonly code: string }[];
  for (const { code } of errors) {
    await world.ask("docs: error page", `GET /docs/errors/${code}`, ask);
    await world.ask("docs: error page as Markdown", `GET /docs/errors/${code}.md`, ask);
  }
  const page = await world.ask("docs: reference", "GET /docs", ask);
  const named = [...page.text.matchAll(/\/docs\/assets\/([^"?]+)/g)].map(([, name]) => name!);
  for (const name of new Set([...named, ...ASSETS, "unknown.js", "..%2fmain.ts"])) {
    const keep = (text: string) => `${Bun.SHA256.hash(text, "hex")} of ${text.length} characters`;
    const file = await world.ask("docs: asset", `GET /docs/assets/${name}`, { ...ask, keep });
    const headers = { "if-none-match": file.headers.get("etag") ?? '"none"' };
    await world.ask("docs: asset cached", `GET /docs/assets/${name}`, { ...ask, headers, keep });
  }
  for (const code of ["unknown", "unknown.md", ".md", "Conflict", "%00", "a%2Fb"]) {
    await world.ask("docs: unknown error", `GET /docs/errors/${code}`, ask);
  }
}

/** Keys of one moment come in the order of their random ids. */
function inOrder(text: string): string {
  const keys = text.match(/\{[^{}]*\}/g) ?? [];
  const sorted = keys.toSorted((a, b) =>
    /"alg":"\w+"/.exec(a)! < /"alg":"\w+"/.exec(b)! ? -1 : 1,
  );
  let at = 0;
  return text.replace(/\{[^{}]*\}/g, () => sorted[at++]!);
}
