/**
 * `/v1/admin/people`: who works at the console for an operator. An operator cannot grant a right
 * that its credential lacks, and cannot change a person who has one. A person has no secret, and
 * signs in by a link or a passkey.
 */
import { instantIso } from "../../../engine/core/calendar.ts";
import { CODE_TTL_MS } from "../../access/control/console-sessions.ts";
import {
  changePerson,
  createPerson,
  findPerson,
  listPeople,
  type Person,
  type PersonChange,
} from "../../access/control/people.ts";
import type { ControlStore } from "../../access/control/store.ts";
import { invalid, type Refusal, refuse, type Success } from "../../http/answer.ts";
import type { Call } from "../../http/call.ts";
import { type ControlOutcome, controlWrite, type Ending } from "../../http/control-write.ts";
import { versionMismatch } from "../../http/if-match.ts";
import { route } from "../../http/route.ts";
import { EmptyBody } from "../../http/schema/request-parts.ts";
import { json } from "../../http/validate.ts";
import { grantFaults, namedProperties } from "../agents/grants.ts";
import { pathId } from "../parameters.ts";
import {
  type AtPerson,
  beyondOwn,
  peopleStore,
  personActions,
  personFaults,
  personOfPath,
  personOut,
  personToChange,
  rightsInForce,
} from "./records.ts";
import {
  PersonBody,
  PersonPatchBody,
  type PersonPatchRequest,
  type PersonRequest,
} from "./requests.ts";
import { Person as PersonAnswer, PersonLink, PersonList } from "./responses.ts";

const ACCESS = { kinds: ["operator"], scope: "admin:agents", touches: "agents" } as const;
const MINUTE_MS = 60_000;

/** Why a person of the operator cannot be given this; null if it can. */
function givenRefusal(
  call: Call,
  store: ControlStore,
  agentId: string,
  given: PersonChange,
): Refusal | null {
  const { property_ids = [] } = given;
  const faults = [
    ...grantFaults(call, "operator", { property_ids }),
    ...personFaults(call, store, agentId, given),
  ];
  return faults.length > 0 ? invalid(faults) : null;
}

function shown(call: Call, store: ControlStore, personId: string): Success {
  const person = findPerson(peopleStore(call, store), call.principal, personId)!;
  return { ok: true, data: personOut(person), actions: personActions(call, personId) };
}

function create(call: Call<PersonRequest>): Promise<ControlOutcome> {
  const { name, email = null, scopes, property_ids: asked } = call.body;
  const { agent_id, property_ids: own } = call.principal;
  const property_ids = asked === undefined ? own && [...own] : namedProperties(call, asked);
  return controlWrite(call, (store) => {
    const terms = { name, email, scopes, property_ids };
    const refused =
      givenRefusal(call, store, agent_id, terms) ?? beyondOwn(call, store, { agent_id, ...terms });
    if (refused) return refused;
    const personId = createPerson(peopleStore(call, store), agent_id, terms);
    return { ...shown(call, store, personId), status: 201 };
  });
}

function list(call: Call): Success {
  const people = listPeople(peopleStore(call, call.context.store), call.principal);
  return { ok: true, data: { items: people.map(personOut) } };
}

function show(call: AtPerson): Success | Refusal {
  const found = personOfPath(call, call.context.store);
  return found.ok ? { ok: true, data: personOut(found.person) } : found;
}

function applyChange(
  call: Call,
  store: ControlStore,
  [person, change]: readonly [Person, PersonChange],
  ending: Ending,
): ControlOutcome {
  const { person_id, state } = person;
  const detail = (reason: string) => ({ reason, person_id });
  if (state === "revoked") return refuse("conflict", detail("revoked"));
  const isEnded = change.state !== undefined && change.state !== "active";
  if (isEnded && person_id === call.principal.person_id) {
    return refuse("conflict", detail("own_person"));
  }
  const next = { ...rightsInForce(call, store, person), ...change };
  const refused =
    givenRefusal(call, store, person.agent_id, change) ?? beyondOwn(call, store, next);
  if (refused) return refused;
  if (isEnded) ending({ kind: "person", id: person_id });
  if (Object.keys(change).length > 0) changePerson(peopleStore(call, store), person, change);
  return shown(call, store, person_id);
}

function patch(call: Call<PersonPatchRequest, "id">): Promise<ControlOutcome> {
  const { idempotency_key: _key, property_ids: named, ...others } = call.body;
  const given = named === undefined ? {} : { property_ids: namedProperties(call, named) };
  return controlWrite(call, (store, ending) => {
    const found = personToChange(call, store);
    if (!found.ok) return found;
    const { person_id, version } = found.person;
    const stale = versionMismatch(call.seenVersion, version, { person_id });
    return stale ?? applyChange(call, store, [found.person, { ...others, ...given }], ending);
  });
}

/**
 * The link signs in as the person. The caller therefore needs all rights that are stored for the
 * person, also those that the operator has lost and may get back.
 */
function link(call: AtPerson): Success | Refusal {
  const { context } = call;
  const found = personOfPath(call, context.store);
  if (!found.ok) return found;
  const refused = beyondOwn(call, context.store, found.person);
  if (refused) return refused;
  const { person_id, state } = found.person;
  if (state !== "active") return refuse("conflict", { reason: `person_${state}`, person_id });
  const { code, expiresAtMs } = context.consoleSessions.newCode(person_id, context.now());
  const url = `${context.config.baseUrl}/console/enter#${code}`;
  const data = { person_id, url, expires_at: instantIso(expiresAtMs) };
  return { ok: true, status: 201, data };
}

const PEOPLE = { tag: "Access administration", access: ACCESS } as const;
const AT_PERSON = {
  ...PEOPLE,
  path: "/v1/admin/people/:id",
  params: { id: pathId("Id of the person.") },
} as const;
const RIGHTS = "The caller cannot give rights that its credential lacks.";

export const peopleRoutes = [
  route({
    ...PEOPLE,
    id: "list_people",
    method: "GET",
    path: "/v1/admin/people",
    summary: "List the people",
    description: "All people of the operators of the tenant and mode; complete.",
    success: { status: 200, description: "The people, newest first.", data: PersonList },
    errors: [],
    handle: list,
  }),
  route({
    ...PEOPLE,
    id: "create_person",
    method: "POST",
    path: "/v1/admin/people",
    summary: "Add a person",
    description:
      "A person of the calling operator, who works at the console and is named in events and " +
      `audits. Rights hold as far as the operator has them. ${RIGHTS}`,
    key: "accepted",
    body: json(PersonBody),
    readsReplica: true,
    success: { status: 201, description: "The person.", data: PersonAnswer },
    errors: [],
    handle: create,
  }),
  route({
    ...AT_PERSON,
    id: "get_person",
    method: "GET",
    summary: "Get a person",
    description: "A person of any operator of the tenant and mode.",
    success: { status: 200, description: "The person.", data: PersonAnswer },
    errors: [],
    handle: show,
  }),
  route({
    ...AT_PERSON,
    id: "update_person",
    method: "PATCH",
    summary: "Change a person",
    description:
      "Omitted fields stay. A suspended person is signed out within a second; a revoked one for " +
      `good, without the e-mail address. ${RIGHTS}`,
    key: "accepted",
    takesIfMatch: true,
    body: json(PersonPatchBody),
    readsReplica: true,
    success: { status: 200, description: "The person.", data: PersonAnswer },
    errors: ["conflict"],
    handle: patch,
  }),
  route({
    ...AT_PERSON,
    id: "create_person_link",
    method: "POST",
    path: "/v1/admin/people/:id/links",
    summary: "Get a link that signs a person in",
    description:
      `For the person alone; works once, for ${CODE_TTL_MS / MINUTE_MS} minutes. The session has ` +
      "the person's rights and ends with them.",
    body: json(EmptyBody),
    isBodyOptional: true,
    success: { status: 201, description: "The link.", data: PersonLink },
    errors: ["conflict", "upstream_unavailable"],
    handle: link,
  }),
];
