/** Dependencies of the HTTP front end, built once by the api role. */
import type { Realm } from "../../engine/core/supply.ts";
import type { Replica } from "../../engine/log/replica.ts";
import type { ReceiptKeys } from "../../engine/writer/receipts.ts";
import type { FeedStore } from "../../jobs/feed-runs/store.ts";
import type { KpiReader } from "../../jobs/kpis/reader.ts";
import type { TrafficCounter } from "../../jobs/kpis/traffic-counter.ts";
import type { TrafficFile } from "../../jobs/kpis/traffic-file.ts";
import type { DamageReports } from "../../jobs/lanes/damage-reports.ts";
import type { QuoteStore } from "../../jobs/lanes/quote-store.ts";
import type { Submitter } from "../../jobs/lanes/submitter.ts";
import type { MailStore } from "../../jobs/mail/mail-store.ts";
import type { MailWriter } from "../../jobs/mail/mail-writer.ts";
import type { PaymentPages } from "../../jobs/payments/provider.ts";
import type { PaymentsQueue } from "../../jobs/payments/queue.ts";
import type { Board } from "../../jobs/redis/board.ts";
import type { ControlSignal } from "../../jobs/redis/control-signal.ts";
import type { RateLimiter } from "../../jobs/redis/rate-limiter.ts";
import type { BulkReplays } from "../../jobs/webhooks/recover/bulk-replays.ts";
import type { DeliveryStore } from "../../jobs/webhooks/store/delivery-store.ts";
import type { AccessTokens } from "../access/auth/access-token.ts";
import type { Authentication } from "../access/auth/bearer.ts";
import type { DelegationGrant } from "../access/auth/delegation.ts";
import type { KeyRing } from "../access/auth/key-ring.ts";
import type { CheckoutSessions } from "../access/control/checkout-sessions.ts";
import type { ConsoleSessions } from "../access/control/console-sessions.ts";
import type { GuestSessions } from "../access/control/guest-sessions.ts";
import type { LastUsed } from "../access/control/last-used.ts";
import type { NoticeSender } from "../access/control/notice-sender.ts";
import type { OauthStore } from "../access/control/oauth-store.ts";
import type { Principal } from "../access/control/principal.ts";
import type { ControlStore } from "../access/control/store.ts";
import type { ControlView } from "../access/control/view.ts";
import type { Keychain } from "../access/privacy/keychain.ts";
import type { AdvisorSessions } from "../advisor/sessions.ts";
import type { Config } from "../config.ts";
import type { Logger } from "../lib/log.ts";
import type { Metrics } from "../lib/metrics.ts";
import type { RequestLog } from "../lib/request-log.ts";
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
  /** The same caller with its current rights, for calls that stay open. */
  readonly again?: (() => Authentication) | undefined;
  /** True when answers may offer it every call, not those of tools alone. */
  readonly hasRoutes?: boolean;
  /** Consent that a person gave on a page of this process, in place of a delegation token. */
  readonly consent?: DelegationGrant | undefined;
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
  readonly kpis: KpiReader;
  /** Counts requests by agent and route, for key figures. */
  readonly traffic: TrafficCounter;
  readonly trafficFile: TrafficFile;
  readonly limiter: RateLimiter;
  /** Takes hints of the payment provider. */
  readonly payments: Pick<PaymentsQueue, "hint">;
  /** Pages of the payment provider for the checkout; null where cards are chosen on ours. */
  readonly paymentPages: PaymentPages | null;
  readonly board: Board;
  readonly advisor: AdvisorSessions;
  readonly consoleSessions: ConsoleSessions;
  readonly checkout: CheckoutSessions;
  readonly guests: GuestSessions;
  /** Clients of OAuth that registered themselves, and what operators gave them. */
  readonly oauth: OauthStore;
  /** Sends mails to guests on request; the worker sends the others. */
  readonly mailWriter: MailWriter;
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
  /** Engine time, epoch milliseconds: for the work of workers and for the order of rows. */
  readonly engineNow: () => number;
}

export interface Context extends Parts {
  /**
   * Engine time in a realm, where a test clock may have moved it, epoch milliseconds: for the
   * engine's decisions: quotes and their ids, what "today" is, dates that must not have passed, and
   * fees by the hour.
   */
  readonly timeIn: (realm: Realm | undefined) => number;
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
