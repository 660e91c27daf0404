/** Checks everything that a start and the service need. */

import { readConfig } from "../../config.ts";
import { type ExitCode, flag } from "../../lib/command-line.ts";
import { type Paint, paintOf } from "../../lib/terminal.ts";
import { command, type Session } from "../cli/command.ts";
import { asJson } from "../cli/terminal.ts";
import { examine } from "./doctor-checks.ts";
import type { Finding, Status } from "./finding.ts";

async function run(
  { env, terminal }: Session,
  { json }: { readonly json: boolean },
): Promise<ExitCode> {
  const findings = await examine(readConfig(env));
  const isWell = findings.every(({ status }) => status !== "fail");
  const text = json
    ? asJson({ ok: isWell, checks: findings })
    : table(findings, paintOf(process.stdout, env));
  terminal.out(text);
  return isWell ? 0 : 1;
}

/** One line per finding, with its remedy below. */
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

export const doctor = command({
  name: "doctor",
  summary: "check disk, Redis, clock, ports, versions and permissions",
  options: { json: flag("print JSON") },
  note: `Reads its settings from the environment: use the environment of the service. Writes and removes
one small file in DATA_DIR.

Exit codes: 0 no check failed, 1 a check failed.
`,
  run,
});
