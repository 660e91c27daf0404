/** Mails to guests, as the processes that write them share them. */
import type { Replica } from "../../engine/shell/replica.ts";
import { treeOf } from "../../engine/shell/tree-versions.ts";
import { MailDesk } from "../../jobs/mail/desk.ts";
import { MailStore } from "../../jobs/mail/mail-store.ts";
import { openingFile } from "../base/damaged-file.ts";
import { type Config, mailPath, outboxPath } from "../config.ts";
import { guestOf } from "../privacy/guest.ts";
import type { KeyVersions } from "../privacy/key-versions.ts";

const CATCH_UP_MS = 5;

/** Writes to the guests of an installation, in the words of the property that was booked. */
export function mailDeskOf(config: Config, masters: KeyVersions, replica: Replica): MailDesk {
  return new MailDesk({
    server: config.smtpServer,
    outbox: outboxPath(config.dataDir),
    from: config.mailFrom,
    guestOf: (booking) => guestOf(masters, replica.records, booking)?.primary ?? null,
    treeOf({ quote }) {
      const known = treeOf(replica, quote);
      if (known) return known;
      replica.catchUp(CATCH_UP_MS);
      return treeOf(replica, quote);
    },
  });
}

/**
 * The mails that are due. A file that is new begins where the journal ends, so whoever lets
 * bookings in opens it before the first.
 *
 * @throws StartRefused when it is damaged or of a newer format.
 */
export function openMailStore({ dataDir }: Config, { head }: Pick<Replica, "head">): MailStore {
  const path = mailPath(dataDir);
  return openingFile(path, () => {
    const store = new MailStore(path);
    store.begin(head);
    return store;
  });
}
