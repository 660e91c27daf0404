/** People as an operator sees them, and what it may do with them. */
import { instantIso } from "../../../engine/core/calendar.ts";
import { findAgent } from "../../access/control/agents.ts";
import {
  findPerson,
  type PeopleStore,
  type Person,
  type PersonChange,
} from "../../access/control/people.ts";
import { coversScope, sharedIds, sharedScopes } from "../../access/control/principal.ts";
import type { ControlStore } from "../../access/control/store.ts";
import { action, type NextAction, permitted } from "../../actions/next-action.ts";
import { LIST_PEOPLE } from "../../actions/steps.ts";
import { type Refusal, unknownId } from "../../http/answer.ts";
import type { Call } from "../../http/call.ts";
import type { FieldError } from "../../http/validate.ts";
import { isAddress } from "../../lib/mailbox.ts";
import { rightsRefusal } from "../agents/grants.ts";

/** A call that names a person in its path. */
export type AtPerson = Call<unknown, "id">;

type Found = { readonly ok: true; readonly person: Person } | Refusal;

/** A store with the keys of e-mail addresses. */
export function peopleStore({ context }: Call, store: ControlStore): PeopleStore {
  return { store, keys: context.keys.encryption };
}

/** A person on the wire. */
export function personOut({ created_at, ...person }: Person) {
  const { person_id, agent_id, name, email, state, scopes, property_ids, version } = person;
  return {
    ...{ person_id, agent_id, name, email, state, scopes, property_ids },
    ...{ created_at: instantIso(created_at), version },
  };
}

/** The person of the path, or the refusal; unknown and foreign ids have the same answer. */
export function personOfPath(call: AtPerson, store: ControlStore): Found {
  const person = findPerson(peopleStore(call, store), call.principal, call.params.id);
  if (person !== null) return { ok: true, person };
  return unknownId("/person_id", "the id of a person of this tenant and mode", LIST_PEOPLE);
}

type Rights = Pick<Person, "agent_id" | "scopes" | "property_ids">;

/** What is in force of the rights of a person: the operator may have lost some since. */
export function rightsInForce(
  call: Call,
  store: ControlStore,
  { agent_id, scopes, property_ids }: Rights,
): Rights {
  const operator = findAgent(store, call.principal, agent_id)!;
  const ids = sharedIds(setOf(property_ids), setOf(operator.property_ids));
  const shared = sharedScopes(new Set(scopes), new Set(operator.scopes));
  return { agent_id, scopes: [...shared], property_ids: ids && [...ids] };
}

/** The same for changes: a person with more rights in force than the caller is refused. */
export function personToChange(call: AtPerson, store: ControlStore): Found {
  const found = personOfPath(call, store);
  if (!found.ok) return found;
  return beyondOwn(call, store, rightsInForce(call, store, found.person)) ?? found;
}

function setOf(ids: readonly string[] | null): ReadonlySet<string> | null {
  return ids && new Set(ids);
}

/** `forbidden` for rights that the caller lacks. A person acts within the operator's limits. */
export function beyondOwn(call: Call, store: ControlStore, person: Rights): Refusal | null {
  const operator = findAgent(store, call.principal, person.agent_id)!;
  const property_ids = person.property_ids ?? operator.property_ids;
  return rightsRefusal(call, { scopes: person.scopes, property_ids, limits: operator.limits });
}

/** Errors of what a person is given: rights that the operator has not, and the address. */
export function personFaults(
  call: Call,
  store: ControlStore,
  agentId: string,
  { scopes = [], email = null }: PersonChange,
): FieldError[] {
  const operator = findAgent(store, call.principal, agentId)!;
  const own = new Set(operator.scopes);
  const errors = [...scopes.entries()].flatMap(([i, scope]): FieldError[] => {
    if (coversScope(own, scope)) return [];
    const expected = "a scope of the operator";
    return [{ path: `/scopes/${i}`, message: "is not a scope of the operator", expected }];
  });
  if (email === null || isAddress(email)) return errors;
  const expected = "an e-mail address";
  return [...errors, { path: "/email", message: "is not an e-mail address", expected }];
}

/** The read of the person. */
export function personActions(call: Call, personId: string): NextAction[] {
  return permitted([action("get", "GET", `/v1/admin/people/${personId}`)], call.may);
}
