/**
 * A booking authorization: a person's consent to one booking that the tenant's policy or the
 * agent's limit does not allow by itself. It is bound to what a person judges (agent, traveler,
 * room type, dates, highest price), not to the hold, which ends long before people have decided.
 */
import type {
  AuthorizationState,
  AuthorizationStateAt,
  Requirement,
} from "./authorization-terms.ts";
import type { Actor, EncryptedFields } from "./parties.ts";
import type { Party, Stay } from "./price/quote.ts";
import type { Owned } from "./visibility.ts";

export interface Authorization extends Owned {
  readonly authorization_id: string;
  readonly property_id: string;
  readonly room_type_id: string;
  /** The plan and the guests of the request, for quoting it again; another plan may be booked. */
  readonly rate_plan_id: string;
  readonly stay: Stay;
  readonly guests: Party;
  /** Null for any traveler. */
  readonly traveler_hash: string | null;
  /** Why it was required, and the total then; null when an operator granted it unasked. */
  readonly asked: (Requirement & { readonly amount: number }) | null;
  /** Highest total of the booking, minor units of `currency`. */
  max_amount: number;
  readonly currency: string;
  readonly requested_by: Actor;
  /** The three are moved when the clock is corrected, so that it keeps its remaining time. */
  created_at: number;
  updated_at: number;
  expires_at: number;
  state: AuthorizationState;
  approved: Decided | null;
  revoked: Decided | null;
  /** The operator's note, under a data key of its own; `key` is the command that it is bound to. */
  note: { readonly encrypted: EncryptedFields; readonly key: string } | null;
  /** The booking that used it; null unless consumed. */
  used: Use | null;
}

/** Who decided, and when. */
interface Decided {
  readonly by: Actor;
  readonly at: number;
}

interface Use {
  readonly hold_id: string;
  readonly booking_id: string;
  readonly payment_id: string | null;
  readonly at: number;
}

/** The state at an instant. */
export function stateAt(
  { state, expires_at }: Pick<Authorization, "state" | "expires_at">,
  atMs: number,
): AuthorizationStateAt {
  const isOpen = state === "pending" || state === "approved";
  return isOpen && atMs >= expires_at ? "expired" : state;
}
