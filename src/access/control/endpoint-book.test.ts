/**
 * Goal: the worker's endpoints follow the file, a faulty endpoint does not affect the others, and
 * each change of an endpoint's state is reported exactly once. Method: the books of one or two
 * workers over a real file that another connection writes to.
 */
import { afterAll, afterEach, beforeEach, expect, test } from "bun:test";
import { KeyVersions } from "../privacy/key-versions.ts";
import { ControlEndpoints } from "./endpoint-book.ts";
import { disableEndpoint } from "./endpoint-standing.ts";
import { pendingNotices } from "./notices.ts";
import { openControlStore } from "./store.ts";
import { openTestControl } from "./test-control.ts";
import {
  addEndpoint,
  changeEndpoint,
  deleteEndpoint,
  endpointById,
  newSecret,
} from "./webhook-endpoints.ts";

const START_MS = 1_800_000_000_000;
const MASTERS = new KeyVersions([{ kid: "encryption-v1", key: Buffer.alloc(32, 5), from_ms: 0 }]);
const TERMS = {
  ...{ url: "https://a.example/", description: null, headers: { "X-A": "b" }, after_row: 7 },
  ...{ kinds: null, property_ids: null, subjects: null, scopes: [] },
  ...{ max_in_flight: 10, max_per_s: null, ordering: "none" as const },
  ...{ format: "json" as const, ota: null },
};

const control = openTestControl();
const { realm, store: worker } = control;
/** As an api process has it. */
const store = openControlStore(worker.path, "pepper");
afterAll(() => {
  store.close();
  control.close();
});

let nowMs: number;
let logged: string[];
let book: ControlEndpoints;

const openBook = (masters = MASTERS) =>
  new ControlEndpoints({
    ...{ store: worker, masters, now: () => nowMs },
    log: (level, message) => logged.push(`${level}: ${message}`),
  });

beforeEach(() => {
  store.db.run("DELETE FROM webhook_endpoint");
  store.db.run("DELETE FROM notice");
  nowMs = START_MS;
  logged = [];
  book = openBook();
});
afterEach(() => book.stop());

const add = () => addEndpoint(store, MASTERS, realm, TERMS, nowMs);

function addActive(): string {
  const { endpoint_id } = add();
  changeEndpoint(store, endpoint_id, { state: "active", reason: null });
  book.refresh();
  return endpoint_id;
}

const ids = () => book.all().map(({ endpoint_id }) => endpoint_id);

test("changes by other processes are seen; unchanged endpoints stay the same object", () => {
  const [one, other] = [add(), add()];
  expect(ids()).toEqual([]);
  book.refresh();
  expect(ids().sort()).toEqual([one.endpoint_id, other.endpoint_id].sort());
  const before = book.all();
  changeEndpoint(store, one.endpoint_id, { url: "https://b.example/" });
  book.refresh();
  const find = (list: typeof before, id: string) => list.find((each) => each.endpoint_id === id);
  expect(find(book.all(), one.endpoint_id)).toMatchObject({
    ...{ url: "https://b.example/", version: 2, secrets: [one.secret], headers: { "X-A": "b" } },
  });
  expect(find(book.all(), other.endpoint_id)).toBe(find(before, other.endpoint_id)!);
  deleteEndpoint(store, one.endpoint_id);
  book.refresh();
  expect(ids()).toEqual([other.endpoint_id]);
});

test("other changes of the file leave the list unchanged", () => {
  addActive();
  const before = book.all();
  store.db.run("INSERT INTO meta VALUES (?, 'true')", [crypto.randomUUID()]);
  book.refresh();
  expect(book.all()).toBe(before);
});

test("a secret stops signing when its retirement time comes", () => {
  const endpoint_id = addActive();
  const { secret: fresh, kept } = newSecret(MASTERS, endpoint_id, nowMs);
  const { secrets } = endpointById(store, endpoint_id)!;
  const retiring = secrets.map((each) => ({ ...each, retire_at: nowMs + 1000 }));
  changeEndpoint(store, endpoint_id, { secrets: [kept, ...retiring] });
  book.refresh();
  nowMs += 999;
  expect(book.all()[0]!.secrets).toHaveLength(2);
  nowMs += 1;
  expect(book.all()[0]!.secrets).toEqual([fresh]);
});

test("an endpoint whose secrets cannot be decrypted waits, and the others do not", () => {
  const endpoint_id = addActive();
  const foreign = new KeyVersions([{ kid: "encryption-v2", key: Buffer.alloc(32), from_ms: 0 }]);
  const fine = addEndpoint(store, foreign, realm, TERMS, nowMs);
  const other = openBook(foreign);
  const opened = new Map(other.all().map((each) => [each.endpoint_id, each]));
  other.stop();
  expect(opened.get(endpoint_id)).toMatchObject({ state: "paused", secrets: [], headers: {} });
  expect(opened.get(fine.endpoint_id)!.secrets).toEqual([fine.secret]);
  expect(logged).toEqual([
    "error: cannot decrypt the secrets of a webhook endpoint: its events wait",
  ]);
});

const notices = () => pendingNotices(store).map(({ notice }) => notice);

test("an endpoint is disabled once, by the first process that detects it, with a notice", () => {
  const endpoint_id = addActive();
  const late = openBook();
  book.disable(endpoint_id, "gone");
  book.disable(endpoint_id, "failing");
  late.disable(endpoint_id, "failing");
  late.stop();
  expect(book.all()[0]).toMatchObject({ state: "disabled" });
  const at = new Date(START_MS).toISOString();
  expect(notices()).toEqual([
    { type: "webhook.endpoint_disabled", data: { endpoint_id, reason: "gone", at } },
  ]);
  expect(pendingNotices(store)[0]).toMatchObject({ ...realm, actor: { kind: "system" } } as never);
  expect(logged).toEqual(["warn: webhook endpoint disabled"]);
});

test("a late failure does not disable an endpoint that was paused meanwhile; its backlog does", () => {
  const endpoint_id = addActive();
  changeEndpoint(store, endpoint_id, { state: "paused", reason: "ping_pending" });
  book.disable(endpoint_id, "gone");
  book.disable("whe_unknown", "gone");
  expect(endpointById(store, endpoint_id)).toMatchObject({ state: "paused" });
  expect(notices()).toEqual([]);
  book.disable(endpoint_id, "backlog");
  expect(endpointById(store, endpoint_id)).toMatchObject({ state: "disabled", reason: "backlog" });
});

test("a recovery is reported once each time the endpoint was disabled", () => {
  const endpoint_id = addActive();
  book.recovered(endpoint_id);
  expect(notices()).toEqual([]);
  for (const reason of ["failing", "operator"] as const) {
    store.db.run("DELETE FROM notice");
    const disabled_at = new Date(nowMs).toISOString();
    const by = { actor: { kind: "operator", id: "agt_1" }, trace_id: "t" } as const;
    if (reason === "failing") book.disable(endpoint_id, reason);
    else disableEndpoint(store, by, endpoint_id, { reason, nowMs });
    book.refresh();
    book.recovered(endpoint_id);
    changeEndpoint(store, endpoint_id, { state: "active", reason: null });
    book.refresh();
    nowMs += 60_000;
    book.recovered(endpoint_id);
    book.recovered(endpoint_id);
    const at = new Date(nowMs).toISOString();
    expect(notices()).toEqual([
      { type: "webhook.endpoint_disabled", data: { endpoint_id, reason, at: disabled_at } },
      { type: "webhook.endpoint_recovered", data: { endpoint_id, disabled_at, at } },
    ]);
  }
});
