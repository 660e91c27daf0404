/**
 * Sends the mails with links that guests asked for. A link is worth little later, so a mail that
 * cannot be sent is soon given up.
 */
import { isFinal, type MailFailure } from "../../engine/core/mail-failure.ts";
import { RecordDamaged } from "../../engine/core/record-damage.ts";
import type { Booking } from "../../engine/core/records.ts";
import type { Log } from "../../src/lib/service.ts";
import { DueSender } from "./due-sender.ts";
import type { MailedLink, MailWriter } from "./mail-writer.ts";

const RUN_EVERY_MS = 250;
const RETRY_MS = [2_000, 10_000, 60_000];
const SEND_MS_MAX = 20_000;
const AT_ONCE_MAX = 20;

export interface DueLink {
  readonly link_id: string;
  readonly booking_id: string;
  readonly language: string;
  readonly created_at: number;
  readonly tries: number;
}

/** The links and what their mails contain. */
export interface LinkStore {
  due(nowMs: number, limit: number): readonly DueLink[];
  /** Null: no other try. */
  tried(link: DueLink, next_try_at: number | null): void;
}

export interface GuestLinkMailsOptions {
  readonly store: LinkStore;
  readonly writer: Pick<MailWriter, "postLink" | "linkIdOf">;
  readonly bookingOf: (bookingId: string) => Booking | null;
  /** Address and digits of a link, and the part of a message id that tells it apart. */
  readonly linkOf: (linkId: string) => Omit<MailedLink, "language"> & { readonly part: string };
  /** The life of a link. */
  readonly ttlMs: number;
  /** The clock of the links, epoch milliseconds. */
  readonly now: () => number;
  readonly log: Log;
}

/** The service that sends them. */
export function guestLinkMails(options: GuestLinkMailsOptions): DueSender<DueLink, MailFailure> {
  const { store, now, log } = options;
  return new DueSender<DueLink, MailFailure>({
    ...{ id: "guest link mails", trouble: "cannot send guests' links", log },
    ...{ runEveryMs: RUN_EVERY_MS, atOnceMax: AT_ONCE_MAX, sendMsMax: SEND_MS_MAX },
    due: () => store.due(now(), AT_ONCE_MAX),
    keyOf: ({ link_id }) => link_id,
    send: (link, signal) => send(options, link, signal),
    sent: (link) => store.tried(link, null),
    failed: (link, failure) => failed(options, link, failure),
  });
}

async function send(
  { writer, bookingOf, linkOf }: GuestLinkMailsOptions,
  { booking_id, link_id, language, created_at: dateMs }: DueLink,
  signal: AbortSignal,
): Promise<MailFailure | null> {
  try {
    const booking = bookingOf(booking_id);
    if (!booking) return "booking_unknown";
    const { part, ...mailed } = linkOf(link_id);
    const identity = { message_id: writer.linkIdOf(booking, part), dateMs };
    const sending = await writer.postLink(booking, { ...mailed, language }, identity, signal);
    return sending.ok ? null : sending.reason;
  } catch (error) {
    if (!(error instanceof RecordDamaged)) throw error;
    return "record_damaged";
  }
}

function failed(
  { store, now, log, ttlMs }: GuestLinkMailsOptions,
  link: DueLink,
  reason: MailFailure,
): void {
  const { booking_id, tries, created_at } = link;
  const waitMs = isFinal(reason) ? undefined : RETRY_MS[tries];
  const next = waitMs === undefined ? null : now() + waitMs;
  const isLate = next !== null && next >= created_at + ttlMs;
  store.tried(link, isLate ? null : next);
  log("warn", "a guest's link was not sent", { booking_id, reason, tries });
}
