/**
 * What an operator may grant and change: rights that exist and that its own credential has. A
 * credential carries its agent's rights, so issuing one is granting them.
 */
import { isZone } from "../../../engine/core/calendar.ts";
import type { Agent } from "../../access/control/agents.ts";
import { coversScope, type PrincipalKind } from "../../access/control/principal.ts";
import { lacking, type Rights } from "../../access/control/rights.ts";
import { type Refusal, refuse } from "../../http/answer.ts";
import type { Call } from "../../http/call.ts";
import type { FieldError } from "../../http/validate.ts";
import { isAddress } from "../../lib/mailbox.ts";
import { returnOriginOf } from "../../lib/origins.ts";
import { BOOKERS } from "../callers.ts";
import { propertyId } from "../visible.ts";

type PageTerms = Partial<Pick<Agent, "return_origins" | "sells_directly">>;
type Asked = Partial<Pick<Rights, "scopes" | "property_ids">> & {
  readonly limits?: Partial<Pick<Agent["limits"], "step_up_amount">>;
};

/** The ids of properties named by id or slug; unknown names are kept. */
export function namedProperties(call: Call, named: readonly string[] | null): string[] | null {
  return named && [...new Set(named.map((each) => propertyId(call, each)))];
}

/**
 * Errors of requested rights: admin scopes and a step-up amount for an agent that is not an
 * operator, and properties unknown in the tenant and mode.
 */
export function grantFaults(call: Call, kind: PrincipalKind, asked: Asked): FieldError[] {
  const errors: FieldError[] = [];
  for (const [i, scope] of (asked.scopes ?? []).entries()) {
    if (kind === "operator" || !scope.startsWith("admin:")) continue;
    const expected = "a scope without admin:";
    errors.push({ path: `/scopes/${i}`, message: "is for operators only", expected });
  }
  if (kind !== "operator" && (asked.limits?.step_up_amount ?? null) !== null) {
    const path = "/limits/step_up_amount";
    errors.push({ path, message: "is for operators only", expected: "null" });
  }
  const { replica } = call.context;
  for (const [i, id] of (asked.property_ids ?? []).entries()) {
    if (replica.state.property(call.principal, id)) continue;
    const expected = "the id or slug of a property";
    errors.push({ path: `/property_ids/${i}`, message: "is not a known property", expected });
  }
  return errors;
}

/** Errors of a daily summary: its agent, address and time zone. */
export function summaryFaults({ kind, scopes, daily_summary }: Agent): FieldError[] {
  if (daily_summary === null) return [];
  const path = "/daily_summary";
  const { email, timezone } = daily_summary;
  const errors: FieldError[] = [];
  if (kind !== "operator" || !coversScope(new Set(scopes), "admin:kpis")) {
    const expected = "null, or an operator with the scope admin:kpis";
    errors.push({ path, message: "needs an operator with the scope admin:kpis", expected });
  }
  if (!isAddress(email)) {
    errors.push({
      path: `${path}/email`,
      message: "is not an e-mail address",
      expected: "an e-mail address",
    });
  }
  if (!isZone(timezone)) {
    const expected = "an IANA time zone such as Europe/Madrid";
    errors.push({ path: `${path}/timezone`, message: "is not a known time zone", expected });
  }
  return errors;
}

/** Errors of what pages need of an agent: exact origins, and an agent that may book live hotels. */
export function pageFaults(agent: Pick<Agent, "kind" | "mode"> & PageTerms): FieldError[] {
  const { kind, mode, return_origins = [], sells_directly = false } = agent;
  const errors: FieldError[] = [];
  for (const [i, origin] of return_origins.entries()) {
    if (returnOriginOf(origin) === origin) continue;
    const expected = "https and a host, in lower case and without a path; or http://localhost:port";
    errors.push({ path: `/return_origins/${i}`, message: "is not such an origin", expected });
  }
  if (sells_directly && (mode !== "live" || !(BOOKERS as readonly string[]).includes(kind))) {
    const expected = `false, or a live ${BOOKERS.join(", ")}`;
    errors.push({ path: "/sells_directly", message: "needs one that can book", expected });
  }
  return errors;
}

/** `forbidden` with the rights that the credential lacks; null when it has all. */
export function rightsRefusal({ principal }: Call, rights: Rights): Refusal | null {
  const lack = lacking(principal, rights);
  return lack && refuse("forbidden", { reason: "beyond_own_rights", ...lack });
}
