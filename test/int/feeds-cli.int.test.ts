/**
 * Goal: an operator builds, inspects and checks feeds from the shell. Method: the commands as
 * processes, a real service and the small second tenant of the demo.
 */
import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { join } from "node:path";
import { PARTNERS } from "../../feeds/partners.ts";
import { feedsPath } from "../../src/config.ts";
import type { Feed, Run } from "../../src/ops/cli/feed-status-views.ts";
import { serviceOfFile } from "../support/service-of-file.ts";

const ROOT = join(import.meta.dir, "..", "..");

const service = await serviceOfFile({
  ...{ API_PROCESSES: "1", FEED_DEBOUNCE_S: "3600", FEED_CREDENTIALS: "trivago=t:p%40ss" },
});

/** A command line as an operator of the second tenant runs it at a shell without a terminal. */
async function command(words: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const access = {
    DATA_DIR: service.dataDir,
    INNKEEP_URL: service.baseUrl,
    INNKEEP_SECRET: service.demo.second_tenant.admin.secret,
  };
  const child = Bun.spawn([process.execPath, "src/ops/main.ts", "feeds", ...words], {
    cwd: ROOT,
    env: { ...process.env, ...access, ...env },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  const [out, err] = await Promise.all([child.stdout.text(), child.stderr.text()]);
  return { out, err, code: await child.exited };
}

const feeds = (...words: readonly string[]) => command(words);

async function feedOf(partner: string): Promise<Feed> {
  return JSON.parse((await feeds("status", partner, "--json")).out);
}

test("nothing exists before the first request, and only named partners are built", async () => {
  const { code, out } = await feeds("status");
  expect(code).toBe(0);
  expect(
    out
      .split("\n")
      .slice(1, -1)
      .map((line) => line.split(/ +/)[0]),
  ).toEqual([...PARTNERS]);
  const all = await feeds("build");
  expect(all).toMatchObject({ code: 2, out: "" });
  expect(all.err).toStartWith("no feed is in use yet: name a partner (google, bing,");
});

test("an unknown partner is refused with the known ones before any build", async () => {
  const known = `expected ${PARTNERS.join(", ")}\n`;
  const mistyped = await feeds("build", "google", "nosuch", "");
  expect(mistyped).toEqual({ code: 2, out: "", err: `unknown partner "nosuch", "": ${known}` });
  expect((await feedOf("google")).open_run).toBeNull();
  expect((await feeds("build")).err).toStartWith("no feed is in use yet");
  for (const command of ["build", "status"]) {
    const nameless = await feeds(command, "");
    expect(nameless).toEqual({ code: 2, out: "", err: `unknown partner "": ${known}` });
  }
});

test("a feed is built and followed to its end; status shows the served feed", async () => {
  const { code, out, err } = await feeds("build", "google", "microsoft", "bing");
  expect(code).toBe(0);
  expect(out.match(/ run_/g)).toHaveLength(2);
  expect(out).toMatch(/^google +run_\w+ +published +3 /m);
  expect(out).toMatch(/^bing +run_\w+ +published +3 /m);
  expect(err).toContain("google published (100 %)\n");
  const table = await feeds("status");
  expect(table.out).toMatch(/^google +published +\d+ s +3 +0 +630 /m);
  expect(table.out).toMatch(/^kayak +- +-/m);
  const { published, open_run, documents } = await feedOf("microsoft");
  expect(open_run).toBeNull();
  expect(published).toMatchObject({ hotel_list: { listings: 3 } });
  const text = (await feeds("status", "bing")).out;
  expect(text).toContain(`  published       ${published!.run_id}, `);
  expect(text).toContain(documents.hotel_list);
  const again = await feeds("build", "--no-wait", "--json");
  expect((JSON.parse(again.out) as Run[]).map(({ partner }) => partner)).toEqual([
    ...["google", "bing"],
  ]);
});

test("what the service serves to a partner is valid, behind a password too", async () => {
  for (const [partner, env] of [
    ["bing", {}],
    ["trivago", { FEED_USER: "t:p@ss" }],
  ] as const) {
    const served = await command(["validate", "--partner", partner, "--days", "3"], env);
    expect(served).toMatchObject({ code: 0, err: "" });
    expect(served.out.match(/ valid\n/g)).toHaveLength(3);
    expect(served.out).toMatch(/ {2}itineraries {5}63\n/);
    expect(served.out).toContain("every priced property is listed");
  }
  const refused = await feeds("validate", "--partner", "trivago");
  expect(refused).toMatchObject({ code: 2, out: "" });
  expect(refused.err).toContain("set FEED_USER to user:password");
  const wrong = await command(["validate", "--partner", "trivago"], { FEED_USER: "t:wrong" });
  expect(wrong).toMatchObject({ code: 1, out: "" });
  expect(wrong.err).toContain("answered 401, not 200: user:password refused");
});

test("the feeds served before are compared with the current ones", async () => {
  const { documents } = await feedOf("google");
  const [list, three, seven] = [
    documents.hotel_list,
    ...[3, 7].map((n) => `${documents.ari}&days=${n}`),
  ];
  const addresses = [list!, three!, seven!].map((address) => {
    return service.baseUrl + address.slice(address.indexOf("/feeds/"));
  });
  const same = await feeds("diff", addresses[0]!, addresses[0]!, "--json");
  expect(same.code).toBe(0);
  expect(JSON.parse(same.out).entries).toMatchObject({ old_entries: 3, changed: 0, removed: 0 });
  const longer = await feeds("diff", addresses[1]!, addresses[2]!, "--json");
  expect(JSON.parse(longer.out).prices).toMatchObject({
    ...{ old_stays: 63, new_stays: 147, compared: 63, dearer: 0, cheaper: 0, changes: [] },
  });
});

test("a shrunken list is not published until an operator accepts it", async () => {
  const served = (await feedOf("google")).published!;
  // As if it had listed more: properties on sale stay on sale.
  const db = new Database(feedsPath(service.dataDir));
  db.run("UPDATE run SET listings = 9 WHERE run_id = ?", [served.run_id]);
  db.close();
  const { code, out } = await feeds("build", "google");
  expect(code).toBe(1);
  expect(out).toMatch(/^google +run_\w+ +failed /m);
  expect(out).toContain("build google --accept-shrink");
  const { published, failed_run } = await feedOf("google");
  expect(published!.run_id).toBe(served.run_id);
  expect(failed_run!.reason).toBe("shrunken");
  expect((await feeds("status")).out).toMatch(/^google +FAILED .* shrunken /m);
  expect(await feeds("build", "--accept-shrink")).toMatchObject({ code: 2, out: "" });
  expect(await feeds("build", "google", "--accept-shrink")).toMatchObject({ code: 0 });
  expect((await feedOf("google")).published!.run_id).not.toBe(served.run_id);
});
