/** Bodies of `/v1/admin/people`. */
import { type Static, Type } from "@sinclair/typebox";
import { AccessState } from "../../http/schema/answer-parts.ts";
import { BodyKey, closed, Email } from "../../http/schema/request-parts.ts";
import { nameOf } from "../../http/schema/text-formats.ts";
import { PropertyIds, Scopes } from "../agents/requests.ts";

const Name = nameOf(200);
const Address = Type.Optional(Type.Union([Email, Type.Null()]));

export const PersonBody = closed({
  name: Name,
  email: Address,
  scopes: Scopes,
  property_ids: Type.Optional(PropertyIds),
  idempotency_key: BodyKey,
});
export type PersonRequest = Static<typeof PersonBody>;

export const PersonPatchBody = closed({
  name: Type.Optional(Name),
  email: Address,
  state: Type.Optional(AccessState),
  scopes: Type.Optional(Scopes),
  property_ids: Type.Optional(PropertyIds),
  idempotency_key: BodyKey,
});
export type PersonPatchRequest = Static<typeof PersonPatchBody>;
