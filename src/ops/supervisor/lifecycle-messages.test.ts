import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readConfig } from "../../config.ts";
import { welcome } from "./lifecycle-messages.ts";

let dataDir: string;
const nowMs = Date.parse("2026-11-21T12:00:00Z");

beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), "innkeep-welcome-"));
  const agent = { agent_id: "agt_1", secret: "ik_live_secret" };
  const properties = [
    { id: "1", slug: "scenarios", mode: "test" },
    { id: "2", slug: "grand-hotel", mode: "live" },
  ];
  await Bun.write(
    join(dataDir, "demo.json"),
    JSON.stringify({ tenant_id: "5e0c", agent, properties }),
  );
});

afterEach(() => rmSync(dataDir, { recursive: true }));

test("with demo data the message has a search to paste, for which the shell finds the secret", async () => {
  const text = await welcome(readConfig({ DATA_DIR: dataDir, DEMO: "1" }), nowMs);
  expect(text).toContain("http://localhost:3000\n");
  expect(text).toContain(join(dataDir, "demo.json"));
  expect(text).not.toContain("ik_live_secret");
  const command = text.slice(text.indexOf("curl"), text.indexOf("\n\nCtrl-C"));
  const printed = Bun.spawnSync(["bash", "-c", command.replace("curl", "printf '%s\\n'")]);
  const args = printed.stdout.toString().split("\n");
  expect(args).toContain("http://localhost:3000/v1/search");
  expect(args).toContain("Authorization: Bearer ik_live_secret");
  expect(args).toContain("X-Tenant-Id: 5e0c");
  expect(JSON.parse(args[args.indexOf("-d") + 1] ?? "")).toEqual({
    destination: { type: "property", value: "grand-hotel" },
    stay: { check_in: "2026-12-21", check_out: "2026-12-23" },
    guests: { adults: 2 },
  });
});

test("without demo data the message has the addresses, the first step and how to stop", async () => {
  const text = await welcome(readConfig({ DATA_DIR: dataDir }), nowMs);
  expect(text).toContain("http://localhost:3000/docs\n");
  expect(text).toContain("npm run --silent admin -- tenant create");
  expect(text).toContain("Ctrl-C");
  expect(text).not.toContain("curl");
});

test("for programs the message is one line of JSON on stdout, with the start time", async () => {
  const script = `
    import { readConfig } from "${import.meta.dir}/../../config.ts";
    import { logger } from "${import.meta.dir}/../../lib/log.ts";
    import { lifecycleMessages } from "${import.meta.dir}/lifecycle-messages.ts";
    const config = readConfig(process.env);
    const messages = lifecycleMessages(config, logger("supervisor", config));
    messages.starting();
    await messages.ready();
    messages.stopping("stopping everything", {});
    messages.stopped(0);`;
  const output = async (LOG_FORMAT: string) => {
    const env = { ...process.env, DATA_DIR: dataDir, DEMO: "1", LOG_FORMAT };
    const child = Bun.spawn([process.execPath, "-e", script], { env, stderr: "pipe" });
    return { out: await child.stdout.text(), err: await child.stderr.text() };
  };
  const [json, text] = await Promise.all([output("json"), output("text")]);
  expect(JSON.parse(json.out)).toMatchObject({
    ...{
      level: "info",
      msg: "Innkeep is ready at http://localhost:3000",
      took_s: expect.any(Number),
    },
    ...{ docs_url: "http://localhost:3000/docs", credentials: join(dataDir, "demo.json") },
  });
  const messages = json.err
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line).msg);
  expect(messages).toEqual(["starting", "stopping everything", "stopped"]);
  expect(text.out).toMatch(
    /^Innkeep \S+ is starting on .*\nInnkeep is ready at \S+ \(\d[\d.]* s\)\n/,
  );
  expect(text.out).toMatch(/\nInnkeep has stopped \(\d[\d.]* s\)\n$/);
  expect(text.err).toBe("");
});
