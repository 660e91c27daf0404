/** Issuers of delegation tokens, for operators. */
import { Type } from "@sinclair/typebox";
import { documented } from "../../http/schema/annotations.ts";
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
  valid: documented(Type.Boolean(), "Whether a call with the token would pass."),
  steps: Type.Array(
    named("DelegationStep", "One check of a token.", {
      step: documented(Type.String(), "Name of the check."),
      ok: documented(Type.Boolean(), "Whether it passed."),
      reason: documented(Type.Optional(Type.String()), "Why it failed."),
      claim: documented(Type.Optional(Type.String()), "The failed claim."),
    }),
  ),
  claims: Type.Optional(freeForm("Claims of the token, without the traveler.")),
});
