/**
 * Messages about the start and stop of the service. On a terminal they are short lines on stdout;
 * elsewhere they are lines of JSON, and only readiness goes to stdout, for scripts to wait for.
 */
import { PRODUCT_VERSION } from "../../about/version.ts";
import type { Config } from "../../config.ts";
import type { Logger } from "../../lib/log.ts";
import { paintOf } from "../../lib/terminal.ts";
import { shownPath, welcome, welcomeFields } from "./welcome.ts";

export interface Telling {
  starting(): void;
  ready(): Promise<void>;
  stopping(reason: string, fields: Readonly<Record<string, unknown>>): void;
  stopped(exitCode: number): void;
}

/** Messages in the configured format; the duration of the start counts from now. */
export function tellingOf(config: Config, log: Logger): Telling {
  return config.logFormat === "json" ? inJson(config, log) : inWords(config);
}

function inJson(config: Config, log: Logger): Telling {
  const seconds = stopwatch();
  return {
    starting: () => log.info("starting", { version: PRODUCT_VERSION, data_dir: config.dataDir }),
    ready: async () => {
      const fields = { ...welcomeFields(config), took_s: seconds() };
      const msg = `Innkeep is ready at ${config.baseUrl}`;
      const line = { time: new Date().toISOString(), level: "info", msg, role: "supervisor" };
      console.log(JSON.stringify({ ...line, pid: process.pid, ...fields }));
    },
    stopping: (reason, fields) => log.info(reason, fields),
    stopped: (exitCode) => log.info("stopped", { exit_code: exitCode }),
  };
}

function inWords(config: Config): Telling {
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
