/** Passkeys of people: public keys with their counters. */
import { changeSound, selectOf, soundRow, soundRows, stamp } from "./checked-rows.ts";
import type { ControlStore } from "./store.ts";

export interface Passkey {
  /** The id that the authenticator gave it, base64url. */
  readonly passkey_id: string;
  readonly person_id: string;
  /** Which device it is, in the person's words. */
  readonly name: string;
  /** SubjectPublicKeyInfo, base64url. */
  readonly public_key: string;
  readonly counter: number;
  /** Epoch milliseconds, as the one below. */
  readonly created_at: number;
  readonly last_used_at: number | null;
}

/** More than a person has devices. */
const PASSKEYS_MAX = 20;

const LAST_USED = ["last_used_at"];

/** Adds a passkey; false when its id is known already or the person has too many. */
export function addPasskey(store: ControlStore, passkey: Omit<Passkey, "last_used_at">): boolean {
  const { passkey_id, person_id, name, public_key, counter, created_at } = passkey;
  const insert = `INSERT OR IGNORE INTO passkey
    (passkey_id, person_id, name, public_key, counter, created_at) VALUES (?, ?, ?, ?, ?, ?)`;
  return store.write(() => {
    if (passkeysOf(store, person_id).length >= PASSKEYS_MAX) return false;
    const given = [passkey_id, person_id, name, public_key, counter, created_at] as const;
    if (store.db.query(insert).run(...given).changes === 0) return false;
    stamp(store.db, "passkey", passkey_id);
    return true;
  });
}

/** The passkey of an id; null when unknown or damaged. */
export function findPasskey(store: ControlStore, passkeyId: string): Passkey | null {
  return soundRow<Passkey>(store.db, "passkey", passkeyId, LAST_USED);
}

/** The passkeys of a person, newest first. */
export function passkeysOf(store: ControlStore, personId: string): Passkey[] {
  const select = `${selectOf("passkey", LAST_USED)} WHERE person_id = ?
    ORDER BY created_at DESC, passkey_id`;
  return soundRows("passkey", store.db.query<Passkey, [string]>(select).all(personId));
}

/** Notes a use; false when another one with this counter came first, as from a copy. */
export function usePasskey(
  store: ControlStore,
  { passkey_id, counter: before }: Passkey,
  counter: number,
  nowMs: number,
): boolean {
  const where = ["passkey_id = ? AND counter = ?", passkey_id, before] as const;
  const set = ["counter = ?, last_used_at = ?", counter, nowMs] as const;
  return store.write(() => changeSound(store.db, "passkey", where, set) === 1);
}

/** Removes a passkey of the person; false when there is none. */
export function removePasskey(store: ControlStore, personId: string, passkeyId: string): boolean {
  const remove = "DELETE FROM passkey WHERE passkey_id = ? AND person_id = ?";
  return store.write(() => store.db.query(remove).run(passkeyId, personId).changes === 1);
}
