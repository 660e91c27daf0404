/** The webhooks of a worker process: from the journal to the receivers. */
import type { Database } from "bun:sqlite";
import type { Replica } from "../../engine/log/replica.ts";
import { type Log, type Role, roleOf } from "../../src/lib/service.ts";
import type { DamageReports } from "../lanes/damage-reports.ts";
import type { Connections } from "../redis/connections.ts";
import { throttledWarnings } from "../redis/throttled-warnings.ts";
import { Deriver } from "./derive/deriver.ts";
import { Dispatcher } from "./dispatch/dispatcher.ts";
import { DeliveryMetrics, type WebhookFigures } from "./dispatch/figures.ts";
import type { EndpointBook } from "./endpoint.ts";
import { backlogLimit } from "./recover/backlog-limit.ts";
import { bulkReplayService } from "./recover/bulk-replays.ts";
import { DeadLetters } from "./recover/dead-letters.ts";
import { Bodies, type OpenGuest } from "./send/bodies.ts";
import { Sender } from "./send/sender.ts";
import { Claims } from "./store/claims.ts";
import { historyId } from "./store/delivery.ts";
import { Retention } from "./store/retention.ts";
import { type RetrySchedule, spanMs } from "./store/retry.ts";

export interface WebhooksOptions {
  readonly connections: Connections<"producer">;
  readonly prefix: string;
  readonly installationId: string;
  /** `deliveries.db`; closed with this. */
  readonly db: Database;
  readonly replica: Replica;
  readonly book: EndpointBook;
  readonly openGuest: OpenGuest;
  readonly damage: Pick<DamageReports, "report">;
  readonly schedule: RetrySchedule;
  /** Days that settled deliveries are kept. */
  readonly keptDays: number;
  /** Development only: receivers may have private addresses. */
  readonly allowPrivate: boolean;
  /** Engine time, epoch milliseconds. */
  readonly now: () => number;
  readonly log: Log;
}

export interface Webhooks extends Role {
  readonly figures: () => WebhookFigures;
  /** Rows of the journal without derived deliveries. */
  readonly lagRows: () => number;
}

/** Delivers events after its start. Connections, replica and book must outlive it. */
export function webhooksOf(options: WebhooksOptions): Webhooks {
  const { connections, db, replica, book, openGuest, damage } = options;
  const { schedule, now, log } = options;
  const onError = throttledWarnings(log, "webhooks");
  const shared = { ...options, producer: connections.producer, onError };
  const claims = new Claims(db, schedule);
  const bodies = new Bodies(replica.journal, replica, openGuest, now);
  const dead = new DeadLetters({ ...shared, claims });
  const sender = new Sender({
    ...{ claims, bodies, book, now, damage, log, terms: options },
    journalId: historyId(options.installationId, replica.journalId),
    nudge: (ids) => dispatcher.nudge(ids),
    onSettled(served, ended, isDead) {
      metrics.noteSettled(served, ended, isDead);
      if (isDead) dead.note();
    },
  });
  const dispatcher: Dispatcher = new Dispatcher({
    ...{ claims, book, now, onError, spanMs: spanMs(schedule) },
    serve: (served, share) => sender.serve(served, share),
    onGivenUp(reason, count) {
      metrics.noteDead(reason, count);
      dead.note();
    },
  });
  const metrics = new DeliveryMetrics({
    claims,
    now,
    servedEndpoints: () => dispatcher.servedEndpoints,
  });
  const onDerived = (ids: Iterable<string>) => dispatcher.nudge(ids);
  const deriver = new Deriver({ db, replica, book, bodies, now, onDerived, damage, log });
  const files = {
    id: "deliveries",
    stop() {
      db.close();
    },
  };
  const retention = new Retention(options);
  const backlog = backlogLimit({ db, book, now, log });
  const bulkReplays = bulkReplayService({ db, now, onReplayed: onDerived, onError });
  const parts = [files, retention, backlog, dead, sender, dispatcher, deriver, bulkReplays];
  return {
    ...roleOf("webhooks", parts, log),
    figures: () => metrics.figures(),
    lagRows: () => deriver.lagRows,
  };
}
