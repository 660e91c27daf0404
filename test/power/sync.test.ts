/**
 * Goal: acknowledged data and renamed files survive a power loss, as observed in system calls, not
 * in settings. Method: `deeds.ts` in a separate process.
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Noted, SyncLog, synced, unsafeMoves } from "../support/sync-log.ts";

const DEEDS = join(import.meta.dir, "deeds.ts");

let log: SyncLog;
let folder: string;

beforeAll(async () => {
  log = new SyncLog();
  folder = mkdtempSync(join(tmpdir(), "innkeep-deeds-"));
  const child = Bun.spawn([process.execPath, DEEDS, folder], {
    env: { ...process.env, ...log.env },
    stderr: "pipe",
  });
  const said = await child.stderr.text();
  expect(`${await child.exited} ${said}`).toBe("0 ");
});

afterAll(() => {
  log.close();
  rmSync(folder, { recursive: true });
});

function of(deed: string): Noted[] {
  return log.between(`${deed} begins`, `${deed} is done`);
}

/** What a folder holds, folders too; nothing for a file, or for what is gone again. */
function insideOf(path: string): string[] {
  if (!existsSync(path) || !statSync(path).isDirectory()) return [];
  return readdirSync(path, { recursive: true }).map(String);
}

/** The last part of each path that got a name. */
function named(noted: readonly Noted[]): string[] {
  return noted.filter(({ deed }) => deed === "move").map(({ to }) => to.split("/").at(-1)!);
}

test.each(["CreateProperty", "PromoteProperty", "UpdateAri"])(
  "%s is in the synced log before its reply leaves",
  (type) => {
    const names = synced(of(type)).map((path) => path.split("/").slice(-2).join("/"));
    expect(names).toContain("engine/0.db-wal");
  },
);

test("a change of the control store is in its synced log when it returns", () => {
  expect(synced(of("control")).map((path) => path.split("/").at(-1))).toContain("control.db-wal");
});

test.each([
  ["snapshot", /^0\.snapshot-.+\.db$/],
  ["keys", /^0\.keys-[0-9a-f]{32}-1-\d+\.run$/],
  ["segment", /^1-\d+\.segment$/],
  ["secrets", /^secrets\.json$/],
  ["rotation", /^secrets\.json$/],
  ["installation", /^installation\.json$/],
] as const)("%s: the file is synced before it gets its name, the folder after", (deed, name) => {
  expect(named(of(deed))).toEqual([expect.stringMatching(name)]);
  expect(unsafeMoves(of(deed))).toEqual([]);
});

test("rows leave the database only when their segment and its name are synced", () => {
  const paths = synced(of("leave"));
  const [segment, log] = [/0\.segments\/1-\d+\.segment$/, /engine\/0\.db-wal$/].map((name) =>
    paths.findIndex((path) => name.test(path)),
  ) as [number, number];
  const folders = paths.slice(segment, log).filter((path) => /\/(engine|0\.segments)$/.test(path));
  expect(segment).toBeGreaterThanOrEqual(0);
  expect(folders.map((path) => path.split("/").at(-1))).toEqual(["0.segments", "engine"]);
});

test.each(["backup", "restore"])(
  "%s: everything in it is synced before it gets its name",
  (deed) => {
    const noted = of(deed);
    const name = deed === "backup" ? "backup" : "restored";
    expect(named(noted).at(-1)).toBe(name);
    const inside = insideOf(join(folder, name));
    expect(inside).toContain("engine/0.db");
    expect(inside.filter((path) => path.endsWith(".segment"))).toHaveLength(1);
    expect(unsafeMoves(noted, insideOf)).toEqual([]);
  },
);

test("the check of file moves detects every unsafe order", () => {
  const sync = (path: string): Noted => ({ deed: "sync", path, to: "" });
  const move: Noted = { deed: "move", path: "/d/a.tmp", to: "/d/a" };
  expect(unsafeMoves([sync("/d/a.tmp"), move, sync("/d")])).toEqual([]);
  expect(unsafeMoves([move, sync("/d/a.tmp"), sync("/d")])).toHaveLength(1);
  expect(unsafeMoves([sync("/d/a.tmp"), sync("/d"), move])).toHaveLength(1);
  const inside = (...noted: Noted[]) => unsafeMoves([...noted, move, sync("/d")], () => ["x"]);
  expect(inside(sync("/d/a.tmp/x"), sync("/d/a.tmp"))).toEqual([]);
  expect(inside(sync("/d/a.tmp"))).toHaveLength(1);
  expect(inside(sync("/d/a.tmp"), sync("/d/a.tmp/x"))).toHaveLength(1);
});
