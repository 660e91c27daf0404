/**
 * A shard's journal in PostgreSQL, which all machines share: who leads, the rows, and the data keys
 * of guests. Every deed is one statement by itself, never a transaction that a stopped client would
 * hold open and so block its successor.
 *
 * Fence: an append names the epoch and the head that it follows, and changes the shard's row only
 * if both are still true. A leader that was suspended past its successor's start changes nothing.
 */
import type { SubjectKey } from "../log/beside.ts";
import type { StoredBlock } from "../log/block.ts";
import type { Head } from "../log/head.ts";
import type { Session } from "./session.ts";

const PAGE_BLOCKS = 256;

/** What is fixed when the first engine starts, the same for every machine. */
export interface Identity {
  readonly journalId: string;
  readonly installationId: string;
  readonly lanes: number;
  readonly format: number;
  /** Fingerprint of the secrets that all machines share. */
  readonly secrets: string;
}

/** Who leads, and a count that each of its signs of life raises. */
export interface Leadership {
  readonly epoch: number;
  readonly beat: number;
  /** Null after a handover. */
  readonly owner: string | null;
}

/** A leader's place: its epoch, and the head that it continues. */
export interface Taken {
  readonly epoch: number;
  readonly head: Head;
}

/** Changes of data keys that an append makes beside its blocks. */
export interface KeyChanges {
  readonly subjectKeys: ReadonlyMap<string, SubjectKey>;
  readonly erased: ReadonlySet<string>;
}

const IDENTITY = "journal_id, installation_id, lanes, format, secrets";
const LEADERSHIP = "epoch, beat, owner";

const FOUND = `
INSERT INTO shard(shard, ${IDENTITY}, chain) VALUES ($1, $2, $3, $4, $5, $6, $7)
  ON CONFLICT DO NOTHING`;

const TAKE = `
UPDATE shard SET epoch = epoch + 1, owner = $2, beat = beat + 1
 WHERE shard = $1 AND epoch = $3 AND beat = $4
RETURNING epoch, row, chain`;

const APPEND = `
WITH fence AS (
  UPDATE shard SET row = $4, chain = $5, beat = beat + 1
   WHERE shard = $1 AND epoch = $2 AND row = $3 RETURNING epoch),
keys AS (
  INSERT INTO subject_keys(shard, booking_id, row, wrapped_key, email_hash, name_hash)
  SELECT $1, k.booking_id, $4, k.wrapped_key, k.email_hash, k.name_hash FROM fence,
    unnest($11::text[], $12::text[], $13::text[], $14::text[])
      AS k(booking_id, wrapped_key, email_hash, name_hash)
  ON CONFLICT (shard, booking_id) DO UPDATE SET row = excluded.row,
    wrapped_key = excluded.wrapped_key, email_hash = excluded.email_hash,
    name_hash = excluded.name_hash),
erasures AS (
  DELETE FROM subject_keys USING fence WHERE shard = $1 AND booking_id = ANY($15::text[])),
blocks AS (
  INSERT INTO journal(shard, row, epoch, key, payload, crc, chain)
  SELECT $1, b.row, fence.epoch, b.key, b.payload, b.crc, b.chain FROM fence,
    unnest($6::bigint[], $7::bytea[], $8::bytea[], $9::bigint[], $10::bytea[])
      AS b(row, key, payload, crc, chain))
SELECT epoch FROM fence`;

const BEAT = "UPDATE shard SET beat = beat + 1 WHERE shard = $1 AND epoch = $2 RETURNING epoch";

const HAND_OVER = `
UPDATE shard SET owner = NULL, beat = beat + 1
 WHERE shard = $1 AND epoch = $2 RETURNING epoch`;

const BLOCKS = `
SELECT row, key, payload, crc, chain FROM journal
 WHERE shard = $1 AND row > $2 ORDER BY row LIMIT ${PAGE_BLOCKS}`;

const KEYS = `
SELECT booking_id, wrapped_key, email_hash, name_hash FROM subject_keys
 WHERE shard = $1 AND row > $2 AND row <= $3 ORDER BY row`;

/** PostgreSQL's bigint comes as text. */
interface IdentityRow {
  readonly journal_id: string;
  readonly installation_id: string;
  readonly lanes: number;
  readonly format: number;
  readonly secrets: string;
}

interface BlockRow {
  readonly row: string;
  readonly key: Buffer | null;
  readonly payload: Buffer;
  readonly crc: string;
  readonly chain: Buffer;
}

interface KeyRow {
  readonly booking_id: string;
  readonly wrapped_key: string;
  readonly email_hash: string;
  readonly name_hash: string;
}

interface HeadRow {
  readonly row: string;
  readonly chain: Buffer;
}

export class SharedJournal {
  readonly #session: Session;
  readonly #shard: number;

  constructor(session: Session, shard: number) {
    this.#session = session;
    this.#shard = shard;
  }

  /** The identity of the shard; the first caller gives it `proposed`, which starts at `head`. */
  async identity(proposed: Identity, head: Head): Promise<Identity> {
    const { journalId, installationId, lanes, format, secrets } = proposed;
    const values = [journalId, installationId, lanes, format, secrets, bytesOf(head.chain)];
    const known = await this.#identity();
    if (known) return known;
    await this.#session.query(FOUND, [this.#shard, ...values]);
    return (await this.#identity())!;
  }

  async #identity(): Promise<Identity | null> {
    const sql = `SELECT ${IDENTITY} FROM shard WHERE shard = $1`;
    const [found] = await this.#session.query<IdentityRow>(sql, [this.#shard]);
    if (!found) return null;
    const { journal_id, installation_id, ...rest } = found;
    return { journalId: journal_id, installationId: installation_id, ...rest };
  }

  /** Who leads now. */
  async leadership(): Promise<Leadership> {
    const sql = `SELECT ${LEADERSHIP} FROM shard WHERE shard = $1`;
    type Found = Omit<Leadership, "epoch" | "beat"> & { epoch: string; beat: string };
    const [found] = await this.#session.query<Found>(sql, [this.#shard]);
    return { ...found!, epoch: Number(found!.epoch), beat: Number(found!.beat) };
  }

  /** Takes the lead from exactly this one, in a new epoch; null when anything happened since. */
  async take(owner: string, { epoch, beat }: Leadership): Promise<Taken | null> {
    type Row = HeadRow & { epoch: string };
    const [taken] = await this.#session.query<Row>(TAKE, [this.#shard, owner, epoch, beat]);
    return taken ? { epoch: Number(taken.epoch), head: headOf(taken) } : null;
  }

  /** A sign of life; false when another one leads. */
  async beat(epoch: number): Promise<boolean> {
    return (await this.#session.query(BEAT, [this.#shard, epoch])).length > 0;
  }

  /** Gives the lead up, to any candidate; false when another one leads. */
  async handOver(epoch: number): Promise<boolean> {
    return (await this.#session.query(HAND_OVER, [this.#shard, epoch])).length > 0;
  }

  /**
   * Adds blocks after the head of the leader, with the changed keys; false when another one leads,
   * and nothing is changed then.
   *
   * @throws OutcomeUnknown when it may be durable or not: only another epoch may go on.
   */
  async append(
    { epoch, head }: Taken,
    blocks: readonly StoredBlock[],
    { subjectKeys, erased }: KeyChanges,
  ): Promise<boolean> {
    const last = blocks.at(-1)!;
    // One statement may not change a row twice.
    const keys = [...subjectKeys.values()].filter(({ booking_id }) => !erased.has(booking_id));
    const values = [
      ...[this.#shard, epoch, head.row, last.row, bytesOf(last.chain)],
      blocks.map(({ row }) => row),
      blocks.map((block) => block.keys && bufferOf(block.keys)),
      blocks.map(({ payload }) => bufferOf(payload)),
      blocks.map(({ crc }) => crc),
      blocks.map(({ chain }) => bytesOf(chain)),
      keys.map(({ booking_id }) => booking_id),
      keys.map(({ wrapped_key }) => wrapped_key),
      keys.map(({ guest }) => guest.email),
      keys.map(({ guest }) => guest.name),
      [...erased],
    ];
    return (await this.#session.query(APPEND, values, "append")).length > 0;
  }

  /** The last row and the chain up to it. */
  async head(): Promise<Head> {
    const sql = "SELECT row, chain FROM shard WHERE shard = $1";
    return headOf((await this.#session.query<HeadRow>(sql, [this.#shard]))[0]!);
  }

  /** Blocks after a row, in order; an empty page when there are none. Not checked yet. */
  async blocksAfter(row: number): Promise<StoredBlock[]> {
    const found = await this.#session.query<BlockRow>(BLOCKS, [this.#shard, row]);
    return found.map(({ row: last, key, payload, crc, chain }) => {
      return {
        row: Number(last),
        keys: key,
        payload,
        crc: Number(crc),
        chain: chain.toString("hex"),
      };
    });
  }

  /** The data keys that the rows after `row` up to `last` have set, but for erased ones. */
  async subjectKeysBetween(row: number, last: number): Promise<Map<string, SubjectKey>> {
    const found = await this.#session.query<KeyRow>(KEYS, [this.#shard, row, last]);
    const keys = found.map(({ booking_id, wrapped_key, email_hash, name_hash }) => {
      const guest = { email: email_hash, name: name_hash };
      return [booking_id, { booking_id, wrapped_key, guest }] as const;
    });
    return new Map(keys);
  }
}

function bytesOf(chain: string): Buffer {
  return Buffer.from(chain, "hex");
}

/** The driver sends a plain `Uint8Array` in a list as JSON. */
function bufferOf({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}

function headOf({ row, chain }: HeadRow): Head {
  return { row: Number(row), chain: chain.toString("hex") };
}
