/** Webhook deliveries with their connection to the control store. */

import { SYSTEM_TIME } from "../../../engine/log/system-time.ts";
import { DamageReports } from "../../../jobs/lanes/damage-reports.ts";
import { Submitter } from "../../../jobs/lanes/submitter.ts";
import type { Connections } from "../../../jobs/redis/connections.ts";
import { ControlSignal } from "../../../jobs/redis/control-signal.ts";
import type { MessageMacs } from "../../../jobs/redis/message-macs.ts";
import { throttledWarnings } from "../../../jobs/redis/throttled-warnings.ts";
import { openDeliveries } from "../../../jobs/webhooks/store/schema.ts";
import { type WebhooksOptions, webhooksOf } from "../../../jobs/webhooks/webhooks.ts";
import { denialIn } from "../../access/control/denials.ts";
import { ControlEndpoints } from "../../access/control/endpoint-book.ts";
import { openControlStore } from "../../access/control/store.ts";
import { guestById } from "../../access/privacy/guest.ts";
import type { KeyVersions } from "../../access/privacy/key-versions.ts";
import type { Secrets } from "../../access/privacy/secrets.ts";
import { type Config, controlPath, deliveriesPath } from "../../config.ts";
import type { Family } from "../../lib/metrics.ts";
import type { Service } from "../../lib/service.ts";
import { startingOn } from "../../lib/store-file.ts";
import { randomHex } from "../../lib/trace.ts";
import { webhookFamilies } from "./webhook-metrics.ts";

type Given = Pick<WebhooksOptions, "prefix" | "installationId" | "replica" | "now" | "log"> & {
  readonly macs: MessageMacs;
  readonly connections: Connections<"producer" | "hot" | "subscriber">;
  /** Decrypts endpoints' secrets and guests' data. */
  readonly masters: KeyVersions;
  /** Authenticates denials. */
  readonly hmac: Uint8Array;
};

/** The services in start order, and their metrics. */
export function webhookParts(
  config: Config,
  secrets: Secrets,
  given: Given,
): { readonly parts: readonly Service[]; readonly families: () => Family[] } {
  const { masters, replica, connections, prefix, macs, now, log } = given;
  const { dataDir, webhooksAllowPrivate } = config;
  const path = deliveriesPath(dataDir);
  const db = openDeliveries(path, "normal");
  const store = openControlStore(controlPath(dataDir), secrets.credential_pepper);
  const closing = { id: "control store", stop: () => store.close() };
  const book = new ControlEndpoints({ store, masters, log, now: SYSTEM_TIME.wallMs });
  const onSignal = (text: string) => {
    const denial = denialIn(given.hmac, text);
    if (denial?.kind === "webhook_endpoint") book.deny(denial.id);
  };
  const signal = new ControlSignal({
    ...{ producer: connections.producer, subscriber: connections.subscriber, prefix },
    ...{ onSignal, onError: throttledWarnings(log, "Redis") },
  });
  // The payments' submitter exists only with a configured provider.
  const submitter = new Submitter({
    ...{ hot: connections.hot, subscriber: connections.subscriber },
    ...{ prefix, macs, lanes: config.lanes, now },
    instance: `webhooks-${randomHex(8)}`,
    byKey: null,
    onError: throttledWarnings(log, "Redis"),
  });
  const webhooks = webhooksOf({
    ...{ ...given, db, book, damage: new DamageReports(submitter, log) },
    ...{ schedule: config.webhookRetryScheduleMs, keptDays: config.webhookRetentionDays },
    openGuest: (bookingId) => guestById(masters, replica.records, bookingId),
    allowPrivate: webhooksAllowPrivate,
  });
  return {
    parts: [
      ...[closing, book, signal, submitter],
      { ...webhooks, start: () => startingOn(path, webhooks.start) },
    ],
    families: () => webhookFamilies(webhooks.figures(), webhooks.lagRows()),
  };
}
