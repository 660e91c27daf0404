/**
 * Goal: every code that a call can be refused with is produced by `npm run scenarios`, and its way
 * out leads on, as the guide says. Method: the whole command, once, as it is run.
 */
import { expect, test } from "bun:test";
import { join } from "node:path";
import { guide } from "../../src/publish/docs/guides.ts";
import { tableOf } from "../scenarios/report.ts";
import { type Failed, type Played, playAll, playOne, REACHABLE } from "../scenarios/scenarios.ts";
import { createHotel } from "../support/client.ts";
import { watch } from "../support/literal.ts";
import { holding, quoteId, type Send } from "../support/scenes.ts";
import { Service } from "../support/service.ts";

const PROGRAM = join(import.meta.dir, "..", "scenarios", "run.ts");
const COMMANDS = join(import.meta.dir, "..", "..", "scripts", "run.mjs");

async function runFile(file: string, ...args: readonly string[]) {
  const child = Bun.spawn([process.execPath, file, ...args], { stdout: "pipe", stderr: "pipe" });
  const [stdout, stderr] = await Promise.all([child.stdout.text(), child.stderr.text()]);
  return { exitCode: await child.exited, stdout, stderr };
}

const run = (...args: readonly string[]) => runFile(PROGRAM, ...args);

test("all 47 codes are produced, each leads on, and the guide has the table", async () => {
  const { exitCode, stdout, stderr } = await run("--json");
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "47 of 47 codes\n" });
  const { played, failed } = JSON.parse(stdout) as { played: Played[]; failed: Failed[] };
  expect(failed).toEqual([]);
  expect(REACHABLE).toHaveLength(47);
  expect(played.map(({ code }) => code)).toEqual([...REACHABLE]);
  for (const { recovery } of played) expect(recovery.at(-1)!.status).toBeWithin(200, 300);
  expect((await guide("simulating-errors")).markdown).toContain(tableOf(played));
});

test("a code that no scene produces is a failure, before anything is started", async () => {
  const failed: (Played | Failed)[] = [];
  await playAll(["internal_error"], (one) => failed.push(one));
  expect(failed).toEqual([{ code: "internal_error", problem: "no scene produces it" }]);
});

test("a scene without its refusal, and a way out that is refused, are failures", async () => {
  const service = await Service.start({ API_PROCESSES: "1" });
  try {
    const hotel = await createHotel(service);
    const { last } = watch(service);
    const unknown = holding(service, "qt_x");
    const known = holding(service, await quoteId(service, hotel));
    const problemOf = async (refused: Send, after: Send) => {
      const setting = async () => ({ refused, after });
      const scenario = { code: "quote_not_found", name: "any", setting, isBrief: false } as const;
      const played = await playOne(service, hotel, scenario, last);
      return "problem" in played ? played.problem : null;
    };
    expect(await problemOf(known, known)).toContain("wanted a refusal, got 201");
    expect(await problemOf(unknown, unknown)).toContain("again POST /v1/holds: 404");
    expect(await problemOf(unknown, known)).toBeNull();
  } finally {
    await service.stop();
  }
});

test("an unknown code or option is refused by name, and the help names every option", async () => {
  const unknown = await run("--code", "hold_expird");
  expect(unknown).toMatchObject({ exitCode: 2, stdout: "" });
  expect(unknown.stderr).toContain("hold_expird: did you mean hold_expired?");
  expect((await run("--all")).exitCode).toBe(2);
  const { stdout } = await runFile(COMMANDS, "scenarios", "--help");
  for (const option of ["--code", "--json", "--table"]) expect(stdout).toContain(`\n  ${option} `);
});
