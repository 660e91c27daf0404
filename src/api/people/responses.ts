/** People of operators. */
import { Type } from "@sinclair/typebox";
import {
  AccessState,
  Id,
  Instant,
  listOf,
  named,
  orNull,
  Version,
} from "../../http/schema/answer-parts.ts";

export const Person = named("Person", "Who works at the console for an operator.", {
  person_id: Id,
  agent_id: Type.String({ description: "The operator." }),
  name: Type.String(),
  email: orNull(Type.String()),
  state: AccessState,
  scopes: Type.Array(
    Type.String({ description: "Granted scopes; they hold as far as the operator has them." }),
  ),
  property_ids: orNull(Type.Array(Id)),
  created_at: Instant,
  version: Version,
});

export const PersonList = listOf(Person);

export const PersonLink = named("PersonLink", "A link that signs a person in once.", {
  person_id: Id,
  url: Type.String({
    format: "uri",
    description: "For the person alone. The part after `#` is the secret of the link.",
  }),
  expires_at: Instant,
});
