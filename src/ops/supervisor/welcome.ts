/** The text shown when everything is ready. */
import { existsSync } from "node:fs";
import { isAbsolute, join, relative } from "node:path";
import type { Config } from "../../config.ts";
import { readDemoFile } from "../demo/demo-file.ts";

const DAY_MS = 86_400_000;

/**
 * The address of the service and, with demo data, the file of credentials and a search command. The
 * text has no secret: the command reads it from the file.
 */
export async function welcome(config: Config, nowMs = Date.now()): Promise<string> {
  const lines = [
    `Innkeep is ready at ${config.baseUrl}`,
    `  reference    ${config.docsUrl}`,
    `  for agents   ${config.baseUrl}/llms.txt, MCP at ${config.baseUrl}/mcp`,
  ];
  const demoPath = join(config.dataDir, "demo.json");
  if (config.demo && existsSync(demoPath)) {
    const { tenant_id, properties } = await readDemoFile(demoPath);
    const shown = shownPath(demoPath);
    const slug = properties.find(({ mode }) => mode === "live")?.slug;
    const search = {
      ...(slug === undefined ? {} : { destination: { type: "property", value: slug } }),
      stay: { check_in: dateIn(30, nowMs), check_out: dateIn(32, nowMs) },
      guests: { adults: 2 },
    };
    lines.push(`  credentials  ${shown}`);
    if (properties.length === 0) lines.push("  supply       none: see the warning above");
    else
      lines.push(
        "\nTry a search:",
        `  curl -s ${config.baseUrl}/v1/search \\`,
        `    -H "Authorization: Bearer $(node -p "require('${shown}').agent.secret")" \\`,
        `    -H 'X-Tenant-Id: ${tenant_id}' -H 'Content-Type: application/json' \\`,
        `    -d '${JSON.stringify(search)}'`,
      );
  } else {
    lines.push("  new tenant   npm run --silent admin -- tenant create --name 'My hotels'");
  }
  return `${[...lines, "\nCtrl-C stops everything."].join("\n")}\n`;
}

/** The same facts for programs. */
export function welcomeFields(config: Config) {
  const demoPath = join(config.dataDir, "demo.json");
  return {
    base_url: config.baseUrl,
    docs_url: config.docsUrl,
    mcp_url: `${config.baseUrl}/mcp`,
    credentials: config.demo && existsSync(demoPath) ? demoPath : null,
  };
}

/** A path for `require`: relative with a leading dot inside the working directory. */
export function shownPath(path: string): string {
  const fromHere = relative(process.cwd(), path);
  return fromHere.startsWith("..") || isAbsolute(fromHere) ? path : `./${fromHere}`;
}

function dateIn(days: number, nowMs: number): string {
  return new Date(nowMs + days * DAY_MS).toISOString().slice(0, 10);
}
