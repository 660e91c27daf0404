/**
 * Goal: what the README and the guides tell people to paste works, each page alone, and prints what
 * the page shows. Method: the `bash` blocks of every page run in order in one bash that stops at
 * the first failure, in a directory that looks like the repository after `npm start`; only the
 * address is another one. A `text` block right behind a `bash` block is what that prints: `…`
 * stands for anything, and a word with a digit for any other such word.
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { Replica } from "../../engine/log/replica.ts";
import { GUIDE_NAMES, guidePath } from "../../src/publish/docs/guides.ts";
import { type Booking, createHotel, newHold, sendBooking, stayRequest } from "../support/client.ts";
import { Service, WHOLE_DEMO } from "../support/service.ts";

const ROOT = join(import.meta.dir, "..", "..");
const ADDRESS = "http://localhost:3000";
const MARK = "--- block";
/** Their commands wait for the service half of the time. */
const PAGES_AT_ONCE = 4;

/** Their blocks need something that only another test brings about; it runs them. */
const RUN_ELSEWHERE: Readonly<Record<string, string>> = {
  webhooks: "dead-letters.int.test.ts, about a delivery that is dead",
};

const PAGES = ["README.md", ...guidesWithBlocks()];

interface Block {
  readonly script: string;
  /** What the page says that it prints; null where it says nothing. */
  readonly shown: string | null;
}

interface Pasted {
  readonly exitCode: number;
  readonly output: string;
  /** What each block printed; fewer than there are blocks when one failed. */
  readonly printed: readonly string[];
}

let service: Service;
let directory: string;
const pasted = new Map<string, Pasted>();

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), "innkeep-readme-"));
  // All pages share one service: a first build of a feed may take its turn behind their work.
  service = await Service.start({ ...WHOLE_DEMO, FEED_WAIT_S: "50" });
  const waiting = [...PAGES];
  const pasteAll = async () => {
    for (let page = waiting.shift(); page !== undefined; page = waiting.shift()) {
      pasted.set(page, await paste(page));
    }
  };
  await Promise.all(Array.from({ length: PAGES_AT_ONCE }, pasteAll));
});
afterAll(async () => {
  rmSync(directory, { recursive: true, force: true });
  await service.stop();
});

function guidesWithBlocks(): string[] {
  const own = GUIDE_NAMES.filter((name) => !(name in RUN_ELSEWHERE));
  const paths = own.map((name) => relative(ROOT, guidePath(name)));
  return paths.filter((path) => blocksOf(path).length > 0);
}

function blocksOf(page: string): Block[] {
  const text = readFileSync(join(ROOT, page), "utf8");
  const blocks = text.matchAll(/^```bash\n(.*?)^```\n(?:\n```text\n(.*?)^```$)?/gms);
  return [...blocks].map(([, script = "", shown]) => ({ script, shown: shown ?? null }));
}

/** Runs the blocks of a page where `npm start` would have left a newcomer. */
async function paste(page: string): Promise<Pasted> {
  const home = join(directory, page.replaceAll("/", "-"));
  mkdirSync(home);
  for (const name of ["package.json", "scripts"]) symlinkSync(join(ROOT, name), join(home, name));
  symlinkSync(service.dataDir, join(home, "data"));
  const blocks = blocksOf(page).map(({ script }, i) => `echo "${MARK} ${i}"\n${script}`);
  const script = blocks.join("\n").replaceAll(ADDRESS, service.baseUrl);
  const { port: PORT } = new URL(service.baseUrl);
  const ports = { PORT, METRICS_PORT: String(service.metricsPort) };
  const child = Bun.spawn(["bash", "-e", "-o", "pipefail", "-c", `exec 2>&1\n${script}`], {
    cwd: home,
    env: { ...process.env, ...ports, DATA_DIR: service.dataDir },
    stdin: "ignore",
    stdout: "pipe",
  });
  const output = await child.stdout.text();
  const printed = output.split(new RegExp(`^${MARK} \\d+\\n`, "m")).slice(1);
  return { exitCode: await child.exited, output, printed };
}

/** Without white space, and with `#` for every number and every word that has a digit. */
function plain(text: string): string {
  return text.replace(/\w*\d\w*(?:[.,]\d+)*/g, "#").replace(/\s+/g, "");
}

/** The first piece of what is shown that was not printed in its place; null when all was. */
function missing(shown: string, printed: string): string | null {
  const actual = plain(printed);
  let at = 0;
  for (const piece of plain(shown.replace(/[\w-]*…[\w-]*/g, "…")).split("…")) {
    const found = actual.indexOf(piece, at);
    if (found < 0) return piece;
    at = found + piece.length;
  }
  return null;
}

test.each(PAGES)("%s: the commands to paste work and print the output shown", async (page) => {
  const { exitCode, output, printed } = pasted.get(page)!;
  expect({ exitCode, output }).toMatchObject({ exitCode: 0 });
  for (const [i, { shown }] of blocksOf(page).entries()) {
    const lacks = shown === null ? null : missing(shown, printed[i] ?? "");
    expect({ page, i, printed: printed[i], lacks }).toMatchObject({ lacks: null });
  }
});

test("a difference between the shown and the printed output is found", () => {
  const printed = "{\n  state: 'held',\n  nights: 2,\n  fees: [ 1, 2 ]\n}";
  expect(missing("{ state: 'held', …\n fees: [ 7, 8 ] }", printed)).toBeNull();
  expect(missing("{ state: 'expired', … }", printed)).toBe("{state:'expired',");
  expect(missing("fees: … state: 'held'", printed)).toBe("state:'held'");
});

test("the flow of the README has booked and cancelled", async () => {
  const { printed } = pasted.get("README.md")!;
  expect(printed.at(-1)).toContain("refund_id: 'rfd_");
  expect(printed.at(-1)!.trim().split("\n").at(-1)).toBe("cancelled");
});

test("the twenty hotels of the guide's table are on sale, and one of them is booked", async () => {
  const { printed } = pasted.get("src/publish/docs/guides/integrators.md")!;
  expect(printed.filter((text) => text.trim() === "confirmed")).toHaveLength(1);
  const listed = await service.api("GET", "/v1/properties", { agent: service.demo.agent });
  const { items } = listed.ok<{ items: { slug: string }[] }>().data;
  expect(items.filter(({ slug }) => slug.startsWith("hotel-dali-"))).toHaveLength(20);
});

test("the README can be read in one go: it has 200 lines at most", () => {
  const lines = readFileSync(join(ROOT, "README.md"), "utf8").split("\n");
  expect(lines.length).toBeLessThanOrEqual(200);
});

test("the snippet for models connects, with the secret that it asks for", async () => {
  const text = readFileSync(join(ROOT, "README.md"), "utf8");
  const [, json = ""] = text.match(/^```json\n(.*?)^```$/ms)!;
  const { url, headers } = JSON.parse(json).mcpServers.innkeep;
  expect(headers).toEqual({ Authorization: "Bearer <agent.secret of data/demo.json>" });
  const client = new Client({ name: "reader", version: "1.0.0" });
  const authorization = `Bearer ${service.demo.agent.secret}`;
  const requestInit = { headers: { authorization } };
  const own = new URL(url.replace(ADDRESS, service.baseUrl.replace("127.0.0.1", "localhost")));
  await client.connect(new StreamableHTTPClientTransport(own, { requestInit }));
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toContain("search");
  await client.close();
});

/** A program that can do what is asked of it here; null where there is none. */
function capable(program: string, ...args: readonly string[]): string | null {
  const path = Bun.which(program);
  if (path === null) return null;
  const { success } = Bun.spawnSync([path, ...args], { stdout: "ignore", stderr: "ignore" });
  return success ? path : null;
}

const knowsJwt = ["-c", "import jwt, cryptography"];
const python = capable("python3", ...knowsJwt) ?? capable("/usr/bin/python3", ...knowsJwt);
const go = capable("go", "version");

/** Samples of the guide: their language there, and what runs a file of it. */
const SAMPLES = [
  { fence: "ts", name: "TypeScript", command: [process.execPath] },
  { fence: "python", name: "Python with PyJWT", command: python === null ? null : [python] },
  { fence: "go", name: "Go", command: go === null ? null : [go, "run"] },
] as const;

for (const { fence, name, command } of SAMPLES) {
  test.if(command !== null)(`with a delegation token made in ${name} one can book`, async () => {
    const text = readFileSync(guidePath("delegation"), "utf8");
    const [, sample = ""] = text.match(new RegExp(`^\`\`\`${fence}\n(.*?)^\`\`\`$`, "ms"))!;
    const home = join(directory, "src-publish-docs-guides-delegation.md");
    const file = join(home, `mint.${fence === "python" ? "py" : fence}`);
    await Bun.write(file, sample);
    const env = { ...process.env, GOCACHE: join(directory, "go-cache") };
    const child = Bun.spawn([...command!, file], { cwd: home, env, stdout: "pipe" });
    const token = (await child.stdout.text()).trim();
    const hold = await newHold(service, stayRequest(await createHotel(service)));
    const answer = await sendBooking(service, hold, { delegation: token });
    expect(answer.ok<Booking>(201).data.state).toBe("confirmed");
  });
}

/** With `STORE=postgres` only: `several-machines.int.test.ts` sees them. */
const OF_SEVERAL_MACHINES: readonly string[] = ["innkeep_copy_row", "innkeep_leads"];

test("every metric that a guide names exists", async () => {
  const texts = GUIDE_NAMES.map((name) => readFileSync(guidePath(name), "utf8"));
  const named = new Set(texts.join("\n").match(/\binnkeep_[a-z_]+[a-z]/g));
  const told = await service.metrics();
  const missing = [...named].filter((name) => !told.includes(`# TYPE ${name} `));
  expect(missing.sort()).toEqual([...OF_SEVERAL_MACHINES]);
  expect(named.size).toBeGreaterThan(10);
});

test("a back-up that is taken while the service runs can be restored to the same head", async () => {
  const { output } = pasted.get("src/publish/docs/guides/backups.md")!;
  const home = join(directory, "src-publish-docs-guides-backups.md");
  const headOf = (dataDir: string) => {
    const replica = new Replica(join(dataDir, "engine", "0.db"));
    const { head, journalId } = replica;
    replica.close();
    return { head, journalId };
  };
  const copy = headOf(join(home, "backup-1"));
  expect(copy.head.row).toBeGreaterThan(0);
  expect({ output, ...headOf(join(home, "backup-1-restored")) }).toEqual({ output, ...copy });
});
