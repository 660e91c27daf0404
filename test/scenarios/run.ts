/**
 * `npm run scenarios`: produces every reachable code over HTTP, on a service of its own, and
 * follows the way out of each. Exits with 1 when one cannot be produced, or leads nowhere.
 */
import { parseArgs } from "node:util";
import type { RefusalCode } from "../../engine/core/refusals.ts";
import { suggestSimilar } from "../../src/lib/suggest-similar.ts";
import { tableOf, textOf } from "./report.ts";
import { type Failed, type Played, playAll, REACHABLE } from "./scenarios.ts";

const OPTIONS = {
  code: { type: "string", multiple: true },
  json: { type: "boolean" },
  table: { type: "boolean" },
} as const;

/** @throws Error for an unknown option or code. */
function readOptions(args: readonly string[]) {
  const { values } = parseArgs({ args: [...args], options: OPTIONS });
  for (const code of values.code ?? []) {
    if (REACHABLE.some((known) => known === code)) continue;
    const near = suggestSimilar(code, REACHABLE, 3);
    throw new Error(`no call is refused with ${code}${near ? `: did you mean ${near}?` : ""}`);
  }
  const codes = (values.code ?? REACHABLE) as readonly RefusalCode[];
  return { ...values, codes };
}

async function main(args: readonly string[]): Promise<number> {
  let options: ReturnType<typeof readOptions>;
  try {
    options = readOptions(args);
  } catch (error) {
    console.error(`${(error as Error).message}\nHelp: npm run scenarios -- --help`);
    return 2;
  }
  const played: Played[] = [];
  const failed: Failed[] = [];
  const isText = !options.json && !options.table;
  await playAll(options.codes, (one) => {
    if ("problem" in one) {
      failed.push(one);
      console.error(`${one.code}: FAILED: ${one.problem}`);
      return;
    }
    played.push(one);
    if (isText) console.log(textOf(one));
  });
  const inOrder = played.toSorted((a, b) => REACHABLE.indexOf(a.code) - REACHABLE.indexOf(b.code));
  if (options.json) console.log(JSON.stringify({ played: inOrder, failed }, null, 2));
  if (options.table) process.stdout.write(tableOf(inOrder));
  const names = failed.map(({ code }) => code).join(", ");
  console.error(
    `${played.length} of ${options.codes.length} codes${names && `; failed: ${names}`}`,
  );
  return failed.length === 0 ? 0 : 1;
}

process.exitCode = await main(process.argv.slice(2));
