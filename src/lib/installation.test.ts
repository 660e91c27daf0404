/** Goal: each directory has one id, also after it is renamed or copied. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  claimInstallation,
  idOfInstallation,
  installationOf,
  isHome,
  isSharedInstallation,
  joinInstallation,
  setHome,
} from "./installation.ts";
import { StartRefused } from "./lifecycle.ts";

let parent: string;
let dataDir: string;
beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), "innkeep-installation-"));
  dataDir = join(parent, "data");
  mkdirSync(dataDir);
});
afterEach(() => rmSync(parent, { recursive: true, force: true }));

test("a directory keeps its id, also when renamed", () => {
  const { installationId, origin } = claimInstallation(dataDir);
  expect(origin).toBe("new");
  expect(installationId).toMatch(/^[0-9a-f]{32}$/);
  expect(claimInstallation(dataDir)).toEqual({ installationId, origin: "known" });
  const renamed = join(parent, "renamed");
  renameSync(dataDir, renamed);
  expect(claimInstallation(renamed)).toEqual({ installationId, origin: "known" });
  expect(installationOf(renamed)).toBe(installationId);
  expect(statSync(join(renamed, "installation.json")).mode & 0o777).toBe(0o600);
});

test.each(["-a", "-r"])("cp %s makes another installation", async (option) => {
  const { installationId } = claimInstallation(dataDir);
  const copy = join(parent, "copy");
  expect(await Bun.spawn(["cp", option, dataDir, copy]).exited).toBe(0);
  expect(() => installationOf(copy)).toThrow("is a copy whose engine has not run yet");
  const claimed = claimInstallation(copy);
  expect(claimed.origin).toBe("copy");
  expect(claimed.installationId).not.toBe(installationId);
  expect(installationOf(copy)).toBe(claimed.installationId);
  expect(installationOf(dataDir)).toBe(installationId);
});

test("a partial note counts as none, and a reader without a note refuses by name", () => {
  expect(() => installationOf(dataDir)).toThrow(StartRefused);
  writeFileSync(join(dataDir, "installation.json"), '{"installation_id": "0123');
  expect(() => installationOf(dataDir)).toThrow("has no installation.json");
  expect(claimInstallation(dataDir).origin).toBe("new");
});

test("a machine of several keeps its id, and a copy of its directory is another machine", async () => {
  const id = "0".repeat(32);
  expect(isHome(dataDir)).toBeTrue();
  const machine = joinInstallation(dataDir, id);
  expect(joinInstallation(dataDir, id)).toBe(machine);
  expect(isSharedInstallation(dataDir)).toBeTrue();
  const copy = join(parent, "copy");
  expect(await Bun.spawn(["cp", "-a", dataDir, copy]).exited).toBe(0);
  expect(joinInstallation(copy, id)).not.toBe(machine);
  expect(idOfInstallation(copy)).toBe(id);
});

test("one of several machines is the home only while that is noted", () => {
  joinInstallation(dataDir, "0".repeat(32));
  mkdirSync(join(dataDir, "engine"));
  expect(isHome(dataDir)).toBeFalse();
  setHome(dataDir, true);
  expect(isHome(dataDir)).toBeTrue();
  setHome(dataDir, false);
  setHome(dataDir, false);
  expect(isHome(dataDir)).toBeFalse();
});
