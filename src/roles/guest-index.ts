/**
 * Guests of bookings from before they could be found: their hashes are made at the first start, by
 * the engine's process, which has the keys and is the one that may write. Once; a crash in the
 * midst goes on where it was.
 */
import { RecordDamaged } from "../../engine/core/record-damage.ts";
import { noteGuest, unfoundGuests } from "../../engine/shell/desk-index.ts";
import type { Journal } from "../../engine/shell/journal.ts";
import { RecordReaderOn } from "../../engine/shell/record-store.ts";
import type { Log } from "../../engine/shell/service.ts";
import { beat } from "../base/heartbeat.ts";
import { guestById } from "../privacy/guest.ts";
import { guestHashes } from "../privacy/guest-hashes.ts";
import type { Keychain } from "../privacy/keychain.ts";

const GUESTS_PER_WRITE = 500;

/** Lets every guest be found; where a key or a record is damaged, or gone, there is nobody. */
export function indexGuests(journal: Journal, keys: Keychain, log: Log): void {
  const records = new RecordReaderOn(journal.db);
  const startedMs = performance.now();
  let found = 0;
  for (let after = ""; ; ) {
    const ids = unfoundGuests(journal.db, after, GUESTS_PER_WRITE);
    const last = ids.at(-1);
    if (last === undefined) break;
    const hashed = ids.flatMap((id) => hashesOf(id, records, keys));
    if (hashed.length > 0) {
      journal.append([], () => {
        for (const [id, hashes] of hashed) noteGuest(journal.db, id, hashes);
      });
    }
    found += hashed.length;
    after = last;
    beat();
  }
  if (found === 0) return;
  const ms = Math.round(performance.now() - startedMs);
  log("info", "guests of earlier bookings can be found", { bookings: found, ms });
}

function hashesOf(id: string, records: RecordReaderOn, { encryption, hmac }: Keychain) {
  try {
    const booking = records.booking(id);
    const guest = guestById(encryption, records, id);
    if (!booking || !guest) return [];
    return [[id, guestHashes(hmac, booking.tenant_id, guest.primary)] as const];
  } catch (error) {
    if (error instanceof RecordDamaged) return [];
    throw error;
  }
}
