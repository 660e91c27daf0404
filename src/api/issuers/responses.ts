/** Issuers of delegation tokens, for operators (domain §12). */

import { Type } from "@sinclair/typebox";
import {
  AccessState,
  freeForm,
  Id,
  Instant,
  listOf,
  named,
  orNull,
  Version,
} from "../../http/schema/answer-parts.ts";
import { DelegationAlg } from "./requests.ts";

export const Issuer = named("DelegationIssuer", "A trusted issuer of travelers' tokens.", {
  issuer_id: Id,
  iss: Type.String(),
  name: Type.String(),
  status: AccessState,
  jwks_url: orNull(Type.String({ format: "uri" })),
  jwks: orNull(freeForm("A JSON Web Key Set.")),
  allowed_audiences: Type.Array(Type.String()),
  allowed_algs: Type.Array(DelegationAlg),
  max_ttl_s: Type.Integer({ minimum: 1 }),
  clock_skew_s: Type.Integer({ minimum: 0 }),
  created_at: Instant,
  version: Version,
});

export const IssuerList = listOf(Issuer);

export const IssuerTest = named("DelegationTrace", "The checks of a token.", {
  issuer_id: Id,
  valid: Type.Boolean(),
  steps: Type.Array(
    named("DelegationStep", "One check of a token.", {
      step: Type.String(),
      ok: Type.Boolean(),
      reason: Type.Optional(Type.String()),
      claim: Type.Optional(Type.String()),
    }),
  ),
  claims: Type.Optional(freeForm("Claims of the token, without the traveler.")),
});
