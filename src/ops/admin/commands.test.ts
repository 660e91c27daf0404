/** Goal: a command does what its help says, or is refused by name and changes nothing. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { outputOf } from "../../../test/support/operator-program.ts";
import { agentById, changeAgent, NO_LIMITS } from "../../access/control/agents.ts";
import { type ControlStore, openControlStore } from "../../access/control/store.ts";
import { loadSecrets } from "../../access/privacy/secrets.ts";
import { admin } from "./commands.ts";

let directory: string;
let env: Record<string, string>;
let store: ControlStore;

beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), "innkeep-admin-"));
  env = { DATA_DIR: join(directory, "data") };
  const { credential_pepper } = loadSecrets(env.DATA_DIR!, env);
  store = openControlStore(join(env.DATA_DIR!, "control.db"), credential_pepper);
});
afterAll(() => {
  store.close();
  rmSync(directory, { recursive: true });
});

const run = (...args: string[]) => outputOf(admin, args, env);
const printed = async (...args: string[]) => JSON.parse(await run(...args));

test("a new tenant has an operator with every administration right", async () => {
  const made = await printed("tenant", "create", "--name", "Hotels", "--mode", "test");
  expect(Object.keys(made).sort()).toEqual([
    ...["agent_id", "credential_id", "mode", "secret", "tenant_id"],
  ]);
  expect(made.secret).toStartWith("ik_test_");
  const { tenant_id, agent_id } = made;
  const operator = agentById(store, agent_id);
  expect(operator).toMatchObject({ tenant_id, kind: "operator", mode: "test", state: "active" });
  expect(operator?.scopes).toContain("admin:*");
  // Nobody hands out more than it has, and nobody else in the tenant could hand it out.
  expect(operator).toMatchObject({ limits: NO_LIMITS, property_ids: null });
  const { items } = await printed("tenant", "list");
  expect(items).toEqual([{ tenant_id, name: "Hotels", created_at: expect.any(String) }]);
});

test("the command creates the first operator of a tenant's other mode", async () => {
  const { tenant_id } = await printed("tenant", "create", "--name", "Lodge");
  const made = await printed("operator", "create", "--tenant", tenant_id, "--mode", "test");
  expect(made.secret).toStartWith("ik_test_");
  const operator = { tenant_id, kind: "operator", mode: "test", name: "Operator" } as const;
  expect(agentById(store, made.agent_id)).toMatchObject(operator);
});

test("a further credential gives an agent access again, unless the agent is revoked", async () => {
  const { agent_id } = await printed("tenant", "create", "--name", "Inn", "--operator-name", "Jo");
  expect(agentById(store, agent_id)?.name).toBe("Jo");
  const issued = await printed("credential", "issue", "--agent", agent_id);
  expect(issued).toMatchObject({ agent_id, mode: "live", expires_at: null });
  expect(issued.secret).toStartWith("ik_live_");
  const limited = await printed(
    ...["credential", "issue", "--agent", agent_id, "--expires-in-days", "2"],
  );
  const days = (Date.parse(limited.expires_at) - Date.now()) / 86_400_000;
  expect(Math.round(days)).toBe(2);
  changeAgent(store, agent_id, { state: "revoked" });
  await expect(run("credential", "issue", "--agent", agent_id)).rejects.toThrow("is revoked");
});

test("an invalid command is refused by name and changes nothing", async () => {
  const before = await run("tenant", "list");
  for (const [args, message] of [
    [[], "innkeep admin: Usage: npm run --silent admin -- <command>"],
    [["tenant"], "unknown command: tenant\n\nUsage: "],
    [["tenant", "created"], "unknown command: tenant created\ndid you mean tenant create?\n"],
    [["tenants", "--name", "x"], "unknown command: tenants\n"],
    [["--json", "doctor"], "put the command before its options"],
    [["tenant", "create"], "--name is missing"],
    [["tenant", "create", "--name", ""], "--name must have"],
    [["tenant", "create", "--name", "x", "--mode", "demo"], "--mode must be one of live, test"],
    [["tenant", "create", "--name", "x", "--colour", "red"], "--colour"],
    [["tenant", "create", "--name", "x", "y"], "y"],
    [["tenant", "list", "--name", "x"], "--name"],
    [["operator", "create"], "--tenant is missing"],
    [["operator", "create", "--tenant", "x"], "unknown tenant"],
    [["credential", "issue"], "--agent is missing"],
    [["credential", "issue", "--agent", "agt_x"], "unknown agent"],
    [["credential", "issue", "--agent", "a", "--expires-in-days", "1.5"], "--expires-in-days"],
    [["projections", "rebuild", "--table", "holds"], "--table"],
  ] as const) {
    await expect(run(...args)).rejects.toThrow(message);
  }
  expect(await run("tenant", "list")).toBe(before);
});

test("only a new tenant creates an installation: a mistyped DATA_DIR is refused and stays empty", async () => {
  const DATA_DIR = join(env.DATA_DIR!, "mistyped");
  for (const args of [
    ["tenant", "list"],
    ["oauth", "rotate-key"],
    ["credential", "issue", "--agent", "agt_x"],
  ]) {
    await expect(outputOf(admin, args, { ...env, DATA_DIR })).rejects.toThrow("no installation");
    expect(existsSync(DATA_DIR)).toBeFalse();
  }
});

test("an invalid new tenant creates no installation either", async () => {
  const DATA_DIR = join(env.DATA_DIR!, "undescribed");
  for (const args of [
    [],
    ["--name", "x", "--mode", "demo"],
    ["--name", "x", "--operator-name", ""],
  ]) {
    const creating = outputOf(admin, ["tenant", "create", ...args], { ...env, DATA_DIR });
    await expect(creating).rejects.toThrow("--");
    expect(existsSync(DATA_DIR)).toBeFalse();
  }
});

test("an invalid command line exits with 2, a refused command with 1", async () => {
  const main = join(import.meta.dir, "..", "main.ts");
  const end = (...args: string[]) =>
    Bun.spawnSync([process.execPath, main, "admin", ...args], { env: { ...process.env, ...env } });
  const wrong = end("tenant", "creat");
  expect(wrong.stderr.toString()).toStartWith("innkeep admin: unknown command: tenant creat\n");
  expect(wrong.exitCode).toBe(2);
  const empty = { ...env, DATA_DIR: join(env.DATA_DIR!, "none") };
  const refused = Bun.spawnSync([process.execPath, main, "admin", "tenant", "list"], {
    env: { ...process.env, ...empty },
  });
  expect(refused.exitCode).toBe(1);
});

test("--help lists every command, and after a command its options", async () => {
  const usage = await run("--help");
  for (const args of [["-h"], ["help"], ["tenant", "-h"]]) expect(await run(...args)).toBe(usage);
  const ofTenant = await run("tenant", "create", "--help");
  expect(await run("tenant", "create", "-h")).toBe(ofTenant);
  expect(await run("help", "tenant", "create")).toBe(ofTenant);
  for (const name of ["tenant create", "tenant list", "operator create", "credential issue"]) {
    expect(usage).toContain(`\n  ${name} `);
    expect(await run(...name.split(" "), "--help")).toContain(`-- ${name} [options]`);
  }
  expect(await run("credential", "issue", "--help")).toContain("--agent AGENT_ID");
  expect(await run("projections", "rebuild", "--help")).toContain("--dry-run");
});

test("keys that can be rotated are, and for other keys the reason is given", async () => {
  const { rotated } = await printed("keys", "rotate", "receipts");
  expect(rotated).toEqual([
    { key: "receipts", kid: "receipt-v2", writes_from: expect.stringMatching(/Z$/) },
  ]);
  const leadMs = Date.parse(rotated[0].writes_from) - Date.now();
  expect(leadMs).toBeWithin(290_000, 300_001);
  const all = await printed("keys", "rotate");
  expect(all.rotated.map(({ kid }: { kid: string }) => kid)).toEqual([
    ...["receipt-v3", "encryption-v2", "quote-v2"],
  ]);
  await expect(run("keys", "rotate", "hmac")).rejects.toThrow("a retry would book again");
  await expect(run("keys", "rotate", "pepper")).rejects.toThrow("rotate the credentials instead");
  await expect(run("keys", "rotate", "kettle")).rejects.toThrow(
    "one of receipts, encryption, quotes",
  );
  await expect(run("keys", "rotate", "all", "quotes")).rejects.toThrow("unexpected quotes");
  await expect(run("tenant", "list", "all")).rejects.toThrow("all");
  const given = { ...env, MASTER_KEY: Buffer.alloc(32, 7).toString("base64url") };
  await expect(outputOf(admin, ["keys", "rotate"], given)).rejects.toThrow("MASTER_KEY");
  expect(await run("keys", "rotate", "--help")).toContain("KEY");
  const { successors } = loadSecrets(env.DATA_DIR!, env);
  expect(successors?.receipts).toHaveLength(2);
});
