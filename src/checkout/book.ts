/** Books the hold for the person on the page, by the route that agents book by. */
import { isSealed, type RefusalCode } from "../../engine/core/refusals.ts";
import type { DelegationGrant } from "../access/auth/delegation.ts";
import { checkoutIssuer } from "../access/auth/delegation.ts";
import type { AccessRefusal } from "../access/control/principal.ts";
import { callRoute } from "../http/in-process.ts";
import type { Form } from "../page-parts/form.ts";
import { CARDS } from "./cards.ts";
import { type Attempting, agentCall, keyOf } from "./visit.ts";

/** Field of the language of the page, added to what was sent. */
export const LANGUAGE_FIELD = "language";
/** Where nothing is due now, the body still names a token, which no provider gets. */
const NO_CARD = "none";

export interface Refused {
  readonly status: number;
  readonly code: RefusalCode;
  readonly detail: Readonly<Record<string, unknown>>;
}

/** The consent of the person on the page: to this hold, at this price, through this agent. */
function consentOf({ call, session, hold }: Attempting): DelegationGrant {
  const claims = { azp: session.agent_id, hold_id: hold.hold_id, max_amount: hold.quote.total };
  const consent = { claims, jti: session.session_id };
  return { ok: true, iss: checkoutIssuer(call.context.config), sub: session.session_id, consent };
}

/** The form's card among those of the sandbox; empty for none. */
function cardOf(sent: Form): string {
  return CARDS.find(({ id }) => id === (sent.get("card") ?? "").trim())?.token ?? "";
}

/** The body of the booking; `token` is the card's, by default that of the form. */
export function bodyOf({ hold }: Pick<Attempting, "hold">, sent: Form, token = cardOf(sent)) {
  const text = (name: string) => (sent.get(name) ?? "").trim();
  const [phone, requests, language] = ["phone", "special_requests", LANGUAGE_FIELD].map(text);
  return {
    hold_id: hold.hold_id,
    quote_id: hold.quote.quote_id,
    guest: {
      primary: {
        ...{ full_name: text("full_name"), email: text("email") },
        ...(language && { language }),
        ...(phone && { phone }),
      },
    },
    payment: { method: "card", provider_token: hold.quote.due_now === 0 ? NO_CARD : token },
    ...(requests && { special_requests: requests }),
  };
}

/**
 * Null when the hold is booked; otherwise why it is not. `token`: of a card that is authorized
 * already.
 */
export async function booked(
  visit: Attempting,
  sent: Form,
  token?: string,
): Promise<Refused | null> {
  const asked = bodyOf(visit, sent, token);
  const refused = await attempt(visit, asked);
  const { authorization_id, state } = refused?.detail ?? {};
  const isApproved = refused?.code === "authorization_required" && state === "approved";
  if (!isApproved) return refused;
  const { session } = visit;
  const next = { ...visit, session: { ...session, refusals: session.refusals + 1 } };
  const again = { ...next, attempt: visit.attempt + 1 };
  return attempt(again, { ...asked, authorization_id });
}

async function attempt(visit: Attempting, body: object): Promise<Refused | null> {
  const call = agentCall(visit);
  if ("ok" in call) return refusedBy(call);
  const headers = { "idempotency-key": keyOf(visit, "book") };
  const consent = consentOf(visit);
  const { status, body: answer } = await callRoute(call, { id: "book", body, headers, consent });
  const error = answer.error as Omit<Refused, "status"> | undefined;
  if (!error) return null;
  const { code, detail } = error;
  // The same key would get the same refusal again, or take no other card. A failed payment is
  // counted by the hold.
  if ((isSealed(code) && code !== "payment_failed") || code === "payment_provider_error") {
    call.context.checkout.countRefusal(visit.session);
  }
  return { status, code, detail };
}

/** Keeps the hold for longer; null when it is done. */
export async function extended(visit: Attempting): Promise<Refused | null> {
  const call = agentCall(visit);
  if ("ok" in call) return refusedBy(call);
  const headers = { "idempotency-key": keyOf(visit, "extend") };
  const params = { id: visit.hold.hold_id };
  const { status, body } = await callRoute(call, { id: "extend_hold", params, headers });
  const error = body.error as Omit<Refused, "status"> | undefined;
  return error ? { status, code: error.code, detail: error.detail } : null;
}

/** A refusal of access, as one of the booking. */
export function refusedBy({ code, detail }: AccessRefusal): Refused {
  return { status: 403, code, detail };
}
