/** The mails of a worker process: what the journal makes due, and its way to the guests. */
import { setImmediate as nextTurn } from "node:timers/promises";
import type { RecordReaderOn } from "../../engine/shell/record-store.ts";
import type { Replica } from "../../engine/shell/replica.ts";
import { every, type Log, type Role, roleOf, type Service } from "../../engine/shell/service.ts";
import type { MailDesk } from "./desk.ts";
import { type FollowedJournal, JournalFollower } from "./follower.ts";
import type { MailStore, UnsentMails } from "./mail-store.ts";
import { MailSender } from "./sender.ts";

/** With the places that there are: 50 mails a second, some percents of a core. */
const RUN_EVERY_MS = 100;
const CATCH_UP_MS = 5;

export interface MailsOptions {
  readonly store: MailStore;
  readonly desk: MailDesk;
  readonly journal: FollowedJournal & Pick<Replica, "head" | "catchUp">;
  readonly records: Pick<RecordReaderOn, "booking">;
  readonly now: () => number;
  readonly log: Log;
}

export interface Mails extends Role {
  /** How many went out since the start, and those that did not. */
  readonly figures: () => { readonly sent: number; readonly unsent: readonly UnsentMails[] };
}

/** Writes to guests from its start on. Store and desk are closed with it. */
export function mailsOf(options: MailsOptions): Mails {
  const { store, desk, journal, records, now, log } = options;
  const follower = new JournalFollower({
    ...{ store, journal },
    messageIdOf: (of, kind) => desk.messageIdOf(of, kind),
  });
  const sender = new MailSender({
    ...{ store, desk, now, log },
    bookingOf: (id) => records.booking(id),
  });
  let isRunning = false;
  let isEnding = false;
  let isHeldUp = false;
  const run = async () => {
    if (isRunning) return;
    isRunning = true;
    try {
      // What is folded is seen by it. One slice a turn: whoever was away for long holds nobody up.
      journal.catchUp(CATCH_UP_MS);
      while (!isEnding && follower.readSlice()) await nextTurn();
      // What is written speaks of the property as it was booked: the fold must have seen it.
      const isBehind = () => journal.head.row < follower.lastFound;
      while (!isEnding && isBehind() && !journal.catchUp(CATCH_UP_MS)) await nextTurn();
      if (!isEnding) sender.run();
      isHeldUp = false;
    } catch (error) {
      // A full disk, most likely: told once, tried until it passes.
      if (!isHeldUp) log("error", "mails are held up", { error: String(error) });
      isHeldUp = true;
    } finally {
      isRunning = false;
    }
  };
  const files: Service = {
    id: "mail files",
    stop() {
      desk.close();
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
