/** Construction of the mail writer and of the store of due mails. */
import type { Replica } from "../../../engine/log/replica.ts";
import { treeOf } from "../../../engine/log/tree-versions.ts";
import { MailStore } from "../../../jobs/mail/mail-store.ts";
import { MailWriter } from "../../../jobs/mail/mail-writer.ts";
import { guestOf } from "../../access/privacy/guest.ts";
import type { KeyVersions } from "../../access/privacy/key-versions.ts";
import { type Config, mailPath, outboxPath } from "../../config.ts";
import { refusingDamage } from "../../lib/store-file.ts";

const CATCH_UP_MS = 5;

/** The mail writer of this process; a mail has the texts of the booked property's version. */
export function mailWriterOf(config: Config, masters: KeyVersions, replica: Replica): MailWriter {
  return new MailWriter({
    server: config.smtpServer,
    outbox: outboxPath(config.dataDir),
    from: config.mailFrom,
    guestUrl: `${config.baseUrl}/guest`,
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
 * The store of due mails. A new file begins at the journal's head, so it is opened before the first
 * booking.
 *
 * @throws StartRefused when it is damaged or of a newer format.
 */
export function openMailStore({ dataDir }: Config, { head }: Pick<Replica, "head">): MailStore {
  const path = mailPath(dataDir);
  return refusingDamage(path, () => {
    const store = new MailStore(path);
    store.begin(head);
    return store;
  });
}
