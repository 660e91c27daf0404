/**
 * Open disputes about payments. The API has no list of them: they are found by their events, and
 * each payment is read as it is now.
 */
import type { Static } from "@sinclair/typebox";
import type { DeskPayment } from "../../api/desk/responses.ts";
import type { EventPage } from "../../api/events/responses.ts";
import { type Answered, ask } from "../frame/api.ts";
import type { Visit } from "../frame/visit.ts";

/** Newest events that are searched. */
const EVENTS_MAX = 30_000;
/** Pages of the API; each looks through thousands of events. */
const PAGES_MAX = 4;
/** Payments that are read: one call each. */
const PAYMENTS_MAX = 50;

type Payment = Static<typeof DeskPayment>;
type Dispute = NonNullable<Payment["dispute"]>;

export interface Disputes {
  readonly items: readonly (Payment & { readonly dispute: Dispute })[];
  /** False when older events were not searched, or payments not read. */
  readonly isWhole: boolean;
  readonly events: number;
}

/** The open disputes among the newest events, newest first. */
export async function disputesOf(visit: Visit): Promise<Answered<Disputes>> {
  const { headSeq: head } = visit;
  const start = Math.max(0, head - EVENTS_MAX);
  const open = new Set<string>();
  let after = start;
  for (let nth = 0; nth < PAGES_MAX && after < head; nth += 1) {
    const found = await ask<Static<typeof EventPage>>(visit, {
      id: "list_events",
      query: {
        ...{ kinds: "payment.disputed,payment.dispute_closed", limit: "1000" },
        after_seq: String(after),
      },
    });
    if (!found.ok) return found;
    for (const { type, subject } of found.data.items) {
      open.delete(subject.id);
      if (type === "payment.disputed") open.add(subject.id);
    }
    after = found.data.last_seq;
  }
  const newest = [...open].toReversed();
  const items = [];
  for (const id of newest.slice(0, PAYMENTS_MAX)) {
    const found = await ask<Payment>(visit, { id: "admin_get_payment", params: { id } });
    if (!found.ok) return found;
    const { dispute } = found.data;
    if (dispute?.state === "open") items.push({ ...found.data, dispute });
  }
  const isWhole = start === 0 && after >= head && newest.length <= PAYMENTS_MAX;
  return { ok: true, data: { items, isWhole, events: after - start }, actions: [] };
}
