/**
 * A tenant's life in which every kind of event happens at least once, decided by the real core.
 * What `tell` says of each row right after it happened is kept beside it.
 */
import type { RecordNotice, RecordPaymentReference } from "../../engine/core/commands.ts";
import type { Row } from "../../engine/core/events.ts";
import type { EventLookups } from "../../engine/core/public-events.ts";
import {
  beginBooking,
  cancelBooking,
  commandMeta,
  createProperty,
  extendHold,
  frozenQuote,
  NOON,
  paymentResult,
  placeHold,
  promoteProperty,
  propertyTree,
  refundResult,
  releaseHold,
  stayIn,
  updateAri,
} from "./builders.ts";
import { given, type Scenario } from "./given.ts";

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
];

/** What events are told from, as a replica of the scenario has it. */
export function lookupsOf({ state, records }: Scenario): EventLookups {
  return {
    hold: (id) => state.holds.get(id) ?? records.hold(id),
    booking: records.booking,
    payment: (id) => state.payments.get(id) ?? records.payment(id),
    refund: records.refund,
  };
}

/** The chain up to a row: of this test's own, but as the journal's a hash over what was before. */
export function chainOf(row: Row): string {
  return Bun.SHA256.hash(`row ${row.row}`, "hex") as string;
}

function paid(world: Scenario, nth: number, result: "captured" | "declined" | "unknown") {
  const stay = stayIn(30 + 3 * nth, 2);
  const quote = frozenQuote(TREE, { stay, created_at: world.stamp });
  const hold_id = world.when(placeHold(quote)).text("hold_id");
  const begun = world.when(beginBooking({ hold_id, quote_id: quote.quote_id }));
  const payment_id = begun.text("payment_id");
  const reference: RecordPaymentReference = {
    ...commandMeta({ actor: { kind: "system", id: "payments" } }),
    ...{ type: "RecordPaymentReference", payment_id, provider_ref: `ch_${nth}` },
  };
  world.when(reference);
  return { payment_id, came: world.when(paymentResult(payment_id, result)) };
}

/** The scenario after all of it; `told` was called after each thing that happened. */
export function everyEvent(told: (world: Scenario) => void): Scenario {
  const world = given(createProperty(TREE), promoteProperty(TREE));
  const step = () => told(world);
  const range = { from: "2026-10-01", to: "2026-10-03" };
  world.when(updateAri(TREE, { rates: [{ ...range, rate_plan_id: "plan-flex", amount: 10_000 }] }));
  const rates = { base: "EUR", rates: { USD: "1.1" } };
  world.when({ ...commandMeta(), type: "SetFxRates", ...rates });
  for (const notice of NOTICES) world.when({ ...commandMeta(), type: "RecordNotice", notice });
  step();
  const placed = () => {
    return world.when(placeHold(frozenQuote(TREE, { created_at: world.stamp }))).text("hold_id");
  };
  const held = placed();
  step();
  world.when(extendHold(held));
  world.when(releaseHold(held));
  placed();
  step();
  paid(world, 1, "declined");
  step();
  for (const nth of [2, 3]) {
    const booking_id = paid(world, nth, "captured").came.text("booking_id");
    step();
    const { refund_id } = world.when(cancelBooking(booking_id)).event("refund.requested");
    step();
    world.when(refundResult(refund_id, nth === 2 ? "succeeded" : "failed"));
    step();
  }
  paid(world, 4, "unknown");
  step();
  world.at(NOON + 2 * DAY_MS);
  while (world.due() !== null) step();
  return world;
}
