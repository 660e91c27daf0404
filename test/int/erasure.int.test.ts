/**
 * Goal: after an erasure a guest's name is in no answer, no event, no mail and no file, and a
 * restored back-up does not bring it back. Method: real bookings; the data directory is searched.
 */
import { expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { RecordReaderOn } from "../../engine/log/record-reader.ts";
import { openForReading } from "../../engine/log/schema.ts";
import { backUp } from "../../src/ops/backups/backup.ts";
import { restore } from "../../src/ops/backups/restore.ts";
import { steps } from "../support/answer.ts";
import { bookingBody, createHotel, newHold, newKey, stayRequest } from "../support/client.ts";
import { until } from "../support/service.ts";
import { serviceOfFile } from "../support/service-of-file.ts";

const service = await serviceOfFile();
const agent = service.demo.admin;
const hotel = await createHotel(service, { units: [50] });
const QUIET = { step: () => {}, rows: () => {} };

const call = (path: string, body?: object, key = newKey()) =>
  service.api("POST", path, {
    ...{ agent, headers: { "idempotency-key": key } },
    ...(body && { body }),
  });

/** A booking of a guest whose name nobody else has. */
async function bookedBy(email: string): Promise<{ booking_id: string; name: string }> {
  const hold = await newHold(service, stayRequest(hotel));
  const name = `Zebedee${crypto.randomUUID().slice(0, 8)}`;
  const guest = { primary: { full_name: name, email } };
  const headers = {
    "idempotency-key": newKey(),
    "x-delegated-user": await service.mintDelegation(),
  };
  const body = { ...bookingBody(hold), guest, special_requests: `${name} sleeps badly` };
  const made = await service.api("POST", "/v1/bookings", { headers, body });
  const { booking_id } = made.ok<{ booking_id: string }>(201).data;
  const note = { text: `${name} pays for the neighbour too` };
  (await call(`/v1/admin/bookings/${booking_id}/notes`, note)).ok(201);
  return { booking_id, name };
}

const cancel = async (id: string) => {
  (await call(`/v1/admin/bookings/${id}/cancel`, { reason: "asked for it", waive_fee: true })).ok();
};

/** Files below a folder. */
function filesIn(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? filesIn(path) : entry.isFile() ? [path] : [];
  });
}

function filesWith(folder: string, text: string): string[] {
  return filesIn(folder).filter((path) => {
    return statSync(path).size > 0 && readFileSync(path).includes(text);
  });
}

const mails = (id: string) =>
  filesIn(join(service.dataDir, "outbox")).filter((path) => path.includes(id));

test("an erased guest is in no answer, mail or file, and the stay and its money stay", async () => {
  const { booking_id: id, name } = await bookedBy("zebedee@example.com");
  await until("the mail is written", async () => mails(id).length > 0);
  const early = (await call(`/v1/admin/bookings/${id}/erase-guest`)).refused("conflict");
  expect(early.detail).toMatchObject({ reason: "booking_state", state: "confirmed" });
  await cancel(id);
  await until("both mails are written", async () => mails(id).length > 1);
  const key = newKey();
  const done = (await call(`/v1/admin/bookings/${id}/erase-guest`, undefined, key)).ok<{
    erased_at: string;
    seq: number;
  }>();
  expect(steps(done.next_actions)).toEqual([`get GET /v1/bookings/${id}`]);
  const again = await call(`/v1/admin/bookings/${id}/erase-guest`, undefined, key);
  expect(again.isReplayed).toBe(true);
  const later = (await call(`/v1/admin/bookings/${id}/erase-guest`)).ok().data;
  expect(later).toMatchObject({ erased_at: done.data.erased_at, seq: null });
  await until("its mails are removed", async () => mails(id).length === 0);
  const shown = await service.api("GET", `/v1/bookings/${id}`);
  expect(shown.ok().data).toMatchObject({
    guest: null,
    special_requests: null,
    state: "cancelled",
  });
  const notes = `/v1/admin/bookings/${id}/notes`;
  expect((await service.api("GET", notes, { agent })).ok().data).toMatchObject({
    items: [{ author: agent.agent_id, text: null }],
  });
  for (const path of [`/v1/bookings/${id}/audit`, notes, "/v1/admin/events?limit=1000"]) {
    const answer = await service.api("GET", path, { agent });
    expect(answer.status).toBe(200);
    expect(answer.text).not.toContain(name);
  }
  const search = "/v1/admin/bookings?guest=zebedee@example.com";
  expect((await service.api("GET", search, { agent })).ok().data).toEqual({ items: [] });
  await until("no file has the name", async () => filesWith(service.dataDir, name).length === 0);
});

test("all bookings of an address are erased, but for those that still need their guest", async () => {
  const email = `florence-${newKey()}@example.com`;
  const [gone, kept] = [await bookedBy(email), await bookedBy(email)];
  await cancel(gone.booking_id);
  const erase = async (body: object) =>
    (await call("/v1/admin/guests/erase", body)).ok<{ items: { booking_id: string }[] }>().data
      .items;
  const items = await erase({ email: email.toUpperCase() });
  expect(items.toSorted((a, b) => a.booking_id.localeCompare(b.booking_id))).toMatchObject([
    { booking_id: gone.booking_id },
    {
      ...{ booking_id: kept.booking_id, erased_at: null },
      error: { code: "conflict", detail: { reason: "booking_state" } },
    },
  ]);
  const left = await erase({ email });
  expect(left.map(({ booking_id }) => booking_id)).toEqual([kept.booking_id]);
  (await call("/v1/admin/guests/erase", { email: "x" })).refused("validation_failed");
});

test("a back-up that is older than the erasure does not bring the guest back", async () => {
  const { booking_id: id } = await bookedBy("dylan@example.com");
  await cancel(id);
  const folder = join(tmpdir(), `innkeep-erasure-${crypto.randomUUID()}`);
  const { dataDir } = service;
  const erasuresLog = join(dataDir, "erasures.log");
  try {
    const source = join(folder, "backup");
    await backUp({ dataDir, erasuresLog, target: source, progress: QUIET });
    (await call(`/v1/admin/bookings/${id}/erase-guest`)).ok();
    const keyIn = async (name: string, erasures: string | null) => {
      const asked = { suspendsAgents: false, refundsOrphans: false, ledger: null, erasures };
      await restore({ source, dataDir: join(folder, name), progress: QUIET, ...asked });
      using db = openForReading(join(folder, name, "engine", "0.db"));
      return new RecordReaderOn(db).wrappedKey(id);
    };
    expect(await keyIn("without", null)).not.toBeNull();
    expect(await keyIn("with", erasuresLog)).toBeNull();
    await backUp({ dataDir, erasuresLog, target: join(folder, "next"), progress: QUIET });
    expect(await keyIn("beside", null)).toBeNull();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
