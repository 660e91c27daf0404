/** Folds of authorizations: they are in the projections alone, never in memory. */
import { assert } from "../assert.ts";
import type { Authorization } from "../authorization.ts";
import { type EventOf, type EventType, type Row, timeOf } from "../events/event.ts";
import type { Fold, Folds } from "../fold.ts";
import type { RecordSink } from "../records.ts";
import type { State } from "../state/state.ts";
import { policyChanged } from "./policy.ts";

/** The request, by an agent or by the operator who grants it. */
const requested: Fold<"authorization.requested"> = (_state, { data, secret }, row, sink) => {
  if (!sink) return;
  const { policy, threshold, amount, expires_at, ...scope } = data;
  const { guests, traveler_hash } = secret;
  const { tenant_id, mode } = row;
  const at = timeOf(row);
  sink.putAuthorization({
    ...scope,
    ...{ tenant_id, mode, guests, traveler_hash },
    asked: policy !== null && amount !== null ? { policy, threshold, amount } : null,
    requested_by: row.actor,
    created_at: at,
    updated_at: at,
    expires_at: Date.parse(expires_at),
    state: "pending",
    ...{ approved: null, revoked: null, note: null, used: null },
  });
};

type Change = Extract<EventType, `authorization.${string}`>;

/** The fold of a change: `apply` sets what the event says beside the time. */
function changing<T extends Exclude<Change, "authorization.requested">>(
  apply: (authorization: Authorization, event: EventOf<T>, row: Row) => void,
) {
  return (_state: State, event: EventOf<T>, row: Row, sink: RecordSink | null): void => {
    if (!sink) return;
    const found = sink.authorization(event.data.authorization_id);
    assert(found !== null, "an authorization that changes is recorded");
    apply(found, event, row);
    found.updated_at = timeOf(row);
    sink.putAuthorization(found);
  };
}

export const AUTHORIZATION_FOLDS = {
  "authorization.requested": requested,
  "authorization.approved": changing<"authorization.approved">((found, event, row) => {
    found.state = "approved";
    found.max_amount = event.data.max_amount;
    found.approved = { by: row.actor, at: timeOf(row) };
    found.note = event.secret ?? null;
  }),
  "authorization.revoked": changing<"authorization.revoked">((found, _event, row) => {
    found.state = "revoked";
    found.revoked = { by: row.actor, at: timeOf(row) };
  }),
  "authorization.consumed": changing<"authorization.consumed">((found, { data }, row) => {
    const { hold_id, booking_id, payment_id } = data;
    found.state = "consumed";
    found.used = { hold_id, booking_id, payment_id, at: timeOf(row) };
  }),
  "authorization.returned": changing<"authorization.returned">((found) => {
    found.state = "approved";
    found.used = null;
  }),
  "authorization_policy.changed": policyChanged,
} satisfies Partial<Folds>;
