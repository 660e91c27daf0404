/** Bugs in what must last: the journal's file, keys, copies, time, damage. */
import type { Mutant } from "./mutant.ts";

const GUEST = "engine/shell/guest-key.test.ts";
const WAL = "engine/shell/wal.test.ts";

export const IN_WHAT_LASTS: readonly Mutant[] = [
  {
    name: "the guest's wrapped key is lost",
    file: "engine/shell/engine.ts",
    find: "      if (subjectKey) this.#records.putSubjectKey(subjectKey);\n",
    replace: "",
    killer: GUEST,
    test: "the key of a guest's data is in the file when the booking is answered",
  },
  {
    name: "a wrapped key is not written with its group",
    file: "engine/shell/record-store.ts",
    find: "      this.#statements.subjectKey.run(booking_id, wrapped_key, email, name);\n",
    replace: "",
    killer: GUEST,
    test: "the key of a guest's data is in the file when the booking is answered",
  },
  {
    name: "the WAL is never folded back",
    file: "engine/shell/engine.ts",
    find: "    journal.maybeCheckpoint(performance.now());\n",
    replace: "",
    killer: WAL,
    test: "while 40 MiB are written the log stays within 16",
  },
  {
    name: "the WAL is never large enough to be folded back",
    file: "engine/shell/journal.ts",
    find: "if (this.walBytes() < CHECKPOINT_WAL_BYTES) return;",
    replace: "if (this.walBytes() < CHECKPOINT_WAL_BYTES * 1e6) return;",
    killer: WAL,
    test: "while 40 MiB are written the log stays within 16",
  },
  {
    name: "a place inside a block is believed whatever led to it",
    file: "engine/shell/block.ts",
    find: "? this.chainAt(place.row) === place.chain",
    replace: "? true",
    killer: "engine/shell/journal-tail.test.ts",
    test: "a place inside a block that another chain leads to is not gone on from",
  },
  {
    name: "a key is lost when its table grows",
    file: "engine/shell/key-index.ts",
    find: "placeOf(after, high >>> ROW_HIGH_BITS, b, c);",
    replace: "placeOf(after, high >>> ROW_HIGH_BITS, c, b);",
    killer: "engine/shell/key-index.test.ts",
    test: "keys stay known while the tables grow",
  },
  {
    name: "a separator in a text is taken for one of the row",
    file: "engine/core/fields.ts",
    find: '/[|,~"',
    replace: '/[,~"',
    killer: "engine/core/row-codec.test.ts",
    test: "a quote survives its text member by member, in the same order",
  },
  {
    name: "a stay begins a day late once its quote was stored",
    file: "engine/core/quote-codec.ts",
    find: "this.checkInDay = fields.number();",
    replace: "this.checkInDay = fields.number() + 1;",
    killer: "engine/core/row-codec.test.ts",
    test: "a quote survives its text member by member, in the same order",
  },
  {
    name: "payments without a verdict are not found by state",
    file: "engine/shell/record-store.ts",
    find: "WHERE state IN ('pending', 'unknown') AND id >= ?`,",
    replace: "WHERE state IN ('pending', 'unknown') AND state = 'pending' AND id >= ?`,",
    killer: "engine/shell/record-store.test.ts",
    test: "what waits for the provider is found by state, from any id on",
  },
  {
    name: "a copied directory goes on as its original",
    file: "src/base/installation.ts",
    find: "isOriginal: note.identity === identityOf(stat)",
    replace: "isOriginal: identityOf(stat) !== null",
    killer: "src/base/installation.test.ts",
    test: "cp -a makes another installation",
  },
  {
    name: "a file that others can read is taken for secret",
    file: "src/privacy/secrets.ts",
    find: "if ((stat.mode & 0o077) !== 0) {",
    replace: "if ((stat.mode & 0o077) === 0o077) {",
    killer: "src/privacy/secrets.test.ts",
    test: "a file that others can read is refused with the command that cures it",
  },
  {
    name: "the clock goes back with the wall clock",
    file: "engine/shell/clock.ts",
    find: "this.#floorMs = Math.max(this.#floorMs, nowMs);",
    replace: "this.#floorMs = nowMs;",
    killer: "engine/shell/clock.test.ts",
    test: "a stamp is a whole number and never less than the one before",
  },
];
