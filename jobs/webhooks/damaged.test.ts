/**
 * Goal: a damaged record delays only the events that need it, and they are sent after its repair.
 * Method: a whole worker without Redis on real files with a damaged refund record; two tenants with
 * a receiver each.
 */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { anEndpoint, REALM, SECRET } from "../../test/support/deliveries.ts";
import { until } from "../../test/support/service.ts";
import { blockWith } from "../../test/support/stored-blocks.ts";
import { WebhookReceiver } from "../../test/support/webhook-receiver.ts";
import { WebhookRig } from "../../test/support/webhook-rig.ts";
import { DeliveryStore } from "./store/delivery-store.ts";
import { openDeliveries } from "./store/schema.ts";

const OTHER = { ...REALM, tenant_id: "t-2" };
const TOLD = "error: a record is damaged";
const REFUND = "rfd_1";

let rig: WebhookRig;
let struck: WebhookReceiver;
let other: WebhookReceiver;
beforeEach(() => {
  rig = new WebhookRig();
  [struck, other] = [new WebhookReceiver(), new WebhookReceiver()];
  for (const receiver of [struck, other]) receiver.secret = SECRET;
  rig.endpoints = [
    anEndpoint({ url: struck.url }),
    anEndpoint({ ...OTHER, endpoint_id: "whe_2", url: other.url }),
  ];
});
afterEach(async () => {
  rig.stop();
  for (const receiver of [struck, other]) await receiver.stop();
});

const untilHad = (receiver: WebhookReceiver, seqs: readonly number[]) =>
  until(`${seqs} have arrived`, () => {
    return [...receiver.seqs].sort((a, b) => a - b).join() === seqs.join();
  });
const prevSeqOf = (seq: number) =>
  struck.received.find(({ event }) => event.seq === seq)!.event.prev_seq;
const openRefills = () =>
  rig.worker!.db.query("SELECT 1 FROM refill WHERE done_at IS NULL").all().length;

/** The rows 1 to 5: a notice, the refund, a notice; two notices of the other tenant. */
function givenRows(): void {
  rig.start();
  rig.notice(1);
  rig.refundFailed(REFUND);
  rig.notice(1);
  rig.notice(2, 2, OTHER);
}

test("a damaged record delays only its own event, which is sent once after the repair", async () => {
  givenRows();
  rig.spoil(REFUND);
  await untilHad(other, [4, 5]);
  await untilHad(struck, [1, 3]);
  // The receiver sees that something is missing, and what comes next is not held up either.
  expect(prevSeqOf(3)).toBe(2);
  rig.notice(1, 1, OTHER);
  rig.notice(1);
  await untilHad(other, [4, 5, 6]);
  await untilHad(struck, [1, 3, 7]);
  expect(prevSeqOf(7)).toBe(3);
  expect(rig.worker!.deriver.lagRows).toBe(0);
  expect(rig.logged).toEqual([TOLD]);
  // Searches for skipped rows do not block a requested search.
  const store = new DeliveryStore(openDeliveries(rig.path, "full"));
  expect(store.requestMissing("whe_1", 0, 2, rig.now()).ok).toBeTrue();
  store.close();
  await until("that time is searched", () => openRefills() === 1);
  rig.spoil(REFUND, { mend: true });
  rig.aheadMs += 61_000;
  await untilHad(struck, [1, 2, 3, 7]);
  await until("nothing is searched for", () => openRefills() === 0);
  expect(prevSeqOf(2)).toBe(1);
  expect(rig.all().map(({ seq }) => seq)).toEqual([1, 2, 3, 7]);
  expect(rig.all(OTHER)).toHaveLength(3);
  expect(rig.logged).toEqual([TOLD]);
});

test("a skipped row survives the restart in which records are rebuilt", async () => {
  givenRows();
  rig.spoil(REFUND);
  await until("both are settled", () => rig.states().succeeded === 2);
  rig.end({ kill: true });
  rig.spoil(REFUND, { mend: true });
  rig.start();
  await untilHad(struck, [1, 2, 3]);
  await until("nothing is searched for", () => openRefills() === 0);
});

test("an endpoint that does not select the kind gets no search and sees no gap", async () => {
  rig.endpoints = [anEndpoint({ url: struck.url, kinds: ["credential.rotated"] })];
  givenRows();
  rig.spoil(REFUND);
  await untilHad(struck, [1, 3]);
  expect(prevSeqOf(3)).toBe(1);
  expect(openRefills()).toBe(0);
  expect(rig.logged).toEqual([]);
});

test("a refill of a new endpoint also skips the damaged row", async () => {
  const late = anEndpoint({ endpoint_id: "whe_3", url: struck.url });
  rig.endpoints = rig.endpoints.slice(1);
  givenRows();
  rig.spoil(REFUND);
  await untilHad(other, [4, 5]);
  rig.endpoints = [...rig.endpoints, late];
  await untilHad(struck, [1, 3]);
  expect(prevSeqOf(3)).toBe(2);
  rig.spoil(REFUND, { mend: true });
  rig.aheadMs += 61_000;
  await untilHad(struck, [1, 2, 3]);
});

test("a search that meets the damaged row keeps its results and lets newer searches go first", async () => {
  givenRows();
  rig.spoil(REFUND);
  // Both begin after all of that, so only searches give it to them.
  rig.endpoints = rig.endpoints.map((endpoint) => ({ ...endpoint, after_row: 5 }));
  const store = new DeliveryStore(openDeliveries(rig.path, "full"));
  const [until_, now] = [rig.now() + 1, rig.now()];
  const { search: stuck } = store.requestMissing("whe_1", 0, until_, now);
  await untilHad(struck, [1]);
  const { search: younger } = store.requestMissing("whe_2", 0, until_, now);
  await untilHad(other, [4, 5]);
  expect(store.missingSearch(younger.refill_id)!.found).toBe(2);
  expect(store.missingSearch(stuck.refill_id)).toMatchObject({ found: 1, row: 1, done_at: null });
  rig.spoil(REFUND, { mend: true });
  rig.aheadMs += 61_000;
  await untilHad(struck, [1, 2, 3]);
  store.close();
});

test("a derived event whose record is damaged is postponed alone", async () => {
  const [first] = rig.endpoints;
  rig.endpoints = [{ ...first!, state: "paused" }];
  givenRows();
  await until("its events wait", () => rig.all().length === 3);
  // A new worker reads the events again.
  rig.end();
  rig.spoil(REFUND);
  rig.change({ state: "active" });
  rig.start();
  await untilHad(struck, [1, 3]);
  expect(rig.logged).toEqual([TOLD]);
  rig.spoil(REFUND, { mend: true });
  rig.aheadMs += 61_000;
  await untilHad(struck, [1, 2, 3]);
});

test("an endpoint disabled at the time of the event sees the gap by prev_seq", async () => {
  rig.start();
  rig.notice(1);
  await untilHad(struck, [1]);
  rig.change({ state: "disabled" });
  rig.refundFailed(REFUND);
  rig.spoil(REFUND);
  rig.notice(1, 1, OTHER);
  await untilHad(other, [3]);
  rig.change({ state: "active", after_row: 3 });
  rig.notice(1);
  await untilHad(struck, [1, 4]);
  expect(prevSeqOf(4)).toBe(2);
  expect(openRefills()).toBe(0);
});

test("an old damaged row delays only the searches that need it", async () => {
  rig.start();
  rig.notice(3);
  rig.notice(2, 2, OTHER);
  await untilHad(other, [4, 5]);
  await untilHad(struck, [1, 2, 3]);
  const store = new DeliveryStore(openDeliveries(rig.path, "full"));
  const spoil = (crc: string) =>
    rig.journal.db.run(`UPDATE journal SET crc = ${crc} WHERE ${blockWith(2)}`);
  spoil("crc + 1");
  expect(store.requestMissing("whe_1", 0, rig.now() + 1, rig.now()).ok).toBeTrue();
  store.close();
  await until("that time is searched", () => openRefills() === 1);
  rig.notice(1, 1, OTHER);
  rig.notice(1);
  await untilHad(other, [4, 5, 6]);
  await untilHad(struck, [1, 2, 3, 7]);
  expect(rig.logged).toEqual([]);
  spoil("crc - 1");
  rig.aheadMs += 61_000;
  await until("nothing is searched for", () => openRefills() === 0);
});

test("an endpoint disabled while unreadable rows were written waits only for those rows", async () => {
  rig.start();
  rig.notice(1);
  await untilHad(struck, [1]);
  rig.change({ state: "disabled" });
  rig.notice(3);
  const row = rig.journal.head.row;
  rig.notice(1, 1, OTHER);
  await untilHad(other, [5]);
  const spoil = (crc: string) =>
    rig.journal.db.run(`UPDATE journal SET crc = ${crc} WHERE ${blockWith(row)}`);
  spoil("crc + 1");
  rig.change({ state: "active", after_row: rig.journal.head.row });
  await until("it is told", () => rig.logged.length > 0);
  rig.notice(1, 1, OTHER);
  rig.notice(1);
  await untilHad(other, [5, 6]);
  expect(struck.seqs).toEqual([1]);
  expect(rig.logged).toEqual(["error: cannot resume a webhook endpoint"]);
  spoil("crc - 1");
  rig.aheadMs += 61_000;
  await untilHad(struck, [1, 7]);
  expect(prevSeqOf(7)).toBe(4);
});
