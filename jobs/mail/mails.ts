/** The mails of a worker process: finds due mails and sends them. */
import { setImmediate as nextTurn } from "node:timers/promises";
import type { RecordReaderOn } from "../../engine/log/record-reader.ts";
import type { Replica } from "../../engine/log/replica.ts";
import { every, type Log, type Role, roleOf, type Service } from "../../src/lib/service.ts";
import { ErasureLooks, removeErased } from "./erased-mails.ts";
import { type FollowedJournal, JournalFollower } from "./follower.ts";
import type { MailStore, UnsentMails } from "./mail-store.ts";
import type { MailWriter } from "./mail-writer.ts";
import { MailSender } from "./sender.ts";

/** With `SMTP_IN_FLIGHT_MAX` 50 mails a second, at a few percent of a core. */
const RUN_EVERY_MS = 100;
const CATCH_UP_MS = 5;

export interface MailsOptions {
  readonly store: MailStore;
  readonly writer: MailWriter;
  /** Directory of mails as files. */
  readonly outbox: string;
  readonly journal: FollowedJournal & Pick<Replica, "head" | "catchUp">;
  readonly records: Pick<RecordReaderOn, "booking" | "wrappedKey">;
  readonly now: () => number;
  readonly log: Log;
}

export interface Mails extends Role {
  /** Mails sent since the start, and the unsent ones. */
  readonly figures: () => { readonly sent: number; readonly unsent: readonly UnsentMails[] };
}

/** Sends mails after its start. Closes store and writer when it stops. */
export function mailsOf(options: MailsOptions): Mails {
  const { store, writer, outbox, journal, records, now, log } = options;
  const follower = new JournalFollower({
    ...{ store, journal },
    messageIdOf: (of, kind, nth) => writer.messageIdOf(of, kind, nth),
  });
  const sender = new MailSender({
    ...{ store, writer, now, log },
    bookingOf: (id) => records.booking(id),
  });
  const looks = new ErasureLooks();
  looks.begin(performance.now());
  journal.watchRows(({ events }) => {
    if (events.some(({ type }) => type === "guest.erased")) looks.begin(performance.now());
  });
  let isRunning = false;
  let isEnding = false;
  let hasFailed = false;
  const run = async () => {
    if (isRunning) return;
    isRunning = true;
    try {
      // The follower sees rows as they are folded. One slice per turn keeps the process responsive.
      journal.catchUp(CATCH_UP_MS);
      while (!isEnding && follower.readSlice()) await nextTurn();
      // A letter needs the booked version of the property, so the fold must include its row.
      const isBehind = () => journal.head.row < follower.lastFound;
      while (!isEnding && isBehind() && !journal.catchUp(CATCH_UP_MS)) await nextTurn();
      if (!isEnding) sender.run();
      if (!isEnding && looks.isDue(performance.now())) {
        // Of a booking that is not known nothing says that its guest was erased.
        const isErased = (id: string) => {
          return records.booking(id) !== null && records.wrappedKey(id) === null;
        };
        await removeErased(outbox, isErased);
      }
      hasFailed = false;
    } catch (error) {
      // Probably a full disk: logged once and retried.
      if (!hasFailed) log("error", "cannot send mails", { error: String(error) });
      hasFailed = true;
    } finally {
      isRunning = false;
    }
  };
  const files: Service = {
    id: "mail files",
    stop() {
      writer.close();
      store.close();
    },
  };
  const timer = every("mail timer", RUN_EVERY_MS, () => void run());
  const end = () => {
    isEnding = true;
    timer.stop();
  };
  const role = roleOf("mails", [files, sender, { ...timer, drain: end, stop: end }], log);
  return { ...role, figures: () => ({ sent: sender.sent, unsent: store.unsent() }) };
}
