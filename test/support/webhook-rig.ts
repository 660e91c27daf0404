/**
 * The webhooks of a worker on a real journal of notices and refunds and a real file of deliveries,
 * without Redis: whoever has something due is served at once, and no engine hears of damage.
 */

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { refusal } from "../../engine/core/decision.ts";
import type { Event } from "../../engine/core/events/event.ts";
import { RenderedOutcome } from "../../engine/core/outcomes.ts";
import type { Refund } from "../../engine/core/records.ts";
import type { PropertyTree, Realm } from "../../engine/core/supply.ts";
import { NOTHING_BESIDE } from "../../engine/log/beside.ts";
import { Journal } from "../../engine/log/journal.ts";
import { RecordStore } from "../../engine/log/record-store.ts";
import { Replica } from "../../engine/log/replica.ts";
import { prepareRow } from "../../engine/log/stored-row.ts";
import { DamageReports } from "../../jobs/lanes/damage-reports.ts";
import { NoOutcome } from "../../jobs/lanes/submitter.ts";
import { Deriver } from "../../jobs/webhooks/derive/deriver.ts";
import { Dispatcher } from "../../jobs/webhooks/dispatch/dispatcher.ts";
import type { Endpoint } from "../../jobs/webhooks/endpoint.ts";
import { Bodies } from "../../jobs/webhooks/send/bodies.ts";
import { Sender } from "../../jobs/webhooks/send/sender.ts";
import { Claims } from "../../jobs/webhooks/store/claims.ts";
import type { Delivery } from "../../jobs/webhooks/store/delivery.ts";
import { DeliveryStore } from "../../jobs/webhooks/store/delivery-store.ts";
import { spanMs } from "../../jobs/webhooks/store/retry.ts";
import { openDeliveries } from "../../jobs/webhooks/store/schema.ts";
import { anEndpoint, REALM } from "./deliveries.ts";

const META = { trace_id: "0".repeat(32), docs: "https://docs.example" };
const OUTCOME = refusal(META, { code: "quote_not_found", detail: {} });
const TOLD = new RenderedOutcome(OUTCOME);

type SupplyEvent = Extract<Event, { readonly type: `property.${string}` | "ari.changed" }>;
type DistributiveOmit<T, K extends keyof T> = T extends unknown ? Omit<T, K> : never;

export class WebhookRig {
  readonly directory = mkdtempSync(join(tmpdir(), "innkeep-webhooks-"));
  readonly journalPath = join(this.directory, "0.db");
  readonly path = join(this.directory, "deliveries.db");
  readonly logged: string[] = [];
  readonly disabled: string[] = [];
  readonly journal: Journal;
  endpoints: Endpoint[] = [anEndpoint()];
  schedule: readonly number[] = [0, 50, 100];
  /** Added to the wall clock, which is engine time here. */
  aheadMs = 0;
  worker: ReturnType<WebhookRig["open"]> | null = null;
  #seq = 0;

  constructor() {
    this.journal = new Journal(this.journalPath, { lanes: 1 });
    this.journal.takeEpoch();
  }

  readonly now = (): number => Date.now() + this.aheadMs;

  /** Writes notices, each the event of a row of its own, of so many credentials. */
  notice(count: number, subjects = count, realm: Realm = REALM): void {
    const events = Array.from({ length: count }, () => {
      this.#seq += 1;
      const ids = { credential_id: `crd_${this.#seq % subjects}`, agent_id: "agt_1" };
      const data = { ...ids, previous_credential_id: "crd_0", retire_at: "2026-01-01T00:00:00Z" };
      return { type: "credential.rotated", seq: this.#seq, data } as Event;
    });
    this.#append(events, realm);
  }

  /** Puts a property on sale that belongs to `REALM`. */
  supply(tree: PropertyTree): void {
    const { id: property_id } = tree;
    const baseDay = Math.floor(this.now() / 86_400_000) - 2;
    const nobody: Realm = { tenant_id: "", mode: "live" };
    this.#append([{ type: "horizon.advanced", seq: 0, data: { base_day: baseDay } }], nobody);
    this.tell({ type: "property.created", data: { property_id, tree } });
    this.tell({ type: "property.promoted", data: { property_id, state: "live", version: 2 } });
  }

  /** Writes an event of supply. */
  tell(event: DistributiveOmit<SupplyEvent, "seq">): void {
    this.#seq += 1;
    this.#append([{ ...event, seq: this.#seq }], REALM);
  }

  /** Writes that the test clock of a realm was advanced. */
  advance(seconds: number, realm: Realm): void {
    this.#seq += 1;
    const data = { offset_s: seconds, previous_offset_s: 0, now: "2026-01-01T00:00:00.000Z" };
    this.#append(
      [{ type: "test_clock.set", seq: this.#seq, data, secret: { authorization_ids: [] } }],
      realm,
    );
  }

  /** Writes that a refund has failed, and its record, without which that cannot be told. */
  refundFailed(refund_id: string, realm: Realm = REALM): void {
    this.#seq += 1;
    const ids = { refund_id, payment_id: "pay_1", booking_id: null };
    const data = { ...ids, provider_code: null };
    const event: Event = { type: "refund.failed", seq: this.#seq, data };
    const stamp = this.now();
    const refund: Refund = {
      ...{ ...realm, ...ids, agent_id: "agt_1", property_id: "p-1", state: "failed" },
      ...{ amount: 100, currency: "EUR", reason: "cancellation", receipt: null },
      ...{ created_at: stamp, updated_at: stamp, provider_code: null },
    };
    const records = new RecordStore(this.journal.db, () => null);
    records.putRefund(refund);
    this.#append([event], realm, records.changes());
  }

  /** Makes a refund's record another than was written, or what it was. */
  spoil(refundId: string, { mend = false } = {}): void {
    const [is, was] = mend ? ["EUR", "EUS"] : ["EUS", "EUR"];
    const update = "UPDATE refunds SET doc = replace(doc, ?, ?) WHERE id = ?";
    this.journal.db.query(update).run(was!, is!, refundId);
  }

  #append(events: readonly Event[], realm: Realm, beside = NOTHING_BESIDE): void {
    const first = this.journal.head.row + 1;
    const { tenant_id, mode } = realm;
    const actor = { kind: "operator", id: "agt_1" } as const;
    const about = { tenant_id, mode, actor, trace_id: META.trace_id, phase: null, key: null };
    const rows = events.map((event, i) => {
      const row = { ...about, row: first + i, stamp: this.now(), events: [event] };
      return prepareRow(row, TOLD);
    });
    this.journal.append(rows, beside);
  }

  /** The parts of a worker. */
  open() {
    const { schedule, now } = this;
    const log = (level: string, message: string) => void this.logged.push(`${level}: ${message}`);
    const engineAway = () => Promise.reject(new NoOutcome("engine", "there is none here"));
    const damage = new DamageReports({ submit: engineAway }, log);
    const onError = (error: unknown) => void this.logged.push(`error: ${error}`);
    const db = openDeliveries(this.path, "normal");
    const replica = new Replica(this.journalPath);
    const claims = new Claims(db, schedule);
    const bodies = new Bodies(replica.journal, replica, () => null, now);
    const book = {
      refresh: () => {},
      all: () => this.endpoints,
      disable: (id: string, reason: string) => {
        this.disabled.push(`${id} ${reason}`);
        this.change({ state: "disabled" }, id);
      },
      recovered: () => {},
    };
    const onSettled = () => {};
    const terms = { allowPrivate: true };
    const journalId = replica.journalId;
    const shared = { book, now, damage, log };
    const nudge = (ids: Iterable<string>) => dispatcher.nudge(ids);
    const sending = { claims, bodies, terms, journalId, nudge, onSettled };
    const sender = new Sender({ ...shared, ...sending });
    const dispatcher: Dispatcher = new Dispatcher({
      ...{ claims, book, now, onError, spanMs: spanMs(schedule), onGivenUp: () => {} },
      serve: (outlet, share) => sender.serve(outlet, share),
    });
    const onDerived = (ids: Iterable<string>) => dispatcher.nudge(ids);
    const deriver = new Deriver({ ...shared, db, replica, bodies, onDerived });
    return { db, replica, claims, sender, dispatcher, deriver };
  }

  start(): void {
    this.worker = this.open();
    this.worker.dispatcher.start();
    this.worker.deriver.start();
  }

  /** Ends the worker; `kill`: as a crash does, with nothing settled that is under way. */
  end({ kill = false } = {}): void {
    if (!this.worker) return;
    const { db, replica, sender, dispatcher, deriver } = this.worker;
    this.worker = null;
    deriver.stop();
    dispatcher.stop();
    if (!kill) sender.stop();
    // Whoever copies the file shall have all of it.
    db.run("PRAGMA wal_checkpoint(TRUNCATE)");
    for (const file of [replica, db]) file.close();
  }

  /** Changes an endpoint as an operator does. */
  change(over: Partial<Endpoint>, id = "whe_1"): void {
    this.endpoints = this.endpoints.map((each) => {
      return each.endpoint_id === id ? { ...each, ...over, version: each.version + 1 } : each;
    });
  }

  /** All deliveries of a tenant, oldest event first. */
  all({ tenant_id, mode }: Realm = REALM): Delivery[] {
    const store = new DeliveryStore(openDeliveries(this.path, "full"));
    const page = { after: null, limit: 100_000 };
    const found = [...store.list({ tenant_id, mode, visible_property_ids: null }, page).items];
    store.close();
    return found.sort((a, b) => a.seq - b.seq || (a.delivery_id < b.delivery_id ? -1 : 1));
  }

  /** How many deliveries are in each state. */
  states(): Record<string, number> {
    return Object.fromEntries(
      Object.entries(Object.groupBy(this.all(), ({ state }) => state)).map(([state, all]) => [
        state,
        all?.length ?? 0,
      ]),
    );
  }

  stop(): void {
    this.end();
    this.journal.close();
    rmSync(this.directory, { recursive: true });
  }
}
