/**
 * Goal: the document is good enough to build clients from in other languages. Method: the generator
 * that most integrators use makes a client of the served document, all of it is compiled, and a
 * program against it books and cancels a room. A language that is not on this machine is skipped.
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { generateClient, lackOfGenerator, run } from "../support/openapi-generator.ts";
import { findPython, forInstalled } from "../support/python.ts";
import { Service, WHOLE_DEMO } from "../support/service.ts";

const PROGRAMS = join(import.meta.dir, "clients");
const python = findPython();
const generatorLacks = await lackOfGenerator();
const lacking = {
  Python: generatorLacks ?? (python ? null : "python3 with pydantic, urllib3 and dateutil"),
  Go: generatorLacks ?? (Bun.which("go") ? null : "go"),
};
for (const [language, what] of Object.entries(lacking)) {
  if (what !== null) console.error(`skipped: a client in ${language}, for want of ${what}`);
}

const folder = mkdtempSync(join(tmpdir(), "innkeep-clients-"));
const document = join(folder, "openapi.json");
let service: Service;

beforeAll(async () => {
  if (lacking.Python !== null && lacking.Go !== null) return;
  // With OAuth a client in Go needs a package; without it needs the standard library alone.
  service = await Service.start({ ...WHOLE_DEMO, OAUTH_ISSUER: "" });
  await Bun.write(document, (await service.api("GET", "/openapi.json", { agent: null })).text);
});
afterAll(async () => {
  await service?.stop();
  rmSync(folder, { recursive: true });
});

/** Runs a program that books, and expects of its words that it did. */
async function expectBooking(command: readonly string[]): Promise<void> {
  const { secret } = service.demo.agent;
  const token = await service.mintDelegation();
  const out = await run([...command, service.baseUrl, secret, token], { cwd: folder });
  const came = JSON.parse(out);
  expect(came).toMatchObject({
    ...{ state: "confirmed", cancelled: "cancelled", first: "hold.created", valid: true },
    ...{ code: "booking_not_found", is_known: true },
  });
  expect(came.paid).toBeGreaterThan(0);
  expect(came.refunded).toBeGreaterThanOrEqual(0);
  expect(came.next).toContain("get");
}

test.skipIf(lacking.Python !== null)(
  "a client in Python books, cancels and is refused",
  async () => {
    const client = join(folder, "python");
    mkdirSync(client);
    await generateClient("python", { document, folder: client });
    await forInstalled(python!, join(client, "innkeep"));
    const program = join(client, "booking-flow.py");
    copyFileSync(join(PROGRAMS, "booking-flow.py"), program);
    await expectBooking([python!.path, program]);
  },
);

test.skipIf(lacking.Go !== null)("a client in Go books, cancels and is refused", async () => {
  const client = join(folder, "go", "innkeep");
  mkdirSync(client, { recursive: true });
  await generateClient("go", { document, folder: client });
  // The client is a package of the program, not a module of its own.
  rmSync(join(client, "go.mod"));
  const agent = join(folder, "go");
  await Bun.write(join(agent, "go.mod"), "module example.com/agent\n\ngo 1.18\n");
  copyFileSync(join(PROGRAMS, "booking-flow.go"), join(agent, "booking-flow.go"));
  // It runs once: quick to compile is worth more than quick.
  await run(["go", "build", "-gcflags=example.com/agent/...=-N -l", "-o", "booking-flow", "."], {
    cwd: agent,
  });
  await expectBooking([join(agent, "booking-flow")]);
});
