/** Looks at everything around the service, so that a start that is refused surprises nobody. */

import { type Paint, paintOf } from "../base/terminal.ts";
import type { Arguments } from "../cli/arguments.ts";
import { type Environment, readConfig } from "../config.ts";
import type { Command, Printed } from "./command.ts";
import { examine } from "./doctor-checks.ts";
import type { Finding, Status } from "./finding.ts";

async function run(env: Environment, args: Arguments): Promise<Printed> {
  const findings = await examine(readConfig(env));
  const isWell = findings.every(({ status }) => status !== "fail");
  const text = args.isSet("json")
    ? `${JSON.stringify({ ok: isWell, checks: findings }, null, 2)}\n`
    : table(findings, paintOf(process.stdout, env));
  return { text, exitCode: isWell ? 0 : 1 };
}

/** A line each, and below it what to do. */
function table(findings: readonly Finding[], paint: Paint): string {
  const width = Math.max(...findings.map(({ check }) => check.length));
  const colour = { ok: paint.green, warn: paint.yellow, fail: paint.red };
  const lines = findings.flatMap(({ check, status, found, remedy }) => [
    `${colour[status](status.padEnd(4))}  ${check.padEnd(width)}  ${found}`,
    ...(remedy === null ? [] : [`${" ".repeat(width + 8)}→ ${remedy}`]),
  ]);
  const count = (wanted: Status) => findings.filter(({ status }) => status === wanted).length;
  return `${lines.join("\n")}\n\n${count("ok")} ok, ${count("warn")} warn, ${count("fail")} fail\n`;
}

export const doctor: Command = {
  name: "doctor",
  summary: "look at disk, Redis, clock, ports, versions and rights",
  options: { json: { help: "the same as JSON" } },
  note: `Takes the settings of its environment: give it those of the service. Exits with 1 when something
fails that a start or the service needs. Writes and removes one small file in DATA_DIR.
`,
  run,
};
