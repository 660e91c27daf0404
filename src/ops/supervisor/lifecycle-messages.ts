/**
 * Messages about the start and stop of the service. On a terminal they are short lines on stdout;
 * elsewhere they are lines of JSON, and only readiness goes to stdout, for scripts to wait for.
 */
import { existsSync } from "node:fs";
import { isAbsolute, join, relative } from "node:path";
import { PRODUCT_VERSION } from "../../about/about.ts";
import type { Config } from "../../config.ts";
import type { Logger } from "../../lib/log.ts";
import { paintOf } from "../../lib/terminal.ts";
import { readDemoFile } from "../demo/demo-file.ts";

export interface LifecycleMessages {
  starting(): void;
  ready(): Promise<void>;
  /** On a machine that has only an engine, which leads when no other one does. */
  standingBy(): void;
  stopping(reason: string, fields: Readonly<Record<string, unknown>>): void;
  stopped(exitCode: number): void;
}

const STANDING_BY = "Innkeep stands by: its engine leads when no other machine's does";

/** Messages in the configured format; the duration of the start counts from now. */
export function lifecycleMessages(config: Config, log: Logger): LifecycleMessages {
  return config.logFormat === "json" ? inJson(config, log) : inWords(config);
}

function inJson(config: Config, log: Logger): LifecycleMessages {
  const seconds = stopwatch();
  return {
    starting: () => log.info("starting", { version: PRODUCT_VERSION, data_dir: config.dataDir }),
    ready: async () => {
      const fields = { ...welcomeFields(config), took_s: seconds() };
      const msg = `Innkeep is ready at ${config.baseUrl}`;
      const line = { time: new Date().toISOString(), level: "info", msg, role: "supervisor" };
      console.log(JSON.stringify({ ...line, pid: process.pid, ...fields }));
    },
    standingBy: () => log.info(STANDING_BY, { took_s: seconds() }),
    stopping: (reason, fields) => log.info(reason, fields),
    stopped: (exitCode) => log.info("stopped", { exit_code: exitCode }),
  };
}

function inWords(config: Config): LifecycleMessages {
  const { dim, green } = paintOf(process.stdout, process.env);
  const seconds = stopwatch();
  let stopping = seconds;
  return {
    starting: () =>
      console.log(`Innkeep ${PRODUCT_VERSION} is starting on ${shownPath(config.dataDir)}`),
    ready: async () => {
      const [first, ...rest] = (await welcome(config)).split("\n");
      console.log([`${green(first ?? "")} ${dim(`(${seconds()} s)`)}`, ...rest].join("\n"));
    },
    standingBy: () => console.log(`${green(STANDING_BY)} ${dim(`(${seconds()} s)`)}`),
    stopping: () => {
      stopping = stopwatch();
      console.log("\nInnkeep is stopping; Ctrl-C again kills it.");
    },
    stopped: (exitCode) => {
      if (exitCode === 0) console.log(`Innkeep has stopped ${dim(`(${stopping()} s)`)}`);
    },
  };
}

function stopwatch(): () => number {
  const startedMs = performance.now();
  return () => Math.round((performance.now() - startedMs) / 100) / 10;
}

const DAY_MS = 86_400_000;

/**
 * The address of the service and, with demo data, the file of credentials and a search command. The
 * text has no secret: the command reads it from the file.
 */
export async function welcome(config: Config, nowMs = Date.now()): Promise<string> {
  const lines = [
    `Innkeep is ready at ${config.baseUrl}`,
    `  reference    ${config.docsUrl}`,
    `  for hotels   ${config.baseUrl}/console: npm run console prints a link that signs in`,
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
function welcomeFields(config: Config) {
  const demoPath = join(config.dataDir, "demo.json");
  return {
    base_url: config.baseUrl,
    docs_url: config.docsUrl,
    console_url: `${config.baseUrl}/console`,
    mcp_url: `${config.baseUrl}/mcp`,
    credentials: config.demo && existsSync(demoPath) ? demoPath : null,
  };
}

/** A path for `require`: relative with a leading dot inside the working directory. */
function shownPath(path: string): string {
  const fromHere = relative(process.cwd(), path);
  return fromHere.startsWith("..") || isAbsolute(fromHere) ? path : `./${fromHere}`;
}

function dateIn(days: number, nowMs: number): string {
  return new Date(nowMs + days * DAY_MS).toISOString().slice(0, 10);
}
