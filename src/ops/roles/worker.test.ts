/** The worker role on a real engine: the same wiring that `main.ts worker` runs. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { randomBytes } from "node:crypto";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  createProperty,
  frozenQuote,
  placeHold,
  promoteProperty,
  propertyTree,
} from "../../../test/support/builders.ts";
import { EngineRig } from "../../../test/support/engine-rig.ts";
import { RIG_LANES } from "../../../test/support/lone-engine.ts";
import { readConfig } from "../../config.ts";
import { STOP_BUDGETS_MS } from "../../lib/lifecycle.ts";
import { endWithin } from "../../lib/service.ts";
import { open } from "./worker.ts";

let rig: EngineRig;
beforeAll(async () => {
  rig = await EngineRig.start();
});
afterAll(() => rig.stop());

function configWith(env: Readonly<Record<string, string>>) {
  const { dataDir } = rig.lone;
  const base = { DATA_DIR: dataDir, LANES: String(RIG_LANES), LOG_LEVEL: "error" };
  const quiet = { METRICS_PORT: "0" };
  return readConfig({ ...base, ...quiet, ...env });
}

test("the worker takes payments of the data directory's engine and stops within its time", async () => {
  const worker = await open(configWith({}), rig.lone.secrets);
  await worker.start();
  const tree = propertyTree();
  await rig.submit(createProperty(tree));
  await rig.submit(promoteProperty(tree));
  const created_at = rig.lone.now();
  const stay = { check_in: "2030-03-01", check_out: "2030-03-02" };
  const held = await rig.hold(placeHold(frozenQuote(tree, { created_at, stay })));
  const { outcome } = await rig.submit(rig.booking(held, "tok_visa"));
  expect(outcome).toMatchObject({ ok: true, kind: "booking" });
  expect(await endWithin(worker, STOP_BUDGETS_MS.worker)).toBe(true);
});

test("with a provider that this version lacks, the worker starts and takes no payments", async () => {
  const worker = await open(configWith({ PAYMENT_PROVIDER: "stripe" }), rig.lone.secrets);
  await worker.start();
  expect(await endWithin(worker, STOP_BUDGETS_MS.worker)).toBe(true);
});

test("damaged data of the provider refuses the start by name", async () => {
  const ledger = join(rig.lone.dataDir, "sandbox-provider.db");
  for (const suffix of ["", "-wal", "-shm"]) rmSync(ledger + suffix, { force: true });
  writeFileSync(ledger, randomBytes(8_192));
  await expect(open(configWith({}), rig.lone.secrets)).rejects.toThrow(`${ledger} is damaged`);
});
