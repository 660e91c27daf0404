/** Runs the npm commands, after a set-up of missing packages. */
import { spawn } from "node:child_process";
import { constants } from "node:os";
import { join } from "node:path";
import { HELP, USAGE } from "./help.mjs";
import {
  BIN_DIRECTORY,
  ensureBun,
  ensureCompiler,
  ensurePackages,
  ensureRedis,
  ensureTestTools,
  ROOT,
  SetupError,
} from "./setup.mjs";

/**
 * @typedef {object} Command
 * @property {boolean} needsRedis
 * @property {true} [isTest]
 * @property {string[]} [bun]
 * @property {string[][]} [tools]
 * @type {Record<string, Command>}
 */
const COMMANDS = {
  start: { needsRedis: !process.env.REDIS_URL, bun: ["src/main.ts", "all"] },
  test: { needsRedis: true, isTest: true, bun: ["test/run.ts"] },
  bench: { needsRedis: true, bun: ["bench/run.ts"] },
  scenarios: { needsRedis: true, bun: ["test/scenarios/run.ts"] },
  drills: { needsRedis: true, bun: ["test/drills/run.ts"] },
  check: {
    needsRedis: false,
    tools: [
      ["biome", "check", "."],
      ["../typescript-native/bin/tsc", "--noEmit", "-p", "."],
    ],
  },
  backup: operatorProgram("backup"),
  restore: operatorProgram("restore"),
  admin: operatorProgram("admin"),
  events: operatorProgram("events"),
  "dead-letters": operatorProgram("dead-letters"),
  ledger: operatorProgram("ledger"),
  console: operatorProgram("console"),
  feeds: operatorProgram("feeds"),
  webhooks: operatorProgram("webhooks"),
  requests: operatorProgram("admin", "requests"),
  "mint-delegation": operatorProgram("mint-delegation"),
};

function operatorProgram(...words) {
  return { needsRedis: false, bun: ["src/ops/main.ts", ...words] };
}

/** Runs a program with our streams, forwards signals, and resolves to its exit code. */
function execute(program, args, env = process.env) {
  return new Promise((resolve, reject) => {
    // Before the spawn: a signal may arrive right after it.
    const forward = (signal) => child.kill(signal);
    const signals = ["SIGINT", "SIGTERM", "SIGHUP"];
    for (const signal of signals) process.on(signal, forward);
    const child = spawn(program, args, { cwd: ROOT, env, stdio: "inherit" });
    const watch = watchNpm(() => forward("SIGTERM"));
    child.on("error", reject);
    child.on("exit", (code, signal) => {
      clearInterval(watch);
      for (const name of signals) process.off(name, forward);
      resolve(code ?? 128 + constants.signals[signal]);
    });
  });
}

const WATCH_MS = 250;
/** Read first: later it may be the process that adopts orphans. */
const PARENT = process.ppid;

/**
 * Calls `onGone` when the npm that started us has ended. Its shell may not forward SIGTERM, and
 * SIGKILL cannot be forwarded; without this the service would keep running.
 */
function watchNpm(onGone) {
  if (process.env.npm_lifecycle_event === undefined) return undefined;
  const watch = setInterval(() => {
    if (process.ppid === PARENT) return;
    clearInterval(watch);
    onGone();
  }, WATCH_MS);
  return watch;
}

async function main([name, ...args]) {
  // `npm run help backup` is `npm run backup -- --help`.
  if (/^(help|--help|-h)$/.test(name) && Object.hasOwn(COMMANDS, args[0] ?? "")) {
    return await main([args[0], "--help"]);
  }
  const isHelp = args.includes("--help") || args.includes("-h");
  const help = /^(help|--help|-h)$/.test(name) ? USAGE : isHelp ? HELP.get(name) : undefined;
  if (help !== undefined) {
    process.stdout.write(help);
    return 0;
  }
  const command = Object.hasOwn(COMMANDS, name ?? "") ? COMMANDS[name] : undefined;
  if (command === undefined) {
    process.stderr.write(USAGE);
    return 2;
  }
  ensurePackages();
  const bun = ensureBun();
  if (command.needsRedis) ensureRedis();
  if (command.isTest) {
    ensureCompiler();
    ensureTestTools();
  }
  // The demo is on by default for new users; `DEMO=0 npm start` starts an empty service.
  const env = name === "start" ? { DEMO: "1", ...process.env } : process.env;
  if (command.bun) return await execute(bun, [...command.bun, ...args], env);
  let worst = 0;
  for (const [tool, ...toolArgs] of command.tools) {
    worst = Math.max(worst, await execute(join(BIN_DIRECTORY, tool), [...toolArgs, ...args]));
  }
  return worst;
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof SetupError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
