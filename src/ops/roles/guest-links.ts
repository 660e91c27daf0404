/** Mails with links to guests: the links of `guest.db`, with the key that makes their tokens. */
import type { Replica } from "../../../engine/log/replica.ts";
import { SYSTEM_TIME } from "../../../engine/log/system-time.ts";
import { type GuestLinkMailsOptions, guestLinkMails } from "../../../jobs/mail/guest-links.ts";
import {
  GuestSessions,
  LINK_TTL_MS,
  linkCodeOf,
  linkTokenOf,
} from "../../access/control/guest-sessions.ts";
import { hmacHex } from "../../access/privacy/personal-data.ts";
import type { Config } from "../../config.ts";
import type { Service } from "../../lib/service.ts";
import { expiryClock } from "./expiry-clock.ts";

const PART_BYTES = 8;

/** The services in start order. */
export function guestLinkParts(
  { dataDir, baseUrl }: Config,
  given: Pick<GuestLinkMailsOptions, "writer" | "now" | "log"> & {
    readonly hmac: Uint8Array;
    readonly replica: Pick<Replica, "records">;
  },
): readonly Service[] {
  const { hmac, replica, writer, log } = given;
  const store = new GuestSessions(dataDir, hmac);
  const mails = guestLinkMails({
    ...{ writer, log, store, ttlMs: LINK_TTL_MS },
    // The clock that the api makes links by.
    now: expiryClock(SYSTEM_TIME.wallMs, given.now),
    bookingOf: (id) => replica.records.booking(id),
    linkOf: (linkId) => ({
      url: `${baseUrl}/guest/enter?t=${linkTokenOf(hmac, linkId)}`,
      code: linkCodeOf(hmac, linkId),
      part: hmacHex(hmac, JSON.stringify(["guest-mail", linkId]), PART_BYTES),
    }),
  });
  return [{ id: "guest links", stop: () => store.close() }, mails];
}
