/**
 * Goal: on a full disk nothing that was to be ended goes on, and everybody is told why. Method: a
 * real service of two api processes whose directory lies on a disk that the test fills.
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { DemoAgent } from "../../src/ops/demo/demo-file.ts";
import { Service, until } from "../support/service.ts";
import { canMount, onFileSystem } from "../support/small-disk.ts";

const AGENTS = "/v1/admin/agents";

let service: Service;

beforeAll(async () => {
  if (!canMount) return;
  const dataDir = mkdtempSync(join(tmpdir(), "innkeep-disk-"));
  const through = onFileSystem("size=160m,mode=700");
  service = await Service.startOn(dataDir, { API_PROCESSES: "2", LANES: "1" }, undefined, through);
});
afterAll(() => service?.stop());

const filler = () => join(service.files, "filler");

/** Leaves no byte, or as good as none. */
function fillDisk(): void {
  const file = openSync(filler(), "a");
  for (const size of [1 << 20, 1 << 12]) {
    try {
      for (;;) if (writeSync(file, Buffer.alloc(size)) < size) break;
    } catch {
      // It is full.
    }
  }
  closeSync(file);
}

async function disk() {
  const { text } = await service.api("GET", "/readyz", { agent: null });
  const { data, detail, error } = JSON.parse(text);
  return (data ?? detail ?? error.detail).dependencies as Record<string, object>;
}

async function newAgent(): Promise<DemoAgent & { credential_id: string }> {
  const body = { name: "Full", kind: "agent", mode: "live" };
  const { admin } = service.demo;
  const made = await service.api("POST", AGENTS, { agent: admin, body });
  type Made = { agent_id: string; credential: { credential_id: string; secret: string } };
  const { agent_id, credential } = made.ok<Made>(201).data;
  return { agent_id, ...credential };
}

/** What one api process answers: a connection of its own goes to either. */
async function statuses(agent: DemoAgent): Promise<number[]> {
  const headers = { connection: "close" };
  const calls = Array.from({ length: 12 }, () => {
    return service.api("GET", "/v1/properties", { agent, headers });
  });
  return (await Promise.all(calls)).map(({ status }) => status);
}

test.skipIf(!canMount)(
  "on a full disk a revocation is refused by name but takes effect",
  async () => {
    const { admin } = service.demo;
    const [one, other] = [await newAgent(), await newAgent()];
    expect(new Set([...(await statuses(one)), ...(await statuses(other))])).toEqual(new Set([200]));
    fillDisk();
    const path = `${AGENTS}/${one.agent_id}/credentials/${one.credential_id}`;
    for (const revoked of [path, `${AGENTS}/${other.agent_id}`]) {
      const refused = await service.api("DELETE", revoked, { agent: admin });
      expect(refused.refused("upstream_unavailable").detail).toEqual({
        ...{ upstream: "control_store", reason: "disk_full", is_denied: true },
      });
    }
    for (const agent of [one, other]) {
      await until("every process denies it", async () => {
        return (await statuses(agent)).every((status) => status === 401);
      });
    }
    await until("readiness tells", async () => Bun.deepEquals((await disk()).disk, FULL));
    rmSync(filler());
    await until("it has passed", async () => !Bun.deepEquals((await disk()).control_store, FULL));
    (await service.api("DELETE", path, { agent: admin })).ok();
    (await service.api("DELETE", `${AGENTS}/${other.agent_id}`, { agent: admin })).ok();
    expect(new Set([...(await statuses(one)), ...(await statuses(other))])).toEqual(new Set([401]));
  },
);

const FULL = { state: "degraded", damage: "disk_full" };
