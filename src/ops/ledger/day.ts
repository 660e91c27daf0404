/** The movements of a day, each with its property and its day there. */
import { dayOf, instantIso, todayIn } from "../../../engine/core/calendar.ts";
import type { Event, Row } from "../../../engine/core/events/event.ts";
import { recorded } from "../../../engine/core/record-damage.ts";
import type { LedgerJournal } from "./journal.ts";
import { type Movement, mayMove, movedBy, movementsIn } from "./movement.ts";

export interface DayAsked {
  /** A date, on which each property has its own midnights. */
  readonly date: string;
  readonly tenantId?: string | undefined;
  readonly propertyId?: string | undefined;
}

/** A line of the export: amounts are minor units of the currency. */
export interface LedgerLine {
  /** RFC 3339, UTC. */
  readonly time: string;
  readonly tenant_id: string;
  readonly mode: string;
  readonly property_id: string;
  readonly booking_id: string | null;
  readonly payment_id: string;
  readonly refund_id: string | null;
  readonly kind: Movement["kind"];
  /** What it adds to what the property has; their sum is captured less refunded and disputed. */
  readonly amount: number;
  /** What it is about: a refund that is only requested, or has failed, moves nothing. */
  readonly stated_amount: number;
  readonly currency: string;
  readonly receipt_hash: string | null;
  readonly seq: number;
}

/** No zone is farther from UTC. */
const ZONE_MS_MAX = 15 * 3_600_000;
const DAY_MS = 86_400_000;
const PROPERTY_WORDS = ['"property.created"', '"property.replaced"'];

function isProperty(line: string): boolean {
  return PROPERTY_WORDS.some((word) => line.includes(word));
}

/** The time zone of each property so far. */
class Zones {
  /** By realm and property. */
  readonly #zones = new Map<string, string>();
  /** Tenants, properties, and both together, that `has` can be asked for. */
  readonly #known = new Set<string>();

  take({ tenant_id, mode, events }: Row): void {
    for (const event of events) {
      const zone = zoneIn(event);
      if (zone === null) continue;
      const { property_id, timezone } = zone;
      this.#zones.set(`${tenant_id} ${mode} ${property_id}`, timezone);
      for (const tenantId of [tenant_id, undefined]) {
        this.#known.add(nameOf({ tenantId })).add(nameOf({ tenantId, propertyId: property_id }));
      }
    }
  }

  of({ tenant_id, mode }: Row, propertyId: string): string {
    return this.#zones.get(`${tenant_id} ${mode} ${propertyId}`) ?? "UTC";
  }

  /** Whether there is such a property; an absent part stands for any. */
  has(asked: Pick<DayAsked, "tenantId" | "propertyId">): boolean {
    return this.#known.has(nameOf(asked));
  }
}

function nameOf({ tenantId = "", propertyId = "" }: Pick<DayAsked, "tenantId" | "propertyId">) {
  return `${tenantId} ${propertyId}`;
}

/** The zone that an event sets; null when it keeps it. */
function zoneIn(event: Event): { readonly property_id: string; readonly timezone: string } | null {
  if (event.type !== "property.created" && event.type !== "property.replaced") return null;
  const { property_id, tree } = event.data;
  if (tree) return { property_id, timezone: tree.timezone };
  const { difference } = event.data as { readonly difference?: unknown };
  const part = (difference as { readonly timezone?: unknown } | undefined)?.timezone;
  return Array.isArray(part) ? { property_id, timezone: `${part[0]}` } : null;
}

/**
 * The movements of the day, in their order. Memory holds the zones of all properties, and the
 * amounts of all disputes.
 *
 * @throws RecordDamaged when a record that a movement needs is damaged, and Damage as `rows`.
 */
export function* linesOfDay(
  journal: LedgerJournal,
  asked: DayAsked,
): Generator<LedgerLine, { readonly isKnown: boolean }> {
  const day = dayOf(asked.date);
  const [fromMs, endMs] = [day * DAY_MS - ZONE_MS_MAX, (day + 1) * DAY_MS + ZONE_MS_MAX];
  const zones = new Zones();
  const disputed = new Map<string, number>();
  for (const row of journal.rows((line) => mayMove(line) || isProperty(line))) {
    zones.take(row);
    const isElsewhere = asked.tenantId !== undefined && row.tenant_id !== asked.tenantId;
    for (const movement of movementsIn(row)) {
      noteDispute(movement, disputed);
      if (isElsewhere || row.stamp < fromMs || row.stamp >= endMs) continue;
      const line = lineOf(movement, row, journal, disputed);
      const isAsked = (asked.propertyId ?? line.property_id) === line.property_id;
      if (isAsked && todayIn(zones.of(row, line.property_id), row.stamp) === day) yield line;
    }
  }
  const isAny = asked.tenantId === undefined && asked.propertyId === undefined;
  return { isKnown: isAny || zones.has(asked) };
}

/** Notes the amount of a dispute, which the event of its end does not repeat. */
export function noteDispute(
  { kind, dispute_id, stated_amount }: Movement,
  amounts: Map<string, number>,
): void {
  if (kind === "disputed") amounts.set(dispute_id!, stated_amount!);
}

/** A movement with what its records add. */
export function lineOf(
  movement: Movement,
  { stamp, tenant_id, mode }: Row,
  { records }: Pick<LedgerJournal, "records">,
  disputed: ReadonlyMap<string, number>,
): LedgerLine {
  const { kind, booking_id, payment_id, refund_id, dispute_id, receipt_hash, seq } = movement;
  const payment = recorded(records.payment(payment_id), "payment", payment_id);
  const ofRefund = () => recorded(records.refund(refund_id!), "refund", refund_id!).amount;
  const ofDispute = dispute_id === null ? undefined : disputed.get(dispute_id);
  const stated = movement.stated_amount ?? ofDispute ?? (refund_id === null ? 0 : ofRefund());
  return {
    ...{ time: instantIso(stamp), tenant_id, mode, property_id: payment.property_id },
    ...{ booking_id, payment_id, refund_id, kind },
    ...{ amount: movedBy(kind, stated), stated_amount: stated },
    ...{ currency: movement.currency ?? payment.currency, receipt_hash, seq },
  };
}
