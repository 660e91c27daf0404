/**
 * A token's way through the verification, for the operator who connects an issuer: which checks it
 * passed, and which one it failed for what reason. It is the verification itself that is watched.
 */
import type { Issuer } from "../control/issuers.ts";
import {
  type DelegationArgs,
  type DelegationResult,
  type DelegationStep,
  verifyDelegation,
} from "./delegation.ts";
import { decodeToken } from "./delegation-token.ts";

export interface TraceStep {
  readonly step: DelegationStep;
  readonly ok: boolean;
  /** Spec part 5 where it has one, else the code that a booking would be refused with. */
  readonly reason?: string;
  /** The claim at fault. */
  readonly claim?: string;
}

export interface DelegationTrace {
  readonly valid: boolean;
  /** In order, ending with the first that failed. */
  readonly steps: readonly TraceStep[];
  /** Of a token that has all it must have; the traveler is left out. */
  readonly claims?: Readonly<Record<string, unknown>>;
}

const SHOWN_CLAIMS = [
  ...(["iss", "aud", "exp", "nbf", "iat", "jti"] as const),
  ...(["azp", "client_id", "hold_id", "max_amount"] as const),
];

interface TraceArgs extends Omit<DelegationArgs, "token" | "onStep"> {
  readonly token: string;
  /** Tokens of other issuers count as of an unknown one. */
  readonly issuer: Issuer;
}

/** Follows a token through the verification as one of `issuer`. */
export async function traceDelegation(args: TraceArgs): Promise<DelegationTrace> {
  const { token, issuer, view } = args;
  const begun: DelegationStep[] = [];
  const result = await verifyDelegation({
    ...args,
    view: { keys: view.keys, issuer: (_, iss) => (iss === issuer.iss ? issuer : undefined) },
    onStep: (step) => begun.push(step),
  });
  const fault = faultOf(result);
  const valid = fault === null;
  const steps = begun.map((step, i) =>
    valid || i < begun.length - 1 ? { step, ok: true } : { step, ok: false, ...fault },
  );
  const hasClaims = steps.some(({ step, ok }) => step === "claims" && ok);
  return { valid, steps, ...(hasClaims ? { claims: shownClaims(token) } : {}) };
}

/** Why the last step failed; null when it did not. */
function faultOf(result: DelegationResult): Pick<TraceStep, "reason" | "claim"> | null {
  if (result.ok) return result.consent.is_expired ? { reason: "expired", claim: "exp" } : null;
  const { reason = result.code, claim } = result.detail;
  return { reason: String(reason), ...(claim === undefined ? {} : { claim: String(claim) }) };
}

function shownClaims(token: string): Record<string, unknown> {
  const payload = decodeToken(token)?.payload ?? {};
  const present = SHOWN_CLAIMS.filter((name) => Object.hasOwn(payload, name));
  return Object.fromEntries(present.map((name) => [name, payload[name]]));
}
