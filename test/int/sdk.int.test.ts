/**
 * Goal: who installs the SDK has the client alone, with types, under plain Node, for agents and for
 * operators. Method: pack it as a maintainer does, install the file where nothing else is and no
 * registry is reached, and run the guide's samples against a service.
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import { stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Service, WHOLE_DEMO } from "../support/service.ts";

const ROOT = join(import.meta.dir, "..", "..");
const MODULES = join(ROOT, "node_modules");
const CLIENTS = join(ROOT, "test/int/clients");
const BYTES_MAX = 500_000;
const folder = mkdtempSync(join(tmpdir(), "innkeep-sdk-"));
const PROGRAM = `import { Innkeep, type OperationData, type Quote, type SearchRequest } from "@innkeep/sdk";
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
export async function checkIn(id: string): Promise<OperationData<"admin_check_in">> {
  const { data } = await innkeep.call("admin_list_bookings", { query: { state: "confirmed" } });
  const booking = data.items.find(({ booking_id }) => booking_id === id);
  if (!booking) throw new Error("is not confirmed");
  // @ts-expect-error no such state
  await innkeep.call("admin_list_bookings", { query: { state: "held" } });
  // @ts-expect-error no such operation
  await innkeep.call("admin_check_out", { params: { id } });
  // @ts-expect-error it needs the booking
  await innkeep.call("admin_check_in");
  // @ts-expect-error it needs a reason
  await innkeep.call("admin_cancel_booking", { params: { id }, body: {} });
  // @ts-expect-error a table says what kind of text it is
  await innkeep.call("admin_import_ari", { body: "property,from,to" });
  await innkeep.call("list_agents");
  return (await innkeep.call("admin_check_in", { params: { id } }, { idempotencyKey: id })).data;
}
`;
const TSCONFIG = {
  compilerOptions: {
    ...{ target: "es2022", module: "nodenext", lib: ["es2023", "dom"], types: [] },
    ...{ strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true },
    ...{ noEmit: true, skipLibCheck: false },
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

/** Packs a copy, so that no build is left in this checkout; resolves to the archive's path. */
async function packed(): Promise<string> {
  const source = join(folder, "source");
  mkdirSync(join(source, "src"), { recursive: true });
  for (const name of ["CHANGELOG.md", "LICENSE"]) {
    copyFileSync(join(ROOT, name), join(source, name));
  }
  await run(ROOT, "cp", "-r", "src/sdk", join(source, "src"));
  symlinkSync(MODULES, join(source, "node_modules"));
  await run(source, "npm", "pack", "./src/sdk", "--offline", "--pack-destination", folder);
  const archives = readdirSync(folder).filter((name) => name.endsWith(".tgz"));
  expect(archives).toHaveLength(1);
  return join(folder, archives[0]!);
}

const home = join(folder, "home");

async function install(): Promise<void> {
  mkdirSync(home);
  await Bun.write(join(home, "package.json"), '{ "type": "module" }');
  const archive = await packed();
  const options = ["--offline", "--no-audit", "--no-fund", "--cache", join(folder, "cache")];
  await run(home, "npm", "install", ...options, archive);
  for (const name of ["sdk-sample.mjs", "sdk-desk.mjs"]) {
    copyFileSync(join(CLIENTS, name), join(home, name));
  }
  await Bun.write(join(home, "program.ts"), PROGRAM);
  await Bun.write(join(home, "tsconfig.json"), JSON.stringify(TSCONFIG));
}

beforeAll(async () => {
  const [started] = await Promise.all([Service.start(WHOLE_DEMO), install()]);
  service = started;
});
afterAll(async () => {
  await service.stop();
  rmSync(folder, { recursive: true });
});

test("an installation brings this package alone, and less than 500 KB", async () => {
  const modules = join(home, "node_modules");
  expect(readdirSync(modules).filter((name) => !name.startsWith("."))).toEqual(["@innkeep"]);
  expect(readdirSync(join(modules, "@innkeep"))).toEqual(["sdk"]);
  const own = join(modules, "@innkeep", "sdk");
  expect(readdirSync(own).sort()).toEqual([
    "CHANGELOG.md",
    "LICENSE",
    "README.md",
    "dist",
    "package.json",
  ]);
  const files = readdirSync(own, { recursive: true, encoding: "utf8" });
  const sizes = await Promise.all(files.map(async (name) => (await stat(join(own, name))).size));
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(BYTES_MAX);
  expect(files.filter((name) => name.includes(".test."))).toEqual([]);
});

test("the guide's sample books, cancels and is refused, under Node, from the package as installed", async () => {
  const demo = join(service.dataDir, "demo.json");
  const out = await run(home, "node", "sdk-sample.mjs", service.baseUrl, demo);
  const [booked, cancelled, refused] = out.split("\n");
  expect(booked).toMatch(/^booked bkg_\w+, receipt valid$/);
  expect(cancelled).toMatch(/^cancelled, \d+ events$/);
  expect(refused).toStartWith("booking_not_found: ");
});

test("an operator's program finds an agent's booking at the desk and cancels it", async () => {
  const demo = join(service.dataDir, "demo.json");
  const out = await run(home, "node", "sdk-desk.mjs", service.baseUrl, demo);
  expect(out.trim().split("\n")).toEqual([
    "Ada Lovelace arrives, confirmed",
    "cancelled, fee 0",
    "booking.confirmed, booking.cancelled",
    "line 2: property_not_found",
    "conflict",
  ]);
});

test("its types are found by a strict compiler, and know operations and closed sets", async () => {
  await run(home, "node", join(MODULES, "typescript/bin/tsc"), "--project", ".");
});
