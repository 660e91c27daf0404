/** Mints delegation tokens of the demo issuer. */
import { importJWK, type JWTPayload, SignJWT } from "jose";
import type { DemoDelegation } from "./demo-file.ts";

export interface DelegationOptions {
  /** The traveler. */
  readonly sub: string;
  /** Life from `iat`, seconds. */
  readonly ttlS: number;
  /** Binds the token to one hold. */
  readonly holdId?: string | undefined;
  /** Binds the token to at most this amount, minor units of the quote's currency. */
  readonly maxAmount?: number | undefined;
}

/** A token signed with the demo issuer's key: fresh `jti`, `iat` now. */
export async function mintDelegation(
  delegation: DemoDelegation,
  options: DelegationOptions,
): Promise<string> {
  const { iss, aud, alg, kid, private_jwk } = delegation;
  const iat = Math.floor(Date.now() / 1000);
  const bound: JWTPayload = {};
  if (options.holdId !== undefined) bound.hold_id = options.holdId;
  if (options.maxAmount !== undefined) bound.max_amount = options.maxAmount;
  const claims = { iss, sub: options.sub, aud, iat, exp: iat + options.ttlS };
  return new SignJWT({ ...claims, jti: crypto.randomUUID(), ...bound })
    .setProtectedHeader({ alg, kid, typ: "JWT" })
    .sign(await importJWK(private_jwk, alg));
}
