/** Dependencies of the HTTP front end, built once by the api role. */
import type { ReceiptKeys } from "../../engine/shell/receipts.ts";
import type { Replica } from "../../engine/shell/replica.ts";
import type { Board } from "../../jobs/board.ts";
import type { ControlSignal } from "../../jobs/control-signal.ts";
import type { DamageReports } from "../../jobs/damage-reports.ts";
import type { FeedQueue } from "../../jobs/feeds/queue.ts";
import type { FeedStore } from "../../jobs/feeds/store.ts";
import type { KpiReader } from "../../jobs/kpis/reader.ts";
import type { TrafficCounter } from "../../jobs/kpis/traffic-counter.ts";
import type { TrafficFile } from "../../jobs/kpis/traffic-file.ts";
import type { MailDesk } from "../../jobs/mail/desk.ts";
import type { MailStore } from "../../jobs/mail/mail-store.ts";
import type { QuoteStore } from "../../jobs/quote-store.ts";
import type { RateLimiter } from "../../jobs/rate-limiter.ts";
import type { Submitter } from "../../jobs/submitter.ts";
import type { BulkReplays } from "../../jobs/webhooks/bulk-replays.ts";
import type { DeliveryStore } from "../../jobs/webhooks/store.ts";
import type { AdvisorSessions } from "../advisor/sessions.ts";
import type { AccessTokens } from "../auth/access-token.ts";
import type { KeyRing } from "../auth/key-ring.ts";
import type { Logger } from "../base/log.ts";
import type { Metrics } from "../base/metrics.ts";
import type { RequestLog } from "../base/request-log.ts";
import type { Config } from "../config.ts";
import type { LastUsed } from "../control/last-used.ts";
import type { NoticeSender } from "../control/notice-sender.ts";
import type { Principal } from "../control/principal.ts";
import type { ControlStore } from "../control/store.ts";
import type { ControlView } from "../control/view.ts";
import type { Keychain } from "../privacy/keychain.ts";
import type { Listeners } from "./listeners.ts";
import type { Routes } from "./route-table.ts";

/** The installation's keys, with all versions of rotating ones. */
export interface Keys extends Pick<Keychain, "encryption" | "quotes" | "hmac"> {
  readonly receipts: ReceiptKeys;
}

/** Where a request comes from. */
export interface Origin {
  /** Whom a limit per address counts. */
  readonly clientAddress: () => string;
  /**
   * Set by a front end of this process after steps 2, 3 and 5 (a tool call is one request, even if
   * it uses several handlers).
   */
  readonly principal?: Principal;
}

/** Credentials of demo visitors. */
export interface DemoDesk {
  readonly tenant_id: string;
  /** The demo agent's. */
  readonly agentSecret: string;
  /** Issuer of the demo's travelers, in both modes. */
  readonly iss: string;
  /** The consent of an invented traveler. */
  readonly consentOf: (sub: string, ttlS: number) => Promise<string>;
}

/** What the api role gives. */
export interface Parts {
  readonly config: Config;
  readonly keys: Keys;
  readonly control: ControlView;
  /** The control store, for admin routes; see `control-write.ts`. */
  readonly store: ControlStore;
  readonly signal: ControlSignal;
  readonly notices: NoticeSender;
  readonly lastUsed: LastUsed;
  readonly keyRing: KeyRing;
  /** Null when OAuth is not configured. */
  readonly accessTokens: AccessTokens | null;
  readonly replica: Replica;
  /** Id of the replica's history; changes after a restore or an accepted loss. */
  readonly historyId: string;
  /** Calls that wait for events. */
  readonly listeners: Listeners;
  readonly submitter: Submitter;
  /** Reports damaged records met by this process. */
  readonly damage: DamageReports;
  readonly quotes: QuoteStore;
  /** Deliveries to webhook endpoints, sent and due. */
  readonly deliveries: DeliveryStore;
  readonly recoveries: BulkReplays;
  /** Published partner feeds and their runs. */
  readonly feeds: FeedStore;
  readonly feedQueue: FeedQueue;
  readonly kpis: KpiReader;
  /** Counts requests by agent and route, for key figures. */
  readonly traffic: TrafficCounter;
  readonly trafficFile: TrafficFile;
  readonly limiter: RateLimiter;
  readonly board: Board;
  /** Advisor sessions. */
  readonly advisor: AdvisorSessions;
  /** Sends mails to guests on request; the worker sends the others. */
  readonly mailDesk: MailDesk;
  /** Counts requested copies of mails. */
  readonly mails: Pick<MailStore, "takeCopy" | "giveBackCopy">;
  /** Null without a demo, or before it is ready. */
  readonly demo: () => Promise<DemoDesk | null>;
  readonly metrics: Metrics;
  readonly log: Logger;
  /** Requests that were refused or failed, by their trace id. */
  readonly requestLog: RequestLog;
  /**
   * The later of wall clock and engine time (`expiryClock`), epoch milliseconds: for data shared
   * with others: tokens, consent and credentials (issue, expiry, use), key sets and the timestamps
   * of health.
   */
  readonly now: () => number;
  /**
   * Engine time, epoch milliseconds: for the engine's decisions: quotes and their ids, what "today"
   * is, dates that must not have passed, and fees by the hour.
   */
  readonly engineNow: () => number;
}

export interface Context extends Parts {
  /** Every route of the service, for the documents that describe them. */
  readonly routes: Routes;
  /** Answers a request to the route of that id without the network; see `in-process.ts`. */
  readonly dispatch: (
    id: string,
    request: Request,
    params: Readonly<Record<string, string>>,
    origin: Origin,
  ) => Promise<Response>;
}
