/**
 * Who changed a night last. The journal is read from its end back, a slice in each turn of the
 * loop, until every requested night has its answer or the property's creation is reached.
 */
import { setImmediate as nextTurn } from "node:timers/promises";
import { dayOf, instantIso, WEEKDAYS, weekdayOf } from "../../../engine/core/calendar.ts";
import type { Event, EventOf, Row } from "../../../engine/core/events/event.ts";
import type { Actor } from "../../../engine/core/parties.ts";
import { followersOf } from "../../../engine/core/price/derived.ts";
import type { PropertyEntry } from "../../../engine/core/state/state.ts";
import type { DateRange } from "../../../engine/core/supply.ts";
import type { Replica } from "../../../engine/log/replica.ts";

/** Rows per turn of the loop; each may be an import of 500 ranges. */
const SLICE_ROWS = 32;
/** Rows searched for one answer; older changes are not reported. */
const ROWS_MAX = 100_000;

/** The last change of a night. */
export interface Change {
  readonly at: string;
  readonly seq: number;
  readonly actor: Actor;
  /** Fields set; `property`: no value by date, the night follows the property's tree. */
  readonly fields: readonly string[];
}

interface Noted extends Change {
  readonly fields: string[];
}

/** The nights of one room type or rate plan, and the last change of each. */
class Target {
  readonly #first: number;
  readonly #changes: (Noted | null)[];
  /** Nights whose last change is not known yet. */
  open: number;

  constructor(first: number, nights: number) {
    this.#first = first;
    this.#changes = Array.from({ length: nights }, () => null);
    this.open = nights;
  }

  at(day: number): Change | null {
    return this.#changes[day - this.#first] ?? null;
  }

  /** Rows arrive newest first: a night keeps its first change. */
  note(range: DateRange, change: Noted, fields: readonly string[]): void {
    const from = Math.max(dayOf(range.from), this.#first);
    const to = Math.min(dayOf(range.to), this.#first + this.#changes.length - 1);
    const allowed = range.days_of_week && new Set(range.days_of_week);
    for (let day = from; day <= to; day += 1) {
      if (allowed && !allowed.has(WEEKDAYS[weekdayOf(day)]!)) continue;
      const known = this.#changes[day - this.#first];
      if (known && known.seq !== change.seq) continue;
      if (!known) this.open -= 1;
      const before = known?.fields ?? [];
      const more = fields.filter((field) => !before.includes(field));
      if (known && more.length === 0) continue;
      this.#changes[day - this.#first] = { ...change, fields: [...before, ...more] };
    }
  }

  /** Nights without a change by date date from the property's last tree. */
  close(change: Noted): void {
    this.#changes.forEach((known, i) => {
      if (!known) this.#changes[i] = change;
    });
    this.open = 0;
  }
}

/** The part of a range that names its nights and scope. */
interface Entry extends DateRange {
  readonly room_type_id?: string;
  readonly rate_plan_id?: string | null;
}

const CHOOSING = new Set([
  ...["room_type_id", "rate_plan_id", "agent_id", "from", "to", "days_of_week"],
]);

/** Rows that write a whole tree. */
const TREE_WORDS = ['"property.created"', '"property.replaced"'];
const isTree = ({ type }: Event) => TREE_WORDS.includes(`"${type}"`);

/** The last changes of nights of room types and plans, by id. */
export class History {
  readonly #property: PropertyEntry;
  readonly #targets: ReadonlyMap<string, Target>;
  /** The last row that wrote the tree; it sets every night without a change of its own. */
  #tree: Noted | null = null;
  /** Whether every change is known; if not, those before `since` are unknown. */
  isComplete = false;
  since: string | null = null;

  constructor(property: PropertyEntry, ids: readonly string[], first: number, nights: number) {
    this.#property = property;
    this.#targets = new Map(ids.map((id) => [id, new Target(first, nights)]));
  }

  /** The last change of a night of a room type or plan; null when it is too old. */
  of(id: string, day: number): Change | null {
    return this.#targets.get(id)?.at(day) ?? null;
  }

  /** Looks through the journal; `signal` ends it early. */
  async read(
    replica: Pick<Replica, "rowsBetween" | "row" | "state">,
    signal: AbortSignal,
  ): Promise<void> {
    const { tenant_id, mode, tree } = this.#property;
    const noted = replica.state.tenants.get(tenant_id)?.rows[mode];
    const words = { word: tree.id, oneOf: ['"ari.changed"', ...TREE_WORDS] };
    const least = Math.max(noted?.rows[0] ?? 0, (noted?.last ?? 0) - ROWS_MAX + 1);
    for (let end = noted?.last ?? 0; end >= least && end > 0; end -= SLICE_ROWS) {
      const rows = replica.rowsBetween(Math.max(least, end - SLICE_ROWS + 1), end, words);
      for (const { row } of rows.reverse()) if (this.#take(row)) return;
      if ([...this.#targets.values()].every(({ open }) => open === 0)) {
        this.isComplete = true;
        return;
      }
      await nextTurn();
      if (signal.aborted) return;
    }
    const before = replica.row(least);
    this.since = before && instantIso(before.stamp);
  }

  /** True when no earlier row can matter. */
  #take(row: Row): boolean {
    const { tenant_id, mode, tree } = this.#property;
    if (row.tenant_id !== tenant_id || row.mode !== mode) return false;
    for (const event of [...row.events].reverse()) {
      if (!("property_id" in event.data) || event.data.property_id !== tree.id) continue;
      const { stamp, actor } = row;
      const change = { at: instantIso(stamp), seq: event.seq, actor, fields: [] as string[] };
      if (event.type === "ari.changed") this.#noteUpdate(event, change);
      if (isTree(event)) this.#tree ??= { ...change, fields: ["property"] };
      if (event.type !== "property.created") continue;
      for (const target of this.#targets.values()) target.close(this.#tree!);
      this.isComplete = true;
      return true;
    }
    return false;
  }

  /** A new amount is one of the plans that follow it, too. */
  #noteFollowers(entry: Entry, change: Noted): void {
    for (const room of this.#property.tree.room_types) {
      for (const { id } of followersOf(room, entry.rate_plan_id ?? "")) {
        this.#targets.get(id)?.note(entry, change, ["amount"]);
      }
    }
  }

  #noteUpdate({ data: { ari } }: EventOf<"ari.changed">, change: Noted): void {
    const { inventory, rates, restrictions, ceilings } = ari;
    for (const list of [inventory, rates, restrictions, ceilings]) {
      for (const entry of (list ?? []) as readonly Entry[]) {
        const { room_type_id, rate_plan_id } = entry;
        const fields = Object.keys(entry).filter((name) => !CHOOSING.has(name));
        if (fields.length === 0) continue;
        this.#targets.get(rate_plan_id ?? room_type_id ?? "")?.note(entry, change, fields);
        if (list === rates && fields.includes("amount")) this.#noteFollowers(entry, change);
      }
    }
  }
}
