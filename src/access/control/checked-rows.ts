/**
 * Rows of `control.db` that decide rights carry a checksum, so that a flipped bit never widens a
 * right: a damaged row counts as absent. Readers use `soundRows`, writers end with `stamp`.
 *
 * Invariant: a row is stamped only after it was read as sound in the same transaction, or when it
 * is new or becomes revoked. Damage is never stamped as valid.
 */
import type { Database } from "bun:sqlite";

interface Checked {
  readonly id: string;
  /** Covered by the checksum, `id` included. */
  readonly columns: readonly string[];
  /** Of a later format: covered where not null, so that older rows keep their checksum. */
  readonly later: readonly string[];
  /** Allowed values; any other is damage, whatever the checksum says. */
  readonly sets: Readonly<Record<string, readonly string[]>>;
}

const MODES = ["live", "test"];
const STATES = ["active", "suspended", "revoked"];

const CHECKED = {
  tenant: checked("tenant_id name created_at"),
  agent: checked(
    "agent_id tenant_id name kind mode state scopes property_ids limits contact daily_summary " +
      "created_at version",
    { kind: ["agent", "operator", "service", "partner"], mode: MODES, state: STATES },
    "return_origins sells_directly",
  ),
  // `last_used_at` is written once a minute and decides nothing.
  credential: checked(
    "credential_id agent_id secret_hash prefix last4 state created_at expires_at retire_at",
    { state: ["active", "retiring", "revoked"] },
  ),
  person: checked(
    "person_id agent_id name email_encrypted state scopes property_ids created_at version",
    { state: STATES },
  ),
  // `last_used_at` decides nothing.
  passkey: checked("passkey_id person_id name public_key counter created_at"),
  issuer: checked(
    "issuer_id tenant_id mode iss name status jwks_url jwks allowed_audiences allowed_algs " +
      "max_ttl_s clock_skew_s created_at version",
    { mode: MODES, status: STATES },
  ),
  webhook_endpoint: checked(
    "endpoint_id tenant_id mode url format ota description kinds property_ids subjects headers " +
      "secrets scopes max_in_flight max_per_s ordering state reason ping disabled_at after_row " +
      "created_at version",
    { mode: MODES, state: ["active", "paused", "disabled"], ordering: ["none", "per_subject"] },
  ),
  signing_key: checked(
    "kid purpose private_encrypted public_jwk created_at signs_from published_until",
    { purpose: ["access_token", "agent_card"] },
  ),
  revoked_token: checked("jti expires_at"),
} as const satisfies Readonly<Record<string, Checked>>;

function checked(columns: string, sets: Checked["sets"] = {}, later = ""): Checked {
  const names = columns.split(" ");
  return { id: names[0]!, columns: names, later: later.split(" ").filter(Boolean), sets };
}

export type CheckedTable = keyof typeof CHECKED;
const CHECKED_TABLES = Object.keys(CHECKED) as readonly CheckedTable[];

/** A row that differs from what was written. */
export interface DamagedRow {
  readonly table: CheckedTable;
  /** As stored, so possibly damaged itself. */
  readonly id: string;
  /** Row number; 0 unless selected as `nth`. */
  readonly nth: number;
  /** Contains no value that may be secret. */
  readonly problem: string;
}

type Row = Readonly<Record<string, unknown>>;

/** `SELECT` of all checked columns, the checksum and `more`, for `soundRows`. */
export function selectOf(table: CheckedTable, more: readonly string[] = []): string {
  const { columns, later } = CHECKED[table];
  return `SELECT ${[...columns, ...later, "check_sum", ...more].join(", ")} FROM ${table}`;
}

/** 132 bits of SHA-256 over the table's name and the checked values of a row. */
export function checksumOf(table: CheckedTable, row: object): string {
  const { columns, later } = CHECKED[table];
  const valued = (name: string) => [name, (row as Row)[name]];
  const values = columns.map((name) => (row as Row)[name]);
  const further = later.map(valued).filter(([, value]) => value != null);
  const covered = JSON.stringify([table, ...values, ...further]);
  const hash = Bun.SHA256.hash(covered, "base64url") as string;
  return hash.slice(0, 22);
}

/** The damage of a row, else null. */
export function problemOf(table: CheckedTable, row: object): string | null {
  const { sets } = CHECKED[table];
  for (const name of Object.keys(sets)) {
    if (!sets[name]!.includes(String((row as Row)[name]))) return `unknown ${name}`;
  }
  return (row as Row).check_sum === checksumOf(table, row) ? null : "wrong checksum";
}

/**
 * The sound rows, without checksums; damaged ones go to `onDamaged`. Rows must come from
 * `selectOf`.
 */
export function soundRows<R extends object>(
  table: CheckedTable,
  rows: readonly R[],
  onDamaged: (damaged: DamagedRow) => void = () => {},
): R[] {
  return rows.flatMap((row) => {
    const problem = problemOf(table, row);
    if (problem !== null) {
      const { [CHECKED[table].id]: id, nth = 0 } = row as Row;
      onDamaged({ table, id: String(id), nth: Number(nth), problem });
      return [];
    }
    const { check_sum: _sum, ...sound } = row as R & { readonly check_sum: string };
    return [sound as unknown as R];
  });
}

/** The row, or null when absent or damaged. */
export function soundRow<R extends object>(
  db: Database,
  table: CheckedTable,
  id: string,
  more: readonly string[] = [],
): R | null {
  const select = `${selectOf(table, more)} WHERE ${CHECKED[table].id} = ?`;
  return soundRows(table, db.query<R, [string]>(select).all(id))[0] ?? null;
}

/** Writes the checksum of the row; see the invariant above. */
export function stamp(
  db: Database,
  table: CheckedTable,
  id: string | number,
  key: string = CHECKED[table].id,
): void {
  const row = db.query<Row, [string | number]>(`${selectOf(table)} WHERE ${key} = ?`).get(id);
  if (row === null) return;
  const update = `UPDATE ${table} SET check_sum = ? WHERE ${key} = ?`;
  db.query(update).run(checksumOf(table, row), id);
}

/**
 * Changes and stamps the sound rows that match `where`; damaged ones stay. Call it in a
 * transaction. Returns the number changed.
 */
export function changeSound(
  db: Database,
  table: CheckedTable,
  [where, ...wanted]: readonly [string, ...(string | number)[]],
  [set, ...given]: readonly [string, ...(string | number)[]],
): number {
  const { id: key } = CHECKED[table];
  const rows = db.query<Row, (string | number)[]>(`${selectOf(table)} WHERE ${where}`);
  const ids = soundRows(table, rows.all(...wanted)).map((row) => String(row[key]));
  for (const id of ids) {
    db.query(`UPDATE ${table} SET ${set} WHERE ${key} = ?`).run(...given, id);
    stamp(db, table, id);
  }
  return ids.length;
}

const STEP_ROWS = 200;

/** Reads all checked rows in steps, for `runInSlices`; yields the damaged ones. */
export function* checkingRows(db: Database): Generator<void, DamagedRow[]> {
  const damaged: DamagedRow[] = [];
  for (const table of CHECKED_TABLES) {
    const select = `${selectOf(table, ["rowid AS nth"])} WHERE rowid > ? ORDER BY rowid LIMIT ?`;
    for (let nth = 0; ; ) {
      const rows = db.query<Row, [number, number]>(select).all(nth, STEP_ROWS);
      soundRows(table, rows, (each) => damaged.push(each));
      if (rows.length < STEP_ROWS) break;
      nth = Number(rows.at(-1)!.nth);
      yield;
    }
  }
  return damaged;
}
