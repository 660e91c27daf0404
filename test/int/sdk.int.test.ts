/**
 * Goal: who installs the package has the SDK, with types, under plain Node. Method: pack it as for
 * the registry, lay it where an installation would, and run the guide's sample against a service.
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Service, WHOLE_DEMO } from "../support/service.ts";

const ROOT = join(import.meta.dir, "..", "..");
const MODULES = join(ROOT, "node_modules");
const SAMPLE = join(ROOT, "test/int/clients/sdk-sample.mjs");
const folder = mkdtempSync(join(tmpdir(), "innkeep-sdk-"));
const PROGRAM = `import { Innkeep, type Quote, type SearchRequest } from "innkeep/sdk";
const innkeep = new Innkeep({ baseUrl: "http://localhost", key: "ik_test_1" });
export async function cheapest(request: SearchRequest): Promise<Quote> {
  const { data } = await innkeep.search(request);
  const [first] = data.results;
  if (!first) throw new Error("nothing is on sale");
  const { hotel_id, best_offer: { room_type_id, rate_plan_id } } = first;
  const { stay, guests } = request;
  const asked = { hotel_id, room_type_id, rate_plan_id, stay, guests };
  const quote = await innkeep.quote(asked);
  const state: "held" = (await innkeep.hold({ quote_id: quote.data.quote_id })).data.state;
  // @ts-expect-error no such meal plan
  await innkeep.search({ stay, guests, constraints: { meal_plan: state } });
  return quote.data;
}
`;
const TSCONFIG = {
  compilerOptions: {
    ...{ target: "es2022", module: "nodenext", lib: ["es2023", "dom"], types: [] },
    ...{ strict: true, noEmit: true, skipLibCheck: false },
  },
  include: ["program.ts"],
};

let service: Service;

/** Runs a program; resolves to its output, fails with what it said. */
async function run(cwd: string, ...command: string[]): Promise<string> {
  const child = Bun.spawn(command, { cwd, stdout: "pipe", stderr: "pipe" });
  const [out, err] = await Promise.all([child.stdout.text(), child.stderr.text()]);
  const exitCode = await child.exited;
  if (exitCode !== 0) throw new Error(`${command.join(" ")} ended with ${exitCode}\n${out}${err}`);
  return out;
}

beforeAll(async () => {
  // Packed from a copy of what is packed by name, so that no build is left in this checkout.
  const source = join(folder, "source");
  const installed = join(folder, "node_modules", "innkeep");
  mkdirSync(join(source, "src"), { recursive: true });
  mkdirSync(installed, { recursive: true });
  copyFileSync(join(ROOT, "package.json"), join(source, "package.json"));
  await run(ROOT, "cp", "-r", "src/sdk", join(source, "src"));
  symlinkSync(MODULES, join(source, "node_modules"));
  const packed = run(source, "npm", "pack", "--offline", "--pack-destination", folder);
  [service] = await Promise.all([Service.start(WHOLE_DEMO), packed]);
  const { version } = await Bun.file(join(ROOT, "package.json")).json();
  const archive = join(folder, `innkeep-${version}.tgz`);
  await run(folder, "tar", "xzf", archive, "-C", installed, "--strip-components=1");
  copyFileSync(SAMPLE, join(folder, "sample.mjs"));
  await Bun.write(join(folder, "program.ts"), PROGRAM);
  await Bun.write(join(folder, "package.json"), '{ "type": "module" }');
  await Bun.write(join(folder, "tsconfig.json"), JSON.stringify(TSCONFIG));
});
afterAll(async () => {
  await service.stop();
  rmSync(folder, { recursive: true });
});

test("the guide's sample books, cancels and is refused, under Node, from the package as packed", async () => {
  const demo = join(service.dataDir, "demo.json");
  const out = await run(folder, "node", "sample.mjs", service.baseUrl, demo);
  const [booked, cancelled, refused] = out.split("\n");
  expect(booked).toMatch(/^booked bkg_\w+, receipt valid$/);
  expect(cancelled).toMatch(/^cancelled, \d+ events$/);
  expect(refused).toStartWith("booking_not_found: ");
});

test("its types are found by a strict compiler, and know the closed sets", async () => {
  await run(folder, "node", join(MODULES, "typescript/bin/tsc"), "--project", ".");
});
