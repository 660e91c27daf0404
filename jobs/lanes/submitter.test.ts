/**
 * Goal: each outcome carries its row, by whatever way it comes, so that a reader can wait for it.
 */
import { afterAll, beforeAll, expect, spyOn, test } from "bun:test";
import { roleOf } from "../../src/lib/service.ts";
import {
  beginBooking,
  createProperty,
  frozenQuote,
  paymentResult,
  placeHold,
  promoteProperty,
  propertyTree,
  updateAri,
} from "../../test/support/builders.ts";
import { EngineRig, pack } from "../../test/support/engine-rig.ts";
import { RIG_LANES } from "../../test/support/lone-engine.ts";
import { openConnections } from "../redis/connections.ts";
import { JobQueue } from "./job-queue.ts";
import { Submitter } from "./submitter.ts";

const DAY_MS = 86_400_000;
const TREE = propertyTree();

let rig: EngineRig;

beforeAll(async () => {
  rig = await EngineRig.start();
  await rig.submit(createProperty(TREE));
  await rig.submit(promoteProperty(TREE));
});

afterAll(() => rig.stop());

function hold(inDays: number, due_now: number) {
  const now = rig.lone.now();
  const date = (days: number) => new Date(now + days * DAY_MS).toISOString().slice(0, 10);
  const stay = { check_in: date(inDays), check_out: date(inDays + 1) };
  return placeHold(frozenQuote(TREE, { created_at: now, stay, due_now }));
}

test("a reply and its replay carry the row; an unjournaled refusal carries 0", async () => {
  const command = hold(10, 0);
  const first = await rig.submit(command);
  expect(first).toMatchObject({ replayed: false, row: rig.lone.journal.head.row });
  const again = await rig.submit({ ...command, trace_id: "another" });
  expect(again).toMatchObject({ replayed: true, row: first.row });
  const conflict = await rig.submit({ ...command, body_hash: "0".repeat(32) });
  expect(conflict).toMatchObject({ outcome: { code: "idempotency_conflict" }, row: 0 });
});

test("an outcome found in another command's row carries that row", async () => {
  const command = hold(20, 8_000);
  const placed = await rig.hold(command);
  const booked = rig.submit(beginBooking(placed));
  await rig.lone.until(() => rig.paymentOf(placed.hold_id) !== null);
  const { payment_id } = rig.paymentOf(placed.hold_id)!;
  await rig.submit(paymentResult(payment_id, "captured"));
  expect(await booked).toMatchObject({
    phase: "sealed",
    outcome: { kind: "booking" },
    row: rig.lone.journal.head.row,
  });
});

test("a repeat of a running key gets its answer; callers of other keys do not", async () => {
  const begun = async (day: number) => {
    const command = beginBooking(await rig.hold(hold(day, 8_000)));
    const answer = rig.submit(command);
    await rig.lone.until(() => rig.paymentOf(command.hold_id) !== null);
    const again = rig.submit({ ...command, trace_id: "another" });
    return { answer, again, payment_id: rig.paymentOf(command.hold_id)!.payment_id };
  };
  const [mine, theirs] = [await begun(50), await begun(51)];
  await rig.submit(paymentResult(mine.payment_id, "captured"));
  expect(await mine.again).toEqual({ ...(await mine.answer), replayed: true });
  expect(rig.submitter.waiting).toBe(2);
  await rig.submit(paymentResult(theirs.payment_id, "captured"));
  expect(await theirs.again).toEqual({ ...(await theirs.answer), replayed: true });
});

test("an outcome whose reply was lost is found by its key, with its row", async () => {
  const connections = await openConnections(rig.redis, ["hot"], () => {});
  const submitter = new Submitter({
    hot: connections.hot,
    subscriber: { subscribe: () => Promise.resolve(), unsubscribe: () => {} },
    prefix: rig.prefix,
    macs: rig.macs,
    lanes: RIG_LANES,
    instance: "deaf",
    byKey: (key) => rig.lone.journal.byKey(key),
    now: rig.lone.now,
    onError: () => {},
  });
  const role = roleOf("deaf", [connections, submitter], rig.lone.log);
  await role.start();
  const found = await submitter.submit(pack(hold(30, 0)), { deadlineMs: 10_000 });
  expect(found).toMatchObject({ phase: "sealed", row: rig.lone.journal.head.row });
  await role.stop();
});

test("an envelope that Redis lost is sent again, and no command is decided twice", async () => {
  const lost = spyOn(JobQueue.prototype, "add").mockImplementationOnce(() => Promise.resolve());
  const command = hold(70, 0);
  const placed = await rig.submit(command);
  expect(placed).toMatchObject({ replayed: false, row: rig.lone.journal.head.row });
  expect(lost).toHaveBeenCalledTimes(2);
  lost.mockRestore();
});

test("a hold does not wait for a supply envelope of its own process", async () => {
  const { engine } = rig.lone;
  const order: string[] = [];
  // Nothing is decided until the test says so: the envelope of supply stays unanswered.
  const standstill = spyOn(engine, "runGroup").mockImplementation(() => {});
  const supply = rig.submit(updateAri(TREE, {})).then(() => order.push("supply"));
  while (engine.queued < 1) await Bun.sleep(5);
  const held = rig.submit(hold(60, 0)).then(() => order.push("hold"));
  while (engine.queued < 2) await Bun.sleep(5);
  standstill.mockRestore();
  await Promise.all([supply, held]);
  expect(order).toEqual(["hold", "supply"]);
});

test("under load a second envelope is sent before the first is answered, but never a third", async () => {
  const { engine } = rig.lone;
  const added = spyOn(JobQueue.prototype, "add");
  // Nothing is decided until the test says so.
  const standstill = spyOn(engine, "runGroup").mockImplementation(() => {});
  const answers: Promise<unknown>[] = [];
  const submit = (count: number) => {
    for (let n = 0; n < count; n += 1) answers.push(rig.submit(hold(80 + answers.length, 0)));
  };
  const queued = async (count: number) => {
    while (engine.queued < count) await Bun.sleep(1);
    await Bun.sleep(20);
    expect(engine.queued).toBe(count);
  };
  submit(1);
  await queued(1);
  submit(23);
  await queued(1);
  submit(1);
  await queued(25);
  submit(30);
  await queued(25);
  expect(added).toHaveBeenCalledTimes(2);
  standstill.mockRestore();
  engine.tick();
  const rows = (await Promise.all(answers)).map((answer) => (answer as { row: number }).row);
  expect(new Set(rows).size).toBe(answers.length);
  expect(added).toHaveBeenCalledTimes(3);
  added.mockRestore();
});
