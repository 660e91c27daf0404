/**
 * What an operator may hand out and touch: rights that exist, and none that the credential it
 * presents does not have. A credential carries its agent's rights to whoever reads its secret, so
 * issuing one is handing them out too.
 */
import { isZone } from "../../../engine/core/calendar.ts";
import { isAddress } from "../../../jobs/mail/mail.ts";
import type { Agent } from "../../control/agents.ts";
import { coversScope, type PrincipalKind } from "../../control/principal.ts";
import { lacking, type Rights } from "../../control/rights.ts";
import { type Refusal, refuse } from "../../http/answer.ts";
import type { Call } from "../../http/call.ts";
import type { FieldError } from "../../http/validate.ts";
import { propertyId } from "../visible.ts";

type Asked = Partial<Pick<Rights, "scopes" | "property_ids">>;

/** The ids of the properties that a body names by id or slug; unknown ones stay as they are. */
export function namedProperties(call: Call, named: readonly string[] | null): string[] | null {
  return named && [...new Set(named.map((each) => propertyId(call, each)))];
}

/**
 * Faults of rights as they were asked for: administration for an agent that is no operator, and
 * properties that the tenant does not have in this mode.
 */
export function grantFaults(call: Call, kind: PrincipalKind, asked: Asked): FieldError[] {
  const errors: FieldError[] = [];
  for (const [i, scope] of (asked.scopes ?? []).entries()) {
    if (kind === "operator" || !scope.startsWith("admin:")) continue;
    const expected = "a scope without admin:";
    errors.push({ path: `/scopes/${i}`, message: "is for operators only", expected });
  }
  const { replica } = call.context;
  for (const [i, id] of (asked.property_ids ?? []).entries()) {
    if (replica.state.property(call.principal, id)) continue;
    const expected = "the id or slug of a property";
    errors.push({ path: `/property_ids/${i}`, message: "is not a known property", expected });
  }
  return errors;
}

/** Faults of a daily summary: whose, to where, and by which clock. */
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

/** `forbidden` with what the credential lacks of these rights; null when it has them all. */
export function rightsRefusal({ principal }: Call, rights: Rights): Refusal | null {
  const lack = lacking(principal, rights);
  return lack && refuse("forbidden", { reason: "beyond_own_rights", ...lack });
}
