/**
 * Goal: what the README tells a newcomer and an operator to paste works. Method: run its `bash`
 * blocks, in order and in one bash that stops at the first failure, against a private service.
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Replica } from "../../engine/shell/replica.ts";
import { Service } from "../support/service.ts";

const ROOT = join(import.meta.dir, "..", "..");
const README = readFileSync(join(ROOT, "README.md"), "utf8");
const LIMIT_MS = 60_000;

let service: Service;
let directory: string;
beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), "innkeep-readme-"));
  service = await Service.start();
}, LIMIT_MS);
afterAll(async () => {
  rmSync(directory, { recursive: true, force: true });
  await service.stop();
}, LIMIT_MS);

/** The `bash` blocks under a heading, up to the next heading of its level or above. */
function blocksUnder(heading: string): string[] {
  const level = heading.indexOf(" ");
  const rest = README.slice(README.indexOf(`\n${heading}\n`) + heading.length + 2);
  const end = rest.search(new RegExp(`^#{1,${level}} `, "m"));
  const blocks = rest.slice(0, end).matchAll(/^```bash\n(.*?)^```$/gms);
  return [...blocks].map((block) => block[1] ?? "");
}

/** Runs the blocks as one script; resolves to the lines it printed. */
async function paste(blocks: readonly string[], env: Record<string, string> = {}) {
  const script = blocks.join("\n");
  const child = Bun.spawn(["bash", "-e", "-o", "pipefail", "-c", script], {
    cwd: ROOT,
    env: { ...process.env, DATA_DIR: service.dataDir, BASE: service.baseUrl, ...env },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  const [output, errors] = await Promise.all([child.stdout.text(), child.stderr.text()]);
  expect({ exitCode: await child.exited, errors }).toMatchObject({ exitCode: 0 });
  return output.trim().split(/\r?\n/);
}

test(
  "the main flow books, cancels, verifies, repeats, recovers; OAuth, MCP, A2A and admin follow",
  async () => {
    const headings = ["## The main flow", "## Other ways in", "## Agents and issuers"];
    const lines = await paste(headings.flatMap(blocksUnder));
    const [found, quote, hold, booking, state, terms, cancellation, ...rest] = lines;
    const [confirmed, cancelled, status, replayed, code, rels, availability, ...more] = rest;
    const parsed = (line = "") => JSON.parse(line);
    expect(parsed(found).best_offer.price_per_night.currency).toBe("EUR");
    expect(parsed(quote).availability.sellable).toBeGreaterThan(0);
    expect(parsed(hold).state).toBe("held");
    expect(parsed(booking).state).toBe("confirmed");
    expect(state).toBe("confirmed");
    expect(parsed(terms).fee.amount).toBe(0);
    expect(parsed(cancellation).refund.state).toBe("succeeded");
    expect(parsed(confirmed)).toMatchObject({ valid: true, kind: "booking_confirmed" });
    expect(parsed(cancelled)).toMatchObject({ valid: true, kind: "booking_cancelled" });
    expect(status).toStartWith("HTTP/1.1 201");
    expect(replayed?.toLowerCase()).toBe("idempotent-replayed: true");
    expect(code).toBe("hold_not_active");
    expect(parsed(rels)).toEqual(["get", "requote"]);
    expect(parsed(availability).sellable).toBeGreaterThan(0);
    expect(more).toEqual([...["search quotes", "5", "cancelled", "cancelled", "ik_live_", "5"]]);
  },
  LIMIT_MS,
);

test(
  "partners find hotels, prices and where clicks lead; an operator sees, builds and checks a feed",
  async () => {
    const [definitions = ""] = blocksUnder("## The main flow");
    const blocks = [...blocksUnder("## Partner feeds"), ...blocksUnder("### Feeds")];
    const [listings, results, url, ...told] = await paste([definitions, ...blocks]);
    expect(Number(listings)).toBeGreaterThan(50);
    // Two days, stays of one night to seven.
    expect(Number(results)).toBe(Number(listings) * 2 * 7);
    expect(url).toContain("/book/(PARTNER-HOTEL-ID)");
    expect(told.join("\n")).toContain("google");
  },
  LIMIT_MS,
);

test(
  "a back-up that is taken while the service runs can be restored to the same head",
  async () => {
    const backup = join(directory, "backup");
    await paste(blocksUnder("### Back-up and restore"), { BACKUP: backup });
    const headOf = (dataDir: string) => {
      const replica = new Replica(join(dataDir, "engine", "0.db"));
      const { head, journalId } = replica;
      replica.close();
      return { head, journalId };
    };
    const restored = headOf(`${backup}-restored`);
    expect(restored.head.row).toBeGreaterThan(0);
    expect(restored).toEqual(headOf(service.dataDir));
  },
  LIMIT_MS,
);
