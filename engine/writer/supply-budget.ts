/**
 * Limits what a tenant's supply changes may add to the journal in a day, so that no tenant fills
 * the shared disk within its request limit. Days are UTC days of engine time. The counts are in
 * memory: a restart begins at zero.
 */
import type { Command } from "../core/commands.ts";
import type { Rejection } from "../core/outcomes.ts";

const DAY_MS = 86_400_000;

/** Commands that store their input. Taking a property off sale is never refused. */
const COUNTED: ReadonlySet<Command["type"]> = new Set([
  ...(["CreateProperty", "ReplaceProperty", "UpdateAri", "SetFxRates"] as const),
]);

export class SupplyBudget {
  readonly #bytesPerDay: number;
  readonly #spent = new Map<string, number>();
  #day = 0;

  /** `bytesPerDay`: journal bytes per tenant. */
  constructor(bytesPerDay: number) {
    this.#bytesPerDay = bytesPerDay;
  }

  /** The refusal at this engine time; null while the tenant has bytes left. */
  refusalOf({ type, tenant_id }: Command, stampMs: number): Rejection | null {
    if (!COUNTED.has(type)) return null;
    this.#turnTo(stampMs);
    if ((this.#spent.get(tenant_id) ?? 0) < this.#bytesPerDay) return null;
    const detail = { policy: "supply_bytes", limit: this.#bytesPerDay, window_s: DAY_MS / 1_000 };
    const retry_after = Math.max(1, Math.ceil(((this.#day + 1) * DAY_MS - stampMs) / 1_000));
    return { code: "rate_limited", detail, retry_after };
  }

  /** Counts the bytes of a command's row. */
  spend({ type, tenant_id }: Command, stampMs: number, bytes: number): void {
    if (!COUNTED.has(type)) return;
    this.#turnTo(stampMs);
    this.#spent.set(tenant_id, (this.#spent.get(tenant_id) ?? 0) + bytes);
  }

  #turnTo(stampMs: number): void {
    const day = Math.floor(stampMs / DAY_MS);
    if (day <= this.#day) return;
    this.#day = day;
    this.#spent.clear();
  }
}
