/**
 * Goal: damaged records fail only the calls that name them, at run time and at a start, are
 * reported to operators and are repaired by the documented rebuild. Method: a real service whose
 * records are damaged in the file.
 */
import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { join } from "node:path";
import type { Answer } from "../support/answer.ts";
import {
  type Booking,
  createHotel,
  newHold,
  newKey,
  sendBooking,
  sendCancel,
  stayRequest,
} from "../support/client.ts";
import { until } from "../support/service.ts";
import { serviceOfFile } from "../support/service-of-file.ts";

const service = await serviceOfFile();
const hotel = await createHotel(service);

async function newBooking(): Promise<Booking> {
  const hold = await newHold(service, stayRequest(hotel));
  return (await sendBooking(service, hold)).ok<Booking>(201).data;
}

function spoil(sql: string, id: string): void {
  const db = new Database(join(service.dataDir, "engine", "0.db"), { readwrite: true });
  db.run("PRAGMA busy_timeout = 5000");
  expect(db.run(sql, [id]).changes).toBe(1);
  db.close();
}

const SPOIL_PAYMENT = "UPDATE payments SET doc = replace(doc, 'EUR', 'EUS') WHERE id = ?";

async function dependencies() {
  const answer = await service.api("GET", "/readyz", { agent: null });
  type Readiness = { status: string; dependencies: Record<string, { state: string }> };
  return answer.ok<Readiness>().data;
}

/** 503 that names the record and is not sealed. */
function expectDamaged(answer: Answer, id: string): void {
  const { detail, retry_after } = answer.refused("upstream_unavailable");
  expect(detail).toEqual({ upstream: "records", record: id });
  expect(retry_after).toBe(60);
}

async function quarantined(kind: string): Promise<number> {
  const line = new RegExp(`^innkeep_quarantined_records\\{kind="${kind}",.*\\} (\\d+)$`, "m");
  return Number(line.exec(await service.metrics())?.[1]);
}

function isDegraded(): Promise<void> {
  return until("operators see it", async () => {
    const { status, dependencies: states } = await dependencies();
    return status === "degraded" && states.records?.state === "degraded";
  });
}

async function rebuild(): Promise<number> {
  const command = [process.execPath, "src/ops/main.ts", "admin", "projections", "rebuild"];
  const env = { ...process.env, DATA_DIR: service.dataDir };
  return await Bun.spawn(command, { env, stdout: "ignore", stderr: "ignore" }).exited;
}

let paid: Booking;
let refunding: Booking;
const key = newKey();

test("a record damaged at run time fails only its own calls and is reported", async () => {
  paid = await newBooking();
  const other = await newBooking();
  const payment = paid.payment!.payment_id;
  const { engine } = service.pids;
  expect((await dependencies()).status).toBe("ok");
  spoil(SPOIL_PAYMENT, payment);
  expectDamaged(await service.api("GET", `/v1/bookings/${paid.booking_id}`), payment);
  for (let asked = 0; asked < 2; asked += 1) {
    expectDamaged(await sendCancel(service, paid.booking_id, { key }), payment);
  }
  (await sendCancel(service, other.booking_id)).ok();
  await newBooking();
  await isDegraded();
  await until("it is counted", async () => (await quarantined("payment")) === 1);
  expect(service.pids.engine).toBe(engine!);
});

test("an unreadable data key fails only the booking's readers and is reported", async () => {
  const { booking_id } = await newBooking();
  spoil(
    "UPDATE subject_keys SET wrapped_key = 'x' || wrapped_key WHERE booking_id = ?",
    booking_id,
  );
  expectDamaged(await service.api("GET", `/v1/bookings/${booking_id}`), booking_id);
  // What is to be noted with a cancellation could not be read by anybody.
  const body = { reason: "The roof leaks." };
  const path = `/v1/admin/bookings/${booking_id}/cancel`;
  const agent = service.demo.admin;
  expectDamaged(await service.api("POST", path, { agent, body }), booking_id);
  // Whoever else arrives that day is there, and so is what is known of the booking.
  const { check_in } = stayRequest(hotel).stay;
  const day = `/v1/admin/bookings?arrivals=${check_in}&property_id=${hotel.id}`;
  type Item = { booking_id: string; guest: object | null; guest_damaged?: true };
  const { items } = (await service.api("GET", day, { agent })).ok<{ items: Item[] }>().data;
  const [damaged, others] = [true, false].map((isIt) =>
    items.filter((item) => (item.booking_id === booking_id) === isIt),
  );
  expect(damaged).toMatchObject([{ guest: null, guest_damaged: true, stay: { check_in } }]);
  expect(others!.length).toBeGreaterThan(0);
  for (const { guest, guest_damaged } of others!) {
    expect([guest === null, guest_damaged]).toEqual([false, undefined]);
  }
  await until("it is counted", async () => (await quarantined("subject_key")) === 1);
});

test("a record damaged before a start does not stop the engine", async () => {
  refunding = await newBooking();
  const { worker, supervisor } = service.pids;
  // The refund waits: who would make it is frozen until the end.
  process.kill(supervisor!, "SIGSTOP");
  process.kill(worker!, "SIGKILL");
  const cancelled = await sendCancel(service, refunding.booking_id);
  expect(cancelled.ok<{ refund: { state: string } }>().data.refund.state).toBe("pending");
  process.kill(supervisor!, "SIGCONT");
  await service.end("SIGTERM");
  spoil("DELETE FROM payments WHERE id = ?", refunding.payment!.payment_id);
  await service.restart();
  const { engine } = service.pids;
  await newBooking();
  await isDegraded();
  expectDamaged(await sendCancel(service, paid.booking_id, { key }), paid.payment!.payment_id);
  await until("both are counted", async () => (await quarantined("payment")) === 2);
  expect(service.pids.engine).toBe(engine!);
  const damage = `"id":"${refunding.payment!.payment_id}"`;
  const told = service.log.split("\n").filter((line) => line.includes(damage));
  // The start, and the worker that finds the refund; not one line for each of its tries.
  expect(told.length).toBeWithin(1, 4);
});

test("after the documented rebuild everything works and pending work is done", async () => {
  await service.end("SIGTERM");
  expect(await rebuild()).toBe(0);
  await service.restart();
  await until("all is ready", async () => (await dependencies()).status === "ok");
  await until("nothing is counted", async () => (await quarantined("payment")) === 0);
  const { refund } = (await sendCancel(service, paid.booking_id, { key })).ok<{
    refund: { state: string };
  }>().data;
  expect(refund.state).toBe("succeeded");
  await until("the refund that waited is made", async () => {
    const { data } = (await service.api("GET", `/v1/bookings/${refunding.booking_id}`)).ok<{
      refunds: { state: string }[];
    }>();
    return data.refunds[0]?.state === "succeeded";
  });
});
