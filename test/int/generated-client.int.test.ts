/**
 * Goal: the document is good enough to build a client from. Method: an independent generator makes
 * types of the served document, the strict compiler checks a program against them, and the program
 * books and cancels a room.
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { copyFileSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { TSC } from "../stages.ts";
import { Service, WHOLE_DEMO } from "../support/service.ts";

const ROOT = join(import.meta.dir, "..", "..");
const MODULES = join(ROOT, "node_modules");
const folder = mkdtempSync(join(tmpdir(), "innkeep-client-"));
const TSCONFIG = {
  compilerOptions: {
    ...{ target: "esnext", module: "preserve", moduleResolution: "bundler", types: ["bun"] },
    ...{ strict: true, noUncheckedIndexedAccess: true, noEmit: true, skipLibCheck: true },
    ...{ allowImportingTsExtensions: true },
  },
  include: ["booking-flow.ts", "api.d.ts"],
};

let service: Service;

beforeAll(async () => {
  service = await Service.start(WHOLE_DEMO);
  symlinkSync(MODULES, join(folder, "node_modules"));
  copyFileSync(join(ROOT, "test/int/clients/booking-flow.ts"), join(folder, "booking-flow.ts"));
  await Bun.write(join(folder, "tsconfig.json"), JSON.stringify(TSCONFIG));
  const document = await service.api("GET", "/openapi.json", { agent: null });
  await Bun.write(join(folder, "openapi.json"), document.text);
});
afterAll(async () => {
  await service.stop();
  rmSync(folder, { recursive: true });
});

/** Runs a program in the folder; resolves to its output, fails with what it said. */
async function run(...command: string[]): Promise<string> {
  const child = Bun.spawn(command, { cwd: folder, stdout: "pipe", stderr: "pipe" });
  const [out, err] = await Promise.all([child.stdout.text(), child.stderr.text()]);
  const exitCode = await child.exited;
  if (exitCode !== 0) throw new Error(`${command.join(" ")} ended with ${exitCode}\n${out}${err}`);
  return out;
}

test("types made of the document compile under the strict compiler with a whole booking", async () => {
  const generator = join(MODULES, "openapi-typescript/bin/cli.js");
  await run("node", generator, "openapi.json", "--output", "api.d.ts");
  await run("node", join(ROOT, TSC), "--project", ".");
});

test("the program books, cancels and proves it", async () => {
  const token = await service.mintDelegation();
  const { secret } = service.demo.agent;
  const out = await run(process.execPath, "booking-flow.ts", service.baseUrl, secret, token);
  const came = JSON.parse(out);
  expect(came).toMatchObject({
    ...{ state: "confirmed", cancelled: "cancelled", valid: true },
    code: "booking_not_found",
  });
  expect(came.paid).toBeGreaterThan(0);
  expect(came.refunded).toBeGreaterThanOrEqual(0);
});
