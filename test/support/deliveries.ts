/** A file of deliveries with what its tests need to fill it. */
import type { Database } from "bun:sqlite";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { UnlistedEvent } from "../../engine/core/public-events.ts";
import type { Head } from "../../engine/log/head.ts";
import { Derivation, type Derived } from "../../jobs/webhooks/derive/derivation.ts";
import type { Endpoint } from "../../jobs/webhooks/endpoint.ts";
import { Claims } from "../../jobs/webhooks/store/claims.ts";
import { type Delivery, newId, type SentAttempt } from "../../jobs/webhooks/store/delivery.ts";
import { DeliveryStore } from "../../jobs/webhooks/store/delivery-store.ts";
import { openDeliveries } from "../../jobs/webhooks/store/schema.ts";
import { deliveriesPath } from "../../src/config.ts";
import type { DemoAgent } from "../../src/ops/demo/demo-file.ts";
import { type Service, until } from "./service.ts";

export const REALM = { tenant_id: "t-1", mode: "live" } as const;
export const NOON = Date.parse("2026-03-01T12:00:00Z");
export const SECRET = `whsec_${Buffer.alloc(24, 7).toString("base64")}`;

/** An endpoint that takes everything. */
export function anEndpoint(over: Partial<Endpoint> = {}): Endpoint {
  return {
    ...{ ...REALM, endpoint_id: "whe_1", url: "https://receiver.example.com/" },
    ...{ kinds: null, property_ids: null, subjects: null, headers: {}, scopes: [] },
    ...{ max_in_flight: 4, max_per_s: null, ordering: "none", state: "active" },
    ...{ format: "json", ota: null },
    ...{ secrets: [SECRET], after_row: 0, version: 1 },
    ...over,
  };
}

/** An event in the row of its own number. */
export function anEvent(seq: number, over: Partial<UnlistedEvent["event"]> = {}): UnlistedEvent {
  return {
    event: {
      ...{ ...REALM, id: `evt_${seq}`, type: "hold.released", seq },
      ...{ timestamp: new Date(NOON).toISOString(), api_version: "2026-11-22" },
      subject: { type: "hold", id: `hld_${seq}`, version: null },
      data: {},
      ...over,
    },
    property_id: "p-1",
  };
}

export function succeeded(over: Partial<SentAttempt> = {}): SentAttempt {
  return {
    ...{ ok: true, reason: null, status: 200, latency_ms: 12, address: "192.0.2.1" },
    ...{ request_id: "req_1", request_headers: { "webhook-id": "evt" } },
    ...{ response_headers: { server: "x" }, excerpt: "fine", retry_after_s: null },
    ...over,
  };
}

export function failed(over: Partial<SentAttempt> = {}): SentAttempt {
  return succeeded({ ok: false, reason: "http_5xx", status: 500, excerpt: "oh no", ...over });
}

/** Delays of 0, 1 and 10 s: three attempts. */
const SCHEDULE = [0, 1_000, 10_000];

export class DeliveriesRig {
  readonly directory = mkdtempSync(join(tmpdir(), "innkeep-deliveries-"));
  readonly path = join(this.directory, "deliveries.db");
  readonly db: Database = openDeliveries(this.path, "normal");
  /** As an api process has it. */
  readonly operatorsDb: Database = openDeliveries(this.path, "full");
  readonly store = new DeliveryStore(this.operatorsDb);
  readonly claims = new Claims(this.db, SCHEDULE);
  readonly derivation = new Derivation(this.db);

  /** Follows these endpoints and derives an event for each of the numbers and each of them. */
  derive(seqs: readonly number[], endpoints = [anEndpoint()], told = anEvent): Delivery[] {
    const progress = this.derivation.follow(endpoints);
    const row = Math.max(...seqs);
    const found = seqs.flatMap((seq) => {
      return endpoints.map((endpoint): Derived => {
        const at = { row: seq, event_at: NOON, prev_seq: seq - 1, trigger: "event" } as const;
        return { endpoint, unlisted: told(seq), ...at };
      });
    });
    const moved = new Map([...progress.keys()].map((id) => [id, { row, seq: row }]));
    const walked = { advances: [], found, skipped: [], progress: moved };
    this.derivation.derive(walked, { cursor: headAt(row) }, NOON);
    return this.all();
  }

  /** Oldest event first. */
  all(): Delivery[] {
    const filter = { ...REALM, visible_property_ids: null };
    const found = [...this.store.list(filter, { after: null, limit: 1_000 }).items];
    return found.sort((a, b) => a.seq - b.seq || (a.delivery_id < b.delivery_id ? -1 : 1));
  }

  /** Takes what is due and settles each as `attempt` says. */
  attempt(attempt: SentAttempt, nowMs = NOON, endpointId = "whe_1"): Delivery[] {
    const taken = this.claims.take(endpointId, 1_000, nowMs);
    const ended = taken.map((delivery) => ({ delivery, at: nowMs, attempt, reason: null }));
    this.claims.settle(ended, nowMs);
    return taken;
  }

  /** Fails the endpoint's deliveries until they are dead. */
  kill(attempt = failed(), endpointId = "whe_1"): void {
    for (const laterMs of [0, 2_000, 20_000]) this.attempt(attempt, NOON + laterMs, endpointId);
  }

  stop(): void {
    this.db.close();
    this.store.close();
    rmSync(this.directory, { recursive: true });
  }
}

/** The place at a row of a journal that was never written. */
export function headAt(row: number, history = ""): Head {
  return { row, chain: Bun.SHA256.hash(`row ${row} ${history}`, "hex") as string };
}

type Given = Partial<Pick<Delivery, "mode" | "property_id" | "kind" | "reason">> &
  Pick<Delivery, "endpoint_id"> & { readonly state?: "in_flight" | "dead_lettered" };

/** Beyond every event that a test makes. */
let givenSeq = 1_000_000;

/** A delivery of the demo tenant as a worker would have left it, after one attempt; its id. */
export function givenDelivery({ dataDir, demo }: Service, given: Given): string {
  const { endpoint_id, mode = "live", property_id = null, state = "dead_lettered" } = given;
  const { kind = "hold.released", reason = "http_5xx" } = given;
  givenSeq += 1;
  const nowMs = Date.now();
  const delivery_id = newId("dlv", nowMs);
  const isOpen = state === "in_flight";
  withDeliveries(dataDir, (db) => {
    const insert = `INSERT INTO delivery (delivery_id, endpoint_id, tenant_id, mode, webhook_id, row,
      seq, prev_seq, kind, subject, property_id, event_at, created_at, state, attempts,
      next_attempt_at, reason, last_status, settled_at, trigger)
      VALUES (?, ?, ?, ?, ?, 1, ?, ?, ?, ?, ?, ?, ?, ?, 1, NULL, ?, 500, ?, 'event')`;
    db.query(insert).run(
      ...([delivery_id, endpoint_id, demo.tenant_id, mode, `evt_given${givenSeq}`] as const),
      ...([givenSeq, givenSeq - 1, kind, `hold:hld_${givenSeq}`, property_id, nowMs] as const),
      ...([nowMs - 1_000, state, reason] as const),
      isOpen ? null : nowMs,
    );
    const attempt = `INSERT INTO attempt (delivery_id, nth, at, latency_ms, reason, status, address,
      request_id, request_headers, response_headers, excerpt)
      VALUES (?, 1, ?, 12, ?, 500, '192.0.2.1', 'req_given', '{}', '{}', 'oh no')`;
    db.query(attempt).run(delivery_id, nowMs, reason);
  });
  return delivery_id;
}

/** The attempt under way fails, and was the last. */
export function killDelivery({ dataDir }: Service, deliveryId: string): void {
  const update =
    "UPDATE delivery SET state = 'dead_lettered', settled_at = ? WHERE delivery_id = ?";
  withDeliveries(dataDir, (db) => db.query(update).run(Date.now(), deliveryId));
}

/** Resolves when the worker knows the endpoint: what is due to others it gives up. */
export async function untilFollowed({ dataDir }: Service, endpointId: string): Promise<void> {
  const select = "SELECT 1 FROM progress WHERE endpoint_id = ?";
  await until("the worker knows the endpoint", () =>
    withDeliveries(dataDir, (db) => db.query(select).get(endpointId) !== null),
  );
}

function withDeliveries<T>(dataDir: string, work: (db: Database) => T): T {
  const db = openDeliveries(deliveriesPath(dataDir), "full");
  try {
    return work(db);
  } finally {
    db.close();
  }
}

/** A recovery of an endpoint that an operator has asked for, all of its dead letters; its id. */
export async function recoveryOf(
  service: Service,
  endpointId: string,
  agent: DemoAgent = service.demo.admin,
): Promise<string> {
  const path = `/v1/admin/webhooks/${endpointId}/recover`;
  const asked = await service.api("POST", path, { agent, body: { since: "2026-01-01T00:00:00Z" } });
  return asked.ok<{ readonly recovery_id: string }>().data.recovery_id;
}
