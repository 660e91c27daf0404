/** Who did something: a person by name, on every page alike. */
import type { Static } from "@sinclair/typebox";
import type { Actor } from "../../http/schema/answer-parts.ts";
import type { Visit } from "./visit.ts";

type By = Static<typeof Actor>;

/** The name of a person of the visitor's tenant and mode; null for others. */
export function personName({ call }: Visit, personId: string | undefined): string | null {
  const { context, principal } = call;
  return personId === undefined ? null : context.control.personName(principal, personId);
}

/** The person's name, else the id of the agent or the part of the service. */
export function nameOfActor(visit: Visit, { id, person_id }: By): string {
  return personName(visit, person_id) ?? person_id ?? id;
}

/** The same as an element; an id is shown as code. */
export function ByActor({ visit, actor }: { readonly visit: Visit; readonly actor: By }) {
  const name = personName(visit, actor.person_id);
  return name === null ? <code>{actor.person_id ?? actor.id}</code> : <bdi>{name}</bdi>;
}
