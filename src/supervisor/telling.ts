/**
 * What whoever started the service is told of its life: that it starts, is ready and has stopped.
 * On a terminal these are short lines on stdout; elsewhere each is a line of JSON, and only that
 * it is ready stands on stdout: the one thing that scripts wait for.
 */
import { PRODUCT_VERSION } from "../about/version.ts";
import type { Logger } from "../base/log.ts";
import { paintOf } from "../base/terminal.ts";
import type { Config } from "../config.ts";
import { shownPath, welcome, welcomeFields } from "./welcome.ts";

export interface Telling {
  starting(): void;
  ready(): Promise<void>;
  stopping(reason: string, fields: Readonly<Record<string, unknown>>): void;
  stopped(exitCode: number): void;
}

/** Tells in the format of the configuration; the start counts from now. */
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
      console.log(`Innkeep ${PRODUCT_VERSION} starts on ${shownPath(config.dataDir)}`),
    ready: async () => {
      const [first, ...rest] = (await welcome(config)).split("\n");
      console.log([`${green(first ?? "")} ${dim(`(${seconds()} s)`)}`, ...rest].join("\n"));
    },
    stopping: () => {
      stopping = stopwatch();
      console.log("\nInnkeep ends what is under way; Ctrl-C again kills it.");
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
