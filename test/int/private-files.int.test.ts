/**
 * Goal: nobody else on the machine can read what lasts. Method: look at every file that a running
 * service has made, SQLite's and Redis's own included; open everything up as an earlier version or
 * a careless copy would have left it, start again, and look again.
 */
import { expect, test } from "bun:test";
import { chmodSync, existsSync, lstatSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createHotel, newHold, stayRequest } from "../support/client.ts";
import { until } from "../support/service.ts";
import { serviceOfFile } from "../support/service-of-file.ts";

const service = await serviceOfFile();

function filesOf(directory: string): string[] {
  const names = readdirSync(directory, { recursive: true }).map(String);
  return [directory, ...names.map((name) => join(directory, name))];
}

/** Paths in which group or others have any right. */
function openPaths(directory: string): string[] {
  return filesOf(directory).filter((path) => {
    const stat = lstatSync(path, { throwIfNoEntry: false });
    return stat !== undefined && (stat.mode & 0o077) !== 0;
  });
}

async function useIt(): Promise<void> {
  expect((await service.api("GET", "/v1/holds/hld_x")).status).toBe(404);
  const hotel = await createHotel(service);
  await newHold(service, stayRequest(hotel));
}

test("files are private from their making, with those that SQLite and Redis make", async () => {
  await useIt();
  const names = [
    ...["control.db", "control.db-wal", "control.db-shm", "secrets.json", "lock.db"],
    ...["engine/0.db", "engine/0.db-wal", "engine/0.db-shm", "engine/0.head"],
    ...[
      "sandbox-provider.db",
      ...["advisor.db", "advisor.db-wal", "console.db", "console.db-wal"],
      ...["checkout.db", "checkout.db-wal", "oauth.db", "oauth.db-wal"],
      ...["guest.db", "guest.db-wal"],
      "mail.db",
      "mail.db-wal",
      "deliveries.db",
      "deliveries.db-wal",
      "feeds.db",
      "feeds.db-wal",
      "kpi.db",
      "kpi.db-wal",
      "traffic.db",
      "requests/1.jsonl",
      "feeds",
      "redis/appendonlydir",
    ],
  ];
  await until("the request log is written", () =>
    existsSync(join(service.dataDir, "requests/1.jsonl")),
  );
  for (const name of names) expect([name, existsSync(join(service.dataDir, name))]).toContain(true);
  expect(openPaths(service.dataDir)).toEqual([]);
});

test("an existing directory that was open to others is shut by the next start, which says so", async () => {
  await service.end("SIGTERM");
  for (const path of filesOf(service.dataDir)) {
    const stat = lstatSync(path);
    if (stat.isDirectory()) chmodSync(path, 0o755);
    else if (stat.isFile() && !path.endsWith("secrets.json")) chmodSync(path, 0o644);
  }
  await service.restart();
  await useIt();
  expect(openPaths(service.dataDir)).toEqual([]);
  expect(service.log).toContain("removed group and world permissions");
});

test("a directory that is open to others and holds other things is refused by name", async () => {
  const directory = mkdtempSync(join(tmpdir(), "innkeep-home-"));
  await Bun.write(join(directory, "letter.txt"), "x");
  chmodSync(directory, 0o755);
  const { message, exitCode } = await service.startSecond({ DATA_DIR: directory, PORT: "0" });
  expect(message).toContain(`${directory} is open to others and contains other files`);
  expect(exitCode).toBe(78);
  expect(readdirSync(directory)).toEqual(["letter.txt"]);
  rmSync(directory, { recursive: true });
});
