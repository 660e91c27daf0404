/** A tenant's life in which every kind of event happens at least once. */

import { dateOf } from "../../engine/core/calendar.ts";
import type { Command, RecordNotice, RecordPaymentReference } from "../../engine/core/commands.ts";
import type { Event } from "../../engine/core/events/event.ts";
import {
  approveAuthorization,
  grantAuthorization,
  revokeAuthorization,
  setAuthorizationPolicy,
} from "./authorizations.ts";
import {
  archiveProperty,
  atDesk,
  beginBooking,
  cancelBooking,
  commandMeta,
  createProperty,
  deleteProperty,
  disputeIn,
  extendHold,
  frozenQuote,
  modifyBooking,
  paymentResult,
  placeHold,
  promoteProperty,
  propertyTree,
  refundResult,
  releaseHold,
  replaceProperty,
  settleElsewhere,
  suspendProperty,
  updateAri,
} from "./builders.ts";
import type { Scenario } from "./given.ts";
import { acknowledgeIncident, resolveIncident } from "./incidents.ts";

const DAY_MS = 86_400_000;
const TREE = propertyTree();

const NOTICES: readonly RecordNotice["notice"][] = [
  {
    type: "delegation_issuer.status_changed",
    data: {
      issuer_id: "iss_1",
      iss: "https://id.example",
      status: "active",
      previous_status: "suspended",
    },
  },
  {
    type: "credential.rotated",
    data: {
      agent_id: "agt_ann",
      credential_id: "crd_2",
      previous_credential_id: "crd_1",
      retire_at: "2026-09-02T12:00:00.000Z",
    },
  },
  {
    type: "webhook.endpoint_disabled",
    data: { endpoint_id: "whe_1", reason: "gone", at: "2026-09-01T12:00:00.000Z" },
  },
  {
    type: "webhook.endpoint_recovered",
    data: {
      endpoint_id: "whe_1",
      disabled_at: "2026-09-01T12:00:00.000Z",
      at: "2026-09-02T12:00:00.000Z",
    },
  },
  {
    type: "payments.reconciled",
    data: { orphan_totals: [], orphans: [], difference_count: 0, differences: [] },
  },
  {
    type: "feed.generated",
    data: {
      ...{ partner: "google", run_id: "run_1", trigger: "nightly" },
      ...{ as_of_seq: 1, as_of: "2026-09-02T02:10:00.000Z", listings: 12 },
    },
  },
  {
    type: "feed.failed",
    data: {
      ...{ partner: "google", run_id: "run_2", trigger: "change" },
      ...{ reason: "shrunken", listings: 3, published_run_id: "run_1" },
    },
  },
];

/** Decides commands; who lives it may be the core alone or a whole engine. */
export interface Living {
  /** The events that the command came to. */
  when(command: Command): readonly Event[];
  /** Moves time on and does what is due by then. */
  wait(durationMs: number): void;
  /** Engine time, epoch milliseconds. */
  readonly now: number;
}

/** The life of a scenario of the core. */
export function livingIn(world: Scenario): Living {
  return {
    when: (command) => world.when(command).decision.events,
    wait(durationMs) {
      world.at(world.stamp + durationMs);
      while (world.due() !== null);
    },
    get now() {
      return world.stamp;
    },
  };
}

type DataOf<T extends Event["type"]> = Extract<Event, { readonly type: T }>["data"];

function made<T extends Event["type"]>(events: readonly Event[], type: T): DataOf<T> {
  const found = events.find((event) => event.type === type);
  if (!found) throw new Error(`no ${type} among ${events.map((event) => event.type)}`);
  return found.data as DataOf<T>;
}

/** The date so many days from now. */
function dateIn(world: Living, days: number): string {
  return dateOf(Math.floor(world.now / DAY_MS) + days);
}

function quoteIn(world: Living, inDays: number) {
  const stay = { check_in: dateIn(world, inDays), check_out: dateIn(world, inDays + 2) };
  const hashes = {
    price_hash: `sha256:${"a".repeat(64)}`,
    policy_hash: `sha256:${"b".repeat(64)}`,
  };
  return frozenQuote(TREE, { stay, created_at: world.now, ...hashes });
}

function placed(world: Living, inDays = 30) {
  const quote = quoteIn(world, inDays);
  const { hold_id } = made(world.when(placeHold(quote)), "hold.created");
  return { hold_id, quote_id: quote.quote_id };
}

function paid(
  world: Living,
  nth: number,
  result: "captured" | "declined" | "unknown",
  inDays = 30 + 3 * nth,
) {
  const hold = placed(world, inDays);
  const { payment_id } = made(world.when(beginBooking(hold)), "payment.pending");
  const reference: RecordPaymentReference = {
    ...commandMeta({ actor: { kind: "system", id: "payments" } }),
    ...{ type: "RecordPaymentReference", payment_id, provider_ref: `ch_${nth}` },
  };
  world.when(reference);
  return world.when(paymentResult(payment_id, result));
}

/** A booking that must be approved, whose payment fails first; and one that is never allowed. */
function authorized(world: Living, step: () => void): void {
  world.when(setAuthorizationPolicy());
  const hold = placed(world, 60);
  const asked = made(world.when(beginBooking(hold)), "authorization.requested");
  step();
  const { authorization_id } = asked;
  world.when(approveAuthorization(authorization_id));
  step();
  const begun = made(world.when(beginBooking(hold, { authorization_id })), "payment.pending");
  step();
  world.when(paymentResult(begun.payment_id, "declined"));
  step();
  const granted = made(world.when(grantAuthorization(TREE)), "authorization.approved");
  world.when(revokeAuthorization(granted.authorization_id));
  world.when(setAuthorizationPolicy({ required_when: "never" }));
  step();
}

/** A night without a room that operators work off, and one that they accept. */
function oversold(world: Living, step: () => void): void {
  const cut = (inDays: number) => {
    placed(world, inDays);
    const range = { from: dateIn(world, inDays), to: dateIn(world, inDays + 1), capacity: 0 };
    const ari = { inventory: [{ room_type_id: TREE.room_types[0]!.id, ...range }] };
    return made(world.when(updateAri(TREE, ari)), "inventory.oversell_detected").incident_id;
  };
  const [first, second] = [cut(80), cut(90)];
  step();
  world.when(acknowledgeIncident(first));
  const range = { from: dateIn(world, 80), to: dateIn(world, 81), capacity: 1 };
  const ari = { inventory: [{ room_type_id: TREE.room_types[0]!.id, ...range }] };
  world.when(resolveIncident(first, { action: "restore_capacity", ari }));
  world.when(resolveIncident(second, { action: "accept" }));
  step();
}

/** Lives it; `step` is called after each thing that happened. */
export function everyEvent(world: Living, step: () => void): void {
  world.when(createProperty(TREE));
  world.when(promoteProperty(TREE));
  const range = { from: dateIn(world, 30), to: dateIn(world, 32) };
  world.when(updateAri(TREE, { rates: [{ ...range, rate_plan_id: "plan-flex", amount: 10_000 }] }));
  const rates = { base: "EUR", rates: { USD: "1.1" } };
  world.when({ ...commandMeta(), type: "SetFxRates", ...rates });
  for (const notice of NOTICES) world.when({ ...commandMeta(), type: "RecordNotice", notice });
  step();
  const { hold_id } = placed(world);
  step();
  world.when(extendHold(hold_id));
  world.when(releaseHold(hold_id));
  placed(world);
  step();
  paid(world, 1, "declined");
  step();
  for (const nth of [2, 3]) {
    const { booking_id } = made(paid(world, nth, "captured"), "booking.confirmed");
    step();
    const { refund_id } = made(world.when(cancelBooking(booking_id)), "refund.requested");
    step();
    world.when(refundResult(refund_id, nth === 2 ? "succeeded" : "failed"));
    step();
    if (nth === 3) world.when(settleElsewhere(refund_id));
  }
  paid(world, 4, "unknown");
  step();
  const { booking_id: moved } = made(paid(world, 7, "captured"), "booking.confirmed");
  world.when(modifyBooking(moved, quoteIn(world, 60)));
  step();
  const { payment_id: taken } = made(paid(world, 8, "captured"), "payment.captured");
  world.when(disputeIn("open", taken));
  world.when(disputeIn("won", taken));
  step();
  const clock = { ...commandMeta({ mode: "test" }), type: "AdvanceTestClock" } as const;
  world.when({ ...clock, advance_s: 60 });
  authorized(world, step);
  oversold(world, step);
  const arriving = [5, 6].map((nth) => made(paid(world, nth, "captured", 0), "booking.confirmed"));
  const [here, missed] = arriving.map(({ booking_id }) => booking_id);
  world.when(atDesk("CheckInGuest", here!));
  step();
  world.when(atDesk("UndoCheckIn", here!));
  step();
  world.when(atDesk("CheckInGuest", here!));
  step();
  world.wait(2 * DAY_MS);
  world.when(atDesk("CompleteStay", here!));
  step();
  world.when(atDesk("RecordNoShow", missed!));
  step();
  const { actor } = atDesk("CompleteStay", here!);
  const note = { type: "AddBookingNote", encrypted: { note: "sealed" } } as const;
  world.when({ ...commandMeta({ actor }), ...note, booking_id: here! });
  step();
  world.when({ ...commandMeta({ actor }), type: "EraseGuest", booking_id: here! });
  step();
  world.when(replaceProperty({ ...TREE, name: "One by the sea" }));
  const draft = propertyTree({ id: "property-two", slug: "two" });
  world.when(createProperty(draft));
  world.when(deleteProperty(draft));
  world.when(suspendProperty(TREE));
  world.when(archiveProperty(TREE));
  step();
}
