/** Bugs in what must last: the journal's file, keys, copies, damage. */
import type { ByKiller } from "./mutant.ts";

export const IN_WHAT_LASTS: ByKiller = {
  "engine/writer/guest-key.test.ts": [
    {
      name: "the guest's wrapped key is lost",
      in: "engine/writer/decider.ts Decider.#accept",
      drop: "putSubjectKey",
      test: "the key of a guest's data is in the file when the booking is answered",
    },
    {
      name: "a wrapped key is not written with its group",
      in: "engine/log/beside-writer.ts BesideWriter.write",
      drop: "subjectKey.run",
      test: "the key of a guest's data is in the file when the booking is answered",
    },
  ],
  "engine/log/erasures.test.ts": [
    {
      name: "the key of an erased guest stays",
      in: "engine/log/beside-writer.ts BesideWriter.write",
      drop: "eraseKeys",
      test: "an erased key is in no file: neither in the database nor in its write-ahead log",
    },
    {
      name: "the key of an erased guest stays in the write-ahead log",
      in: "engine/log/beside-writer.ts BesideWriter.write",
      drop: "this.#onErased",
      test: "an erased key is in no file: neither in the database nor in its write-ahead log",
    },
    {
      name: "an erasure is not listed for restores",
      in: "engine/log/beside-writer.ts BesideWriter.write",
      drop: "appendErasures",
      test: "an erased key is in no file: neither in the database nor in its write-ahead log",
    },
  ],
  "src/ops/backups/backups.test.ts": [
    {
      name: "a restore brings erased guests back",
      in: "src/ops/backups/restore.ts eraseAgain",
      always: "0",
      test: "a guest who was erased after a back-up is erased again by its restore",
    },
  ],
  "src/lib/changed-rows.test.ts": [
    {
      name: "a row that another one replaces is not noted",
      in: "src/lib/changed-rows.ts noteChangedRows",
      text: ["recursive_triggers = ON", "recursive_triggers = OFF"],
      test: "a copy that applies what was noted equals the file",
    },
    {
      name: "a row whose key changes stays in copies under its former key",
      in: "src/lib/changed-rows.ts triggersOf",
      drop: 'trigger("move"',
      test: "a copy that applies what was noted equals the file",
    },
    {
      name: "rows from before the first note are in no copy",
      in: "src/lib/changed-rows.ts noteChangedRows",
      instead: ["isNew || isUpgraded", "isUpgraded"],
      test: "a copy that applies what was noted equals the file",
    },
    {
      name: "bytes come to a copy as text",
      in: "src/lib/changed-rows.ts jsonValue",
      text: ["'blob'", "'none'"],
      test: "a copy that applies what was noted equals the file",
    },
  ],
  "src/api/feeds/answer-stream.test.ts": [
    {
      name: "an answer whose part is late stands still",
      in: "src/api/feeds/answer-stream.ts nextChunk",
      instead: ['text === "" ||', "false ||"],
      test: "slow and empty pieces come to their end, identity",
    },
  ],
  "engine/log/wal.test.ts": [
    {
      name: "the WAL is never folded back",
      in: "engine/writer/engine.ts Engine.#betweenGroups",
      drop: "maybeCheckpoint",
      test: "the log stays within 16 MiB while 40 MiB are written",
    },
    {
      name: "the WAL is never large enough to be folded back",
      in: "engine/log/wal.ts Wal.maybeCheckpoint",
      holds: "this.bytes",
      test: "the log stays within 16 MiB while 40 MiB are written",
    },
  ],
  "engine/log/archive/archiving.test.ts": [
    {
      name: "rows leave the database for a segment that has others",
      in: "engine/log/block.ts mustEqualCopies",
      always: "",
      test: "only rows that equal the segment's are removed: no other row, block or journal",
    },
    {
      name: "a row is looked for in the frame after its own",
      in: "engine/log/archive/segment.ts SegmentFile.frameWith",
      instead: ["< row", "<= row"],
      test: "every reader finds every row unchanged when most rows are in segments",
    },
    {
      name: "what is sealed stays packed, and is packed once more",
      in: "engine/log/archive/segment.ts SegmentWriter.add",
      instead: ["plainBlock(stored)", "stored"],
      test: "a segment stores plain texts, so that content shared by blocks compresses once",
    },
    {
      name: "what comes back into the database is not packed",
      in: "engine/log/journal.ts Journal.restoreArchived",
      instead: ["packedBlock(stored, this.#packedFromBytes)", "stored"],
      test: "rows return to the database, from the newest segment on, until none is left",
    },
    {
      name: "a damaged frame of a segment is read",
      in: "engine/log/archive/segment.ts SegmentFile.blocksOf",
      drop: "frame.crc",
      test: "a frame with a wrong checksum is refused, even with correct content",
    },
    {
      name: "rows leave the database for a segment of a past that was given up",
      in: "engine/log/archive/archiving.ts mustLeadInto",
      always: "",
      test: "no row is removed for a segment with rows that were abandoned since",
    },
    {
      name: "a segment that the disk refuses to read is no damage",
      in: "engine/log/archive/segment.ts unreadable",
      always: "error",
      test: "a missing, truncated, flipped or foreign segment is refused by name",
    },
    {
      name: "a segment that is gone is passed over by a search",
      in: "engine/log/archive/segments.ts Segments.#fileWith",
      instead: [
        "throw missing(this.#journalPath, row)",
        "return this.#opened(this.#places[0]!, archived)",
      ],
      test: "a missing, truncated, flipped or foreign segment is refused by name",
    },
    {
      name: "rows that leave while a page is read are missed",
      in: "engine/log/journal-reader.ts SqliteJournalReader.pageAfter",
      holds: "page.blocks.length === 0",
      test: "a follower misses no row while rows leave between its pages",
    },
  ],
  "engine/log/journal-reader.test.ts": [
    {
      name: "who has enough of the rows stays in the past",
      in: "engine/log/journal-reader.ts SqliteJournalReader.#blocksFrom",
      drop: "stored.return",
      test: "a reader that stops early sees the rows written later",
    },
    {
      name: "words are looked for in what is packed",
      in: "engine/log/journal-reader.ts SqliteJournalReader.#rowsBetween",
      instead: ["isNamed(plain.payload)", "isNamed(Buffer.from(stored.payload))"],
      test: "a search by words in a range of rows finds matching rows, not their neighbours",
    },
    {
      name: "a chain that no block leads to is handed out",
      in: "engine/log/journal-reader.ts SqliteJournalReader.#linked",
      instead: ["block.mustContinue(before)", "block.mustFollow(before.row)"],
      test: "rows of a wrong chain are never returned, and missing rows are never skipped",
    },
  ],
  "engine/log/payload.test.ts": [
    {
      name: "half of what was packed is believed",
      in: "engine/log/payload.ts textBytesOf",
      instead: ["said === count", "said !== null"],
      test: "a frame of less than is said is Damage",
    },
    {
      name: "a frame that another follows is opened, and so is the other",
      in: "engine/log/payload.ts contentBytesOf",
      instead: ["!== frame.length", "=== null"],
      test: "a truncated frame, trailing bytes and bytes without a frame give no size",
    },
    {
      name: "what is longer packed is packed",
      in: "engine/log/payload.ts payloadOf",
      drop: "HEAD_BYTES + frame.length >= bytes.length",
      test: "a text is stored plain when it is short or has no repetition",
    },
  ],
  "engine/log/archive/archiver.test.ts": [
    {
      name: "who is told to remove a segment loses the rows that have left for it",
      in: "engine/log/archive/archiving.ts redundantSegment",
      instead: ["place?.first === archived.row + 1", "place !== undefined"],
      test: "the log does not advise removing a segment once some of its rows have left the database",
    },
  ],
  "engine/log/keys/keys.test.ts": [
    {
      name: "a run that is half written keeps a full disk full",
      in: "engine/log/keys/key-run-keeper.ts KeyRunKeeper.#write",
      drop: "this.#disk.remove",
      test: "a keeper on a full disk leaves nothing half written",
    },
    {
      name: "of a key in two runs the older row wins",
      in: "engine/log/keys/key-run-merge.ts mergeEntries",
      instead: ["order < 0", "order <= 0"],
      test: "random histories with runs, merges and restarts give the same results as a Map",
    },
    {
      name: "the last entry of a shard is not found",
      in: "engine/log/keys/key-run.ts KeyRun.find",
      instead: ["this.#starts[key.shard + 1]!", "this.#starts[key.shard + 1]! - 1"],
      test: "random histories with runs, merges and restarts give the same results as a Map",
    },
    {
      name: "the key of an effect leaves with that of a refusal",
      in: "engine/log/keys/key-index.ts Shard.set",
      drop: "before === 0 || isRefusedAt(words, at)",
      test: "a merge drops expired refusals, never effects and young refusals",
    },
    {
      name: "an older row of a key comes to light",
      in: "engine/log/keys/key-run-merge.ts withoutRefusals",
      drop: "older.some",
      test: "a dropped refusal never uncovers an older row of its key",
    },
    {
      name: "a run of another past is believed",
      in: "engine/log/keys/key-runs.ts proofOf",
      holds: "run.header.chain",
      test: "runs of another journal, of another past, after a gap or cut short are ignored",
    },
    {
      name: "a run is proved by one that does not go on from it",
      in: "engine/log/keys/key-runs.ts chooseRuns",
      holds: "unproved === null",
      test: "a run whose last row is unreadable is verified by its successor, or not at all",
    },
  ],
  "engine/log/journal-tail.test.ts": [
    {
      name: "a place inside a block is believed whatever led to it",
      in: "engine/log/block.ts Block.mustContinue",
      holds: "this.chainAt(place.row) === place.chain",
      test: "a place inside a block with another chain is refused",
    },
  ],
  "engine/log/keys/key-index.test.ts": [
    {
      name: "a key is lost when its table grows",
      in: "engine/log/keys/key-index.ts Shard.#grow",
      instead: ["b, c)", "c, b)"],
      test: "keys stay known while the tables grow",
    },
  ],
  "engine/core/codec/row-codec.test.ts": [
    {
      name: "a separator in a text is taken for one of the row",
      in: "engine/core/text-fields.ts ESCAPED",
      text: ["[|,", "[,"],
      test: "a quote survives encoding member by member, in the same order",
    },
    {
      name: "a stay begins a day late once its quote was stored",
      in: "engine/core/price/quote-codec.ts TextQuote.constructor",
      instead: ["this.checkInDay = fields.number()", "this.checkInDay = fields.number() + 1"],
      test: "a quote survives encoding member by member, in the same order",
    },
  ],
  "engine/log/block.test.ts": [
    {
      name: "an id that is kept keeps the block that it stood in",
      in: "engine/log/block.ts Block.bytesOf",
      always: 'this.#text.toString().split("\\n")[row - this.first]!',
      test: "a folded hold keeps no reference to the block of its row",
    },
  ],
  "engine/core/codec/place-hold-text.test.ts": [
    {
      name: "an agent's other holds are lost on the way back",
      in: "engine/core/codec/place-hold-text.ts placedBy",
      instead: ["seq, others)", "seq, [])"],
      test: "the reply to a placed hold omits all that follows from the command",
    },
  ],
  "engine/core/state/open-holds.test.ts": [
    {
      name: "a second hold on a quote hides the first",
      in: "engine/core/state/slots.ts SlotLists.add",
      instead: ["this.#older[slot] = older", "this.#older[slot] = 0"],
      test: "open holds are found by id, quote and agent, after any placements and ends",
    },
    {
      name: "a room takes a hold of another, which has the slot now, for its own",
      in: "engine/core/state/open-holds.ts OpenHolds.mayBeDue",
      drop: "this.#rooms[slot] !== room",
      test: "a room never takes another room's hold in a reused slot for due",
    },
  ],
  "engine/core/state/slots.test.ts": [
    {
      name: "slots of one text change their order when there are more buckets",
      in: "engine/core/state/slots-by-text.ts SlotsByText.#spread",
      instead: ["before.oldestFirst(bucket)", "before.oldestFirst(bucket).reverse()"],
      test: "slots of one text keep their order among many others",
    },
  ],
  "engine/log/record-store.test.ts": [
    {
      name: "payments without a verdict are not found by state",
      in: "engine/log/money-index.ts OPEN_SQL",
      text: ["state IN ('pending', 'unknown')", "state = 'pending'"],
      test: "payments that wait for the provider are found by state, from any id on",
    },
  ],
  "src/lib/installation.test.ts": [
    {
      name: "a copied directory goes on as its original",
      in: "src/lib/installation.ts readNote",
      instead: ["note.identity === identityOf(stat)", "true"],
      test: "cp -a makes another installation",
    },
  ],
  "src/access/privacy/secrets.test.ts": [
    {
      name: "a file that others can read is taken for secret",
      in: "src/access/privacy/secrets.ts readSecrets",
      drop: "stat.mode",
      test: "a file that others can read is refused with the command that repairs it",
    },
  ],
  "engine/log/care/scrubber.test.ts": [
    {
      name: "the scrubber is blind to rows",
      in: "engine/log/care/scrubber.ts Scrubber.#readThrough",
      instead: ["this.#take(scrubbingRows(of, place, through))", "true"],
      test: "another payload is reported as journal_row_damaged",
    },
    {
      name: "the scrubber is blind to the bytes of segments",
      in: "engine/log/archive/segments.ts checkingSegments",
      drop: "file.checking",
      test: "a flipped bit in a segment is reported as segment_damaged",
    },
    {
      name: "what the scrubber found is forgotten at a start",
      in: "engine/log/care/scrub-file.ts readPass",
      instead: ["? pass", "? { ...pass, found: [] }"],
      test: "damage is reported across starts, until a whole pass no longer finds it",
    },
    {
      name: "the scrubber reads once and never again",
      in: "engine/log/care/scrubber.ts Scrubber.#isDue",
      drop: "agoMs >= afterMs",
      test: "a pass runs at the start, then once a day, and also after the clock was set back",
    },
  ],
  "engine/log/recover.test.ts": [
    {
      name: "a start does not check that rows go on from each other",
      in: "engine/log/journal-tail.ts JournalTail.#takePage",
      drop: "mustContinue",
      test: "two rows in each other's place break the chain",
    },
    {
      name: "a start does not compare the journal with its witnesses",
      in: "engine/log/recover.ts checkWitnesses",
      drop: "furthest > row",
      test: "rows missing at the end are journal_behind_witness",
    },
    {
      name: "the snapshot need not be of this journal's past",
      in: "engine/log/recover.ts checkReaches",
      drop: "checkChainAt",
      test: "a snapshot of another past refuses the start",
    },
    {
      name: "keys that lie in no run are believed unread",
      in: "engine/log/keys/keys.ts Keys.read",
      instead: [
        "blocksAfter(journal, { row: covered, chain })",
        "journal.pageAfter(covered).blocks.map((each) => ({ ...each, last: each.row }))",
      ],
      test: "a payload before it that is not what was written is journal_row_damaged",
    },
  ],
};
