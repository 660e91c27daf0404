/** Bugs in who may do what: credentials, tokens, consent, rights. */
import type { ByKiller } from "./mutant.ts";

export const IN_RIGHTS: ByKiller = {
  "src/access/auth/forged-tokens.test.ts": [
    {
      name: "any JWT of an issuer is consent",
      in: "src/access/auth/delegation.ts misaddressed",
      drop: 'return "typ"',
      test: "audience_mismatch typ: a token with",
    },
    {
      name: "the service itself may be an issuer of consent",
      in: "src/access/auth/delegation.ts verifyDelegation",
      drop: "isOwnIssuer",
      test: "issuer_unknown: a token with this service itself as issuer",
    },
    {
      name: "consent is not bound to the agent of its azp",
      in: "src/access/auth/delegation.ts readBoundClaims",
      drop: "azp === undefined",
      test: "audience_mismatch azp: a token with",
    },
  ],
  "engine/core/bookings/booking.test.ts": [
    {
      name: "the desk takes no payment for what is due",
      in: "engine/core/bookings/booking.ts deskProblem",
      instead: ["!desk.pays_at_property || due_now === 0", "true"],
      test: "the property books its own holds alone, and without a payment only what is not due",
    },
    {
      name: "the desk books an agent's hold without its traveler",
      in: "engine/core/bookings/booking.ts deskProblem",
      drop: "agent_id !== actor.id",
      test: "the property books its own holds alone, and without a payment only what is not due",
    },
  ],
  "engine/core/bookings/notes.test.ts": [
    {
      name: "a note is added after an erasure",
      in: "engine/core/bookings/notes.ts addBookingNote",
      instead: ["erased || !encrypted", "!encrypted"],
      test: "there is no note without the guest's key, and none on another tenant's booking",
    },
  ],
  "src/access/auth/delegation.test.ts": [
    {
      name: "consent is not bound to its amount",
      in: "src/access/auth/delegation.ts readBoundClaims",
      drop: "max_amount === undefined",
      test: "a good token gives the traveler and its bound claims",
    },
    {
      name: "consent lives as long as its issuer likes",
      in: "src/access/auth/delegation.ts untimelyClaim",
      drop: "startS > ttlMaxS",
      test: "expired max_ttl_s: a token with",
    },
    {
      name: "one signed token vouches for all that name its key",
      in: "src/access/control/issuer-keys.ts IssuerKeys.isSignedBy",
      instead: ["signed.get(digest)", "signed.size > 0"],
      test: "a valid signature fails with other claims, and valid claims with another signature",
    },
    {
      name: "an issuer of mode test vouches in mode live",
      in: "src/access/control/view.ts ControlView.issuer",
      always: "[...this.#issuers.values()].map((named) => named.get(iss)).find((one) => one)",
      test: "an issuer of the other mode is unknown",
    },
  ],
  "src/http/guest-admission.test.ts": [
    {
      name: "a guest is admitted by what the replica knew before",
      in: "src/http/guest-admission.ts admitGuest",
      drop: "untilFresh",
      test: "a guest who was erased in a row that is not applied yet is out",
    },
  ],
  "src/access/auth/bearer.test.ts": [
    {
      name: "a narrowed token has all scopes of its agent",
      in: "src/access/control/principal.ts sharedScopes",
      instead: ["coversScope(one, scope)", "true"],
      test: "a token acts as its credential, with no more than its own scopes",
    },
    {
      name: "a suspended agent calls on",
      in: "src/access/auth/bearer.ts refusalOf",
      drop: 'if (entry.agent_state === "suspended")',
      test: "revocation gives unauthenticated and precedes suspension, which gives forbidden",
    },
    {
      name: "a rotated credential outlives its expiry",
      in: "src/access/control/entries.ts entryOf",
      instead: ["row.expires_at ?? Infinity", "row.retire_at ?? row.expires_at ?? Infinity"],
      test: "a rotated credential ends at its own expiry, even if the overlap is longer",
    },
    {
      name: "a revoked token is good until its end",
      in: "src/access/auth/bearer.ts authorizedBy",
      drop: "isTokenRevoked",
      test: "revoking a token leaves other tokens valid",
    },
    {
      name: "a token for one resource is good for all",
      in: "src/access/auth/access-token.ts AccessTokens.isMeantFor",
      always: "true",
      test: "a token for one resource is refused by other resources",
    },
  ],
  "src/access/control/damaged-rows.test.ts": [
    {
      name: "a repaired person stays damaged",
      in: "src/access/control/view.ts ControlView.#readRow",
      drop: "this.#damaged.delete",
      test: "a person damaged before the start is sound again once repaired, and known from then on",
    },
    {
      name: "a damaged row counts as if it were sound",
      in: "src/access/control/checked-rows.ts problemOf",
      holds: "checksumOf",
      test: "a damaged row is ignored, and every other row is unchanged",
    },
  ],
  "src/access/auth/access-token.test.ts": [
    {
      name: "a remembered token outlives its key",
      in: "src/access/auth/access-token.ts AccessTokens.#untimely",
      holds: "this.#ring.isPublished",
      test: "a cached token becomes invalid when its key is removed",
    },
  ],
  "src/access/control/signing-keys.test.ts": [
    {
      name: "a key of one purpose signs for the other",
      in: "src/access/auth/key-ring.ts KeyRing.verifier",
      instead: ["row?.purpose !== purpose", "!row"],
      test: "a key of one purpose verifies no signature of the other",
    },
  ],
  "src/access/auth/client-auth.test.ts": [
    {
      name: "any secret proves any client",
      in: "src/access/auth/client-auth.ts authenticateClient",
      instead: ["principal?.agent_id !== client_id", "!principal"],
      test: "an incomplete pair's error names the missing part, a wrong pair's error names no part",
    },
  ],
  "src/access/control/rights.test.ts": [
    {
      name: "a scope that one lacks can be handed out",
      in: "src/access/control/rights.ts lacking",
      instead: ["!coversScope(own.scopes, scope)", "false"],
      test: "a credential has the scopes it names; `admin:*` includes every administration scope",
    },
    {
      name: "no limit can be handed out by who has one",
      in: "src/access/control/rights.ts isWithin",
      instead: ["return false", "return true"],
      test: "a limit up to one's own may be granted; no limit or another currency exceeds it",
    },
    {
      name: "every property can be handed out by who has some",
      in: "src/access/control/rights.ts propertiesLacking",
      instead: ["?? null", "?? []"],
      test: "a restricted credential has the properties it names, an unrestricted one has all",
    },
  ],
  "src/access/control/keyed-outcomes.test.ts": [
    {
      name: "a replay shows the secret again",
      in: "src/access/control/keyed-outcomes.ts withoutSecret",
      always: "value",
      test: "a secret is not stored at any depth, and its placeholder says what to do",
    },
    {
      name: "another agent's kept outcome is recalled",
      in: "src/access/control/keyed-outcomes.ts recallOutcome",
      text: ["AND agent_id = ?", "AND agent_id <> ? || 'x'"],
      test: "an outcome is replayed to the same agent with the same body, and to no other",
    },
  ],
  "src/access/control/oauth-store.test.ts": [
    {
      name: "a code works again and again",
      in: "src/access/control/oauth-grants.ts OauthGrants.redeem",
      text: ["AND redeemed_at IS NULL", ""],
      test: "a code is used once, and ends the request",
    },
    {
      name: "the last refresh token may come again for ever",
      in: "src/access/control/oauth-grants.ts OauthGrants.byRefreshToken",
      instead: ["hash === row.previous_hash && isFresh", "hash === row.previous_hash"],
      test: "the last token may come again for half a minute after its first use, not longer",
    },
  ],
  "src/access/auth/redirect-uris.test.ts": [
    {
      name: "a registered address may be a script",
      in: "src/access/auth/redirect-uris.ts NOT_OF_APPS",
      always: "/^http:/i",
      test: "nothing else may be",
    },
  ],
  "src/protocols/oauth/pkce.test.ts": [
    {
      name: "the challenge is its own verifier",
      in: "src/protocols/oauth/pkce.ts isVerifierOf",
      always: "challenge === verifier || VERIFIER.test(verifier)",
      test: "a verifier fits its challenge alone, and is not the challenge itself",
    },
  ],
  "src/protocols/oauth/parameters.test.ts": [
    {
      name: "a form has any number of parameters",
      in: "src/protocols/oauth/parameters.ts FORM_PARAMETERS_MAX",
      always: "100_000",
      test: "a form has 32 parameters at most, however short they are",
    },
    {
      name: "of a repeated parameter the last one counts",
      in: "src/protocols/oauth/parameters.ts fromForm",
      instead: ["names.indexOf(name) < i", "names.indexOf(name) > i"],
      test: "a repeated parameter is refused, known or not",
    },
  ],
  "src/http/send-data.test.ts": [
    {
      name: "OAuth refuses in the envelope of everybody else",
      in: "src/http/render-oauth.ts renderOauthRefusal",
      instead: ["500", "400"],
      test: "an OAuth route's 4xx has OAuth's small body, with the time to wait",
    },
    {
      name: "OAuth does not say when to come again",
      in: "src/http/render-oauth.ts renderOauthRefusal",
      drop: "...wait",
      test: "an OAuth route's 4xx has OAuth's small body, with the time to wait",
    },
  ],
};
