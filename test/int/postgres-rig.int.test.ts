/**
 * Goal: drills on PostgreSQL prove something, because the rig of `test/support/postgres.ts` does
 * what it says. Method: real clusters whose rows are looked at after each of its faults.
 */
import { afterEach, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { SQL } from "bun";
import { POSTGRES_MISSING, PostgresServer } from "../support/postgres.ts";

if (POSTGRES_MISSING) console.error(`skipped: drills on PostgreSQL: ${POSTGRES_MISSING}`);

const started: PostgresServer[] = [];

async function kept(starting: Promise<PostgresServer>): Promise<PostgresServer> {
  const server = await starting;
  started.push(server);
  return server;
}

/** A cluster with a table to write rows to. */
async function primaryWithTable(): Promise<PostgresServer> {
  const primary = await kept(PostgresServer.start());
  await using sql = new SQL(primary.url);
  await sql`CREATE TABLE rows (n int PRIMARY KEY)`;
  return primary;
}

/** Kills a server while rows are written; resolves to the last one that it acknowledged. */
async function killWhileWriting(server: PostgresServer): Promise<number> {
  const sql = new SQL(server.url, { max: 1 });
  let killed: Promise<void> | undefined;
  let last = 0;
  try {
    for (;;) {
      await sql`INSERT INTO rows VALUES (${last + 1})`;
      last += 1;
      // Later in the loop: the next row is under way by then.
      if (last === 50) setTimeout(() => (killed = server.kill()));
    }
  } catch (error) {
    if (!killed) throw error;
    await killed;
    return last;
  } finally {
    await sql.close({ timeout: 0 });
  }
}

async function lastRow(server: PostgresServer): Promise<unknown> {
  const [row] = await server.query("SELECT max(n) AS last FROM rows");
  return row?.last;
}

afterEach(async () => {
  await Promise.all(started.splice(0).map((server) => server.stop()));
});

test.skipIf(POSTGRES_MISSING !== null)(
  "a killed cluster comes back with what it acknowledged, with checksums and fsync",
  async () => {
    const server = await primaryWithTable();
    const { port, pid } = server;
    const last = await killWhileWriting(server);
    expect(last).toBeGreaterThanOrEqual(50);
    expect(existsSync(`/proc/${pid}`)).toBe(false);
    await expect(server.query("SELECT 1")).rejects.toThrow();
    await server.restart();
    expect(server.port).toBe(port);
    expect(await lastRow(server)).toBeGreaterThanOrEqual(last);
    expect(await server.query("SHOW data_checksums")).toEqual([{ data_checksums: "on" }]);
    expect(await server.query("SHOW fsync")).toEqual([{ fsync: "on" }]);
  },
);

test.skipIf(POSTGRES_MISSING !== null)(
  "a promoted standby has all that its killed primary acknowledged",
  async () => {
    const primary = await primaryWithTable();
    const standby = await kept(primary.startStandby());
    await primary.setSyncStandbys("ANY 1 (b, c)");
    const last = await killWhileWriting(primary);
    await standby.promote();
    expect(await lastRow(standby)).toBeGreaterThanOrEqual(last);
    await standby.query("INSERT INTO rows VALUES (0)");
  },
);

test.skipIf(POSTGRES_MISSING !== null)(
  "a commit waits for a paused standby, and for none once none is named",
  async () => {
    const primary = await primaryWithTable();
    const standby = await kept(primary.startStandby("c"));
    await primary.setSyncStandbys("c");
    await standby.pause();
    let isWritten = false;
    const writing = primary.query("INSERT INTO rows VALUES (1)").then(() => {
      isWritten = true;
    });
    // A read waits for no standby; these take longer than the write would.
    for (let i = 0; i < 20; i += 1) await primary.query("SELECT 1");
    expect(isWritten).toBe(false);
    standby.resume();
    await writing;
    await primary.setSyncStandbys("");
    await standby.pause();
    await primary.query("INSERT INTO rows VALUES (2)");
    standby.resume();
  },
);
