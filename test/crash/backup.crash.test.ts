/**
 * Goal: a back-up under load is a complete installation with everything acknowledged before it
 * began, and the original is not disturbed. Method: back up while clients write, restore, run the
 * copy, and query it for what the clients were answered.
 */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Service } from "../support/service.ts";
import { journalPathOf, startService } from "./faults.ts";
import { foldJournal } from "./fold.ts";
import { Load } from "./load.ts";
import { seeds } from "./seeds.ts";
import { takeSnapshot, verdict } from "./verdict.ts";

const ROOT = join(import.meta.dir, "..", "..");

let directory: string;
let original: Service;
let restored: Service | null = null;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "innkeep-backup-"));
});
afterEach(async () => {
  await restored?.stop();
  await original.stop();
  rmSync(directory, { recursive: true, force: true });
});

/** Runs a command of the back-ups as npm does; resolves to the JSON that it prints. */
async function command(...args: readonly string[]): Promise<Record<string, unknown>> {
  const child = Bun.spawn([process.execPath, "src/ops/main.ts", ...args], {
    cwd: ROOT,
    env: { ...process.env, DATA_DIR: original.dataDir },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [out, errors] = await Promise.all([child.stdout.text(), child.stderr.text()]);
  expect({ exitCode: await child.exited, errors }).toMatchObject({ exitCode: 0 });
  return JSON.parse(out);
}

test.each(seeds())(
  "a back-up under load contains everything acknowledged before it, seed %d",
  async (seed) => {
    original = await startService();
    const load = await Load.start({ service: original, seed, fastClients: 5, slowClients: 0 });
    await load.more(60);
    const startedMs = performance.now();
    const backup = join(directory, "backup");
    const { journal } = await command("backup", backup);
    await load.more(10);
    const dataDir = join(directory, "restored");
    const told = await command("restore", backup, "--data-dir", dataDir);
    expect(told).toMatchObject({ journal, suspended_agents: 0 });
    expect((told.not_known as string[]).length).toBe(3);

    const promised = load.deeds.filter((deed) => deed.endedMs < startedMs);
    const { start_with } = told as { start_with: Record<string, string> };
    restored = await Service.startOn(dataDir, { ...start_with, API_PROCESSES: "1" });
    const { state, records } = foldJournal(journalPathOf(restored));
    const lost = promised.filter(({ kind, answer, holdId, bookingId }) => {
      if (answer.status !== 201) return false;
      if (kind === "book") return !records.bookings.has(bookingId!);
      return !records.holds.has(holdId!) && !state.holds.has(holdId!);
    });
    expect({ promised: promised.length > 0, lost }).toEqual({ promised: true, lost: [] });
    expect((await restored.api("GET", "/readyz", { agent: null })).status).toBe(200);
    takeSnapshot(journalPathOf(original));
    // The original has lost nothing either, and its books balance.
    expect(await verdict(original, load)).toEqual([]);
  },
);
