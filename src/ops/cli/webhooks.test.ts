/**
 * Goal: the local receiver accepts signed deliveries only, and answers as configured. Method: run
 * it as a process; the test signs deliveries by the specification.
 */
import { afterEach, expect, test } from "bun:test";
import { createHmac, randomBytes } from "node:crypto";
import { join } from "node:path";
import type { ReceivedDelivery } from "./listener.ts";

const SECRET = `whsec_${randomBytes(32).toString("base64")}`;
const children: Bun.Subprocess[] = [];
afterEach(async () => {
  for (const child of children.splice(0)) {
    child.kill();
    await child.exited;
  }
});

function start(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const main = join(import.meta.dir, "..", "main.ts");
  const child = Bun.spawn([process.execPath, main, "webhooks", ...args], {
    env: { ...process.env, ...env },
    stdout: "pipe",
    stderr: "pipe",
  });
  children.push(child);
  return child;
}

/** A receiver at work: where it is, and what it has told when it ends. */
async function listening(...args: readonly string[]) {
  const child = start(["listen", "0", "--json", ...args]);
  const reader = child.stderr.getReader();
  const line = new TextDecoder().decode((await reader.read()).value);
  const url = line.replace("listening on ", "").trim();
  const told = async () => {
    const code = await child.exited;
    const lines = (await child.stdout.text()).trim().split("\n");
    return { code, met: lines.map((each) => JSON.parse(each) as ReceivedDelivery) };
  };
  return { url, child, told };
}

interface Terms {
  readonly id?: string;
  readonly secret?: string;
  readonly atS?: number;
  readonly seq?: number;
  readonly prevSeq?: number;
}

function deliver(url: string, terms: Terms = {}): Promise<Response> {
  const { id = "evt_1", secret = SECRET, seq = 1, prevSeq = seq - 1 } = terms;
  const timestamp = String(terms.atS ?? Math.floor(Date.now() / 1000));
  const event = { id, type: "hold.created", seq, prev_seq: prevSeq, data: {} };
  const body = JSON.stringify(event);
  const key = Buffer.from(secret.slice("whsec_".length), "base64");
  const sign = createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest("base64");
  const other = randomBytes(32).toString("base64");
  const headers = {
    "webhook-id": id,
    "webhook-timestamp": timestamp,
    // As while the secret is being rotated.
    "webhook-signature": `v1,${other} v1,${sign}`,
  };
  return fetch(url, { method: "POST", body, headers });
}

test("a signed delivery is accepted; foreign, replayed and altered ones are refused", async () => {
  const { url, told } = await listening("--secret", SECRET, "--count", "3");
  expect((await deliver(url)).status).toBe(204);
  const stranger = `whsec_${randomBytes(32).toString("base64")}`;
  expect((await deliver(url, { secret: stranger })).status).toBe(401);
  expect((await deliver(url, { atS: Math.floor(Date.now() / 1000) - 301 })).status).toBe(401);
  const { code, met } = await told();
  expect(met.map(({ is_verified }) => is_verified)).toEqual([true, false, false]);
  expect(met.map(({ fault }) => fault)).toEqual([
    ...[null, "no signature matches this secret", "webhook-timestamp is more than 300 s off"],
  ]);
  expect(code).toBe(1);
});

test("repeated and missing deliveries are reported", async () => {
  const { url, told } = await listening("--secret", SECRET, "--count", "4");
  await deliver(url, { id: "evt_1", seq: 3, prevSeq: 0 });
  await deliver(url, { id: "evt_2", seq: 7, prevSeq: 5 });
  await deliver(url, { id: "evt_1", seq: 3, prevSeq: 0 });
  await deliver(url, { id: "evt_3", seq: 9, prevSeq: 7 });
  const { code, met } = await told();
  expect(met.map(({ is_repeated }) => is_repeated)).toEqual([false, false, true, false]);
  expect(met.map((each) => each.missing_after_seq)).toEqual([null, 3, null, null]);
  expect(code).toBe(0);
});

test("the first deliveries get the configured status and delay, the others 204", async () => {
  const slow = ["--status", "410", "--first", "1", "--delay-ms", "300", "--count", "2"];
  const { url, told } = await listening(...slow);
  const startedMs = performance.now();
  expect((await deliver(url)).status).toBe(410);
  expect(performance.now() - startedMs).toBeGreaterThanOrEqual(295);
  expect((await deliver(url)).status).toBe(204);
  const { met } = await told();
  // Without a secret nothing can be said.
  expect(met.map(({ is_verified }) => is_verified)).toEqual([null, null]);
});

test("the receiver also prints plain text, ends on interrupt and reports invalid arguments", async () => {
  const child = start(["listen", "0"], { WEBHOOK_SECRET: SECRET });
  const reader = child.stderr.getReader();
  const line = new TextDecoder().decode((await reader.read()).value);
  await deliver(line.replace("listening on ", "").trim(), { seq: 4 });
  child.kill("SIGINT");
  expect(await child.exited).toBe(0);
  expect(await child.stdout.text()).toContain(
    "hold.created  evt_1  seq 4 after 3  verified  → 204",
  );
  for (const [args, told] of [
    [["listen"], "PORT is missing"],
    [["listen", "0", "--secret", "whsec_short"], "the secret must be"],
    [["listen", "0", "--status", "99"], "--status must be"],
    [["listn"], "unknown command: listn"],
  ] as const) {
    const wrong = start(args);
    expect(await wrong.exited).toBe(2);
    expect(await wrong.stderr.text()).toContain(told);
  }
  const help = start(["listen", "--help"]);
  expect(await help.stdout.text()).toContain("--delay-ms MS");
  expect(await help.exited).toBe(0);
});
