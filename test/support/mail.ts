/** A booking as guests are written to about it, made by hand. */
import type { Booking } from "../../engine/core/records.ts";
import type { PropertyTree } from "../../engine/core/supply.ts";
import { frozenQuote, TENANT } from "./builders.ts";

const HOUR_MS = 3_600_000;
const ANCHOR_MS = Date.parse("2026-12-20T14:00:00Z");

/** Two nights for a family; free until two days before, then half of it. */
export function bookingOf(
  tree: PropertyTree,
  over: { readonly booking_id?: string; readonly cancelled_at?: number | null } = {},
): Booking {
  const { booking_id = "bkg_1", cancelled_at = null } = over;
  const fees = {
    tiers: [{ until_ms: ANCHOR_MS - 48 * HOUR_MS, fee: 0 }],
    ...{ after: 60_000, no_show: 120_000, anchor_ms: ANCHOR_MS },
    anchor: "2026-12-20T15:00:00+01:00",
  };
  const quote = frozenQuote(tree, {
    stay: { check_in: "2026-12-20", check_out: "2026-12-22" },
    guests: { adults: 2, children: [{ age: 4 }] },
    ...{ total: 123_450, due_now: 120_000, fees },
  });
  const cancellation = cancelled_at !== null && {
    ...{ cancelled_at, fee: 60_000, refund: 60_000, tier_index: 1, refund_id: "rfd_1" },
    ...{ reason_code: null, encrypted: null },
  };
  return {
    ...{ booking_id, confirmation_code: "BCDFGH23", hold_id: "hld_1", quote },
    ...{ tenant_id: TENANT, mode: "live", agent_id: "agt_ann", property_id: tree.id },
    ...{ state: cancellation ? "cancelled" : "confirmed", version: 1, created_at: 0 },
    ...{ payment_id: "pay_1", traveler: { hash: "h", iss: "i" }, encrypted: {}, key: "k" },
    ...{ cancellation: cancellation || null, refund_ids: [], receipts: [], history: [], rows: [] },
  };
}
