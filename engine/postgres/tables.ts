/**
 * Tables of the journals of all shards. Blocks are stored byte for byte as in the database of one
 * machine, so copies, segments and back-ups compare.
 *
 * No statement compares clocks: `beat` only counts, and a candidate measures by its own steady
 * clock for how long it has not changed.
 */
import type { Session } from "./session.ts";

const TABLES = `
CREATE TABLE shard(
  shard int PRIMARY KEY,
  journal_id text NOT NULL,
  installation_id text NOT NULL,
  secrets text NOT NULL,
  lanes int NOT NULL,
  format int NOT NULL,
  epoch bigint NOT NULL DEFAULT 0,
  row bigint NOT NULL DEFAULT 0,
  chain bytea NOT NULL,
  owner text,
  beat bigint NOT NULL DEFAULT 0) WITH (fillfactor = 20);
CREATE TABLE journal(
  shard int NOT NULL,
  row bigint NOT NULL,
  epoch bigint NOT NULL,
  key bytea,
  payload bytea NOT NULL,
  crc bigint NOT NULL,
  chain bytea NOT NULL,
  PRIMARY KEY (shard, row));
ALTER TABLE journal ALTER key SET STORAGE EXTERNAL, ALTER payload SET STORAGE EXTERNAL;
CREATE TABLE subject_keys(
  shard int NOT NULL,
  booking_id text NOT NULL,
  row bigint NOT NULL,
  wrapped_key text NOT NULL,
  email_hash text NOT NULL,
  name_hash text NOT NULL,
  PRIMARY KEY (shard, booking_id));
CREATE INDEX subject_keys_row ON subject_keys(shard, row);
CREATE TABLE home(
  one bool PRIMARY KEY DEFAULT true CHECK (one),
  epoch bigint NOT NULL DEFAULT 0,
  owner text,
  beat bigint NOT NULL DEFAULT 0) WITH (fillfactor = 20);
INSERT INTO home DEFAULT VALUES;
CREATE TABLE store(
  store text PRIMARY KEY,
  schema text NOT NULL,
  format int NOT NULL,
  n bigint NOT NULL);
CREATE TABLE store_row(
  store text NOT NULL,
  n bigint NOT NULL,
  table_name text NOT NULL,
  key text NOT NULL,
  row text,
  PRIMARY KEY (store, table_name, key));
CREATE INDEX store_row_n ON store_row(store, n);
CREATE TABLE barrier(
  one bool PRIMARY KEY DEFAULT true CHECK (one), n bigint NOT NULL DEFAULT 0);
INSERT INTO barrier DEFAULT VALUES`;

/** Makes the tables in one transaction, if they are missing; of several that try, one succeeds. */
export async function ensureTables(session: Session): Promise<void> {
  const [found] = await session.query<{ shard: string | null }>(
    "SELECT to_regclass('shard')::text AS shard",
  );
  if (found?.shard === null) await session.query(TABLES);
}
