/**
 * Traces a token through the real verification, for operators who connect an issuer: the checks it
 * passed and the first that failed, with its reason.
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
  /** `detail.reason` of the refused token, else the code of the booking's refusal. */
  readonly reason?: string;
  readonly claim?: string;
}

export interface DelegationTrace {
  readonly valid: boolean;
  /** In order; ends with the first failure. */
  readonly steps: readonly TraceStep[];
  /** Only for complete tokens; without the traveler. */
  readonly claims?: Readonly<Record<string, unknown>>;
}

const SHOWN_CLAIMS = [
  ...(["iss", "aud", "exp", "nbf", "iat", "jti"] as const),
  ...(["azp", "client_id", "hold_id", "max_amount"] as const),
];

interface TraceArgs extends Omit<DelegationArgs, "token" | "onStep"> {
  readonly token: string;
  /** Tokens of other issuers fail as unknown issuer. */
  readonly issuer: Issuer;
}

/** Verifies a token as one of `issuer`, step by step. */
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
