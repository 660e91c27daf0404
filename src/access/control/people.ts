/**
 * People of an operator: who works at the console. A person has no secret; rights are the part of
 * the operator's that the person was given, at every moment. The name is in clear as an agent's is,
 * because audits show it; an e-mail address is kept encrypted and leaves with the person.
 */
import type { Mode, Realm } from "../../../engine/core/supply.ts";
import { decryptByVersion, encryptByVersion } from "../privacy/encryption.ts";
import type { KeyVersions } from "../privacy/key-versions.ts";
import type { AgentState } from "./agents.ts";
import { selectOf, soundRow, soundRows, stamp } from "./checked-rows.ts";
import { type ControlStore, newId } from "./store.ts";

export interface PersonTerms {
  readonly name: string;
  readonly email: string | null;
  readonly scopes: readonly string[];
  /** Null: every property of the operator. */
  readonly property_ids: readonly string[] | null;
}

export interface Person extends PersonTerms {
  readonly person_id: string;
  /** The operator. */
  readonly agent_id: string;
  readonly state: AgentState;
  /** Epoch milliseconds. */
  readonly created_at: number;
  /** Starts at 1. */
  readonly version: number;
}

/** Missing members stay. */
export type PersonChange = Partial<PersonTerms & Pick<Person, "state">>;

interface PersonRow extends Omit<Person, "scopes" | "property_ids" | "email"> {
  readonly scopes: string;
  readonly property_ids: string | null;
  readonly email_encrypted: string | null;
}

/** The store, and the keys of e-mail addresses. */
export interface PeopleStore {
  readonly store: ControlStore;
  readonly keys: KeyVersions;
}

function contextOf(personId: string): readonly string[] {
  return ["person-email", personId];
}

function encrypted(keys: KeyVersions, personId: string, email: string | null): string | null {
  return email && encryptByVersion(keys, Buffer.from(email), contextOf(personId));
}

function personOf(keys: KeyVersions, { email_encrypted: text, ...row }: PersonRow): Person {
  const { person_id, scopes, property_ids } = row;
  return {
    ...row,
    email: text && decryptByVersion(keys, text, contextOf(person_id)).toString("utf8"),
    scopes: scopes.split(" ").filter((scope) => scope !== ""),
    property_ids: property_ids === null ? null : JSON.parse(property_ids),
  };
}

/** Creates an active person and returns its id. Throws when the agent is unknown. */
export function createPerson(
  { store, keys }: PeopleStore,
  agentId: string,
  { name, email, scopes, property_ids }: PersonTerms,
): string {
  const personId = newId("per");
  const insert = `INSERT INTO person (person_id, agent_id, name, email_encrypted, state, scopes,
    property_ids, created_at) VALUES (?, ?, ?, ?, 'active', ?, ?, ?)`;
  const ids = property_ids && JSON.stringify(property_ids);
  store.write(() => {
    const given = [encrypted(keys, personId, email), scopes.join(" "), ids, Date.now()] as const;
    store.db.query(insert).run(personId, agentId, name, ...given);
    stamp(store.db, "person", personId);
  });
  return personId;
}

/** The person if its operator belongs to the realm, else null. */
export function findPerson(
  { store, keys }: PeopleStore,
  realm: Realm,
  personId: string,
): Person | null {
  const row = soundRow<PersonRow>(store.db, "person", personId);
  if (row === null) return null;
  const agent = soundRow<Realm>(store.db, "agent", row.agent_id);
  const isOfRealm = agent?.tenant_id === realm.tenant_id && agent.mode === realm.mode;
  return isOfRealm ? personOf(keys, row) : null;
}

/** The people of all operators of the realm, newest first. */
export function listPeople({ store, keys }: PeopleStore, realm: Realm): Person[] {
  const select = `${selectOf("person")} WHERE agent_id IN
    (SELECT agent_id FROM agent WHERE tenant_id = ? AND mode = ?)
    ORDER BY created_at DESC, person_id DESC`;
  const rows = store.db.query<PersonRow, [string, Mode]>(select).all(realm.tenant_id, realm.mode);
  return soundRows("person", rows).map((row) => personOf(keys, row));
}

/** Changes a known person and its version; a revoked one has no e-mail address any more. */
export function changePerson(
  { store, keys }: PeopleStore,
  known: Person,
  change: PersonChange,
): void {
  const next = { ...known, ...change };
  const email = next.state === "revoked" ? null : encrypted(keys, known.person_id, next.email);
  const ids = next.property_ids && JSON.stringify(next.property_ids);
  const update = `UPDATE person SET name = ?, email_encrypted = ?, state = ?, scopes = ?,
    property_ids = ?, version = version + 1 WHERE person_id = ?`;
  store.write(() => {
    const given = [next.name, email, next.state, next.scopes.join(" "), ids] as const;
    store.db.query(update).run(...given, known.person_id);
    stamp(store.db, "person", known.person_id);
  });
}
