/**
 * A consumer of events as the guide "Following events" has it. What it keeps survives it; whatever
 * else it knows is lost when it dies.
 */
import type { PublicEvent } from "../../engine/core/public-events.ts";

export interface Page {
  readonly items: readonly PublicEvent[];
  readonly last_seq: number;
  readonly head_seq: number;
  readonly journal_id: string;
}

/** Asks for what follows an event. */
export type Pull = (afterSeq: number, limit: number) => Promise<Page>;

export class EventConsumer {
  journalId: string | null = null;
  /** Everything up to this one is applied, and nothing twice. */
  at = 0;
  readonly applied: PublicEvent[] = [];

  /**
   * Applies a page that was asked for with `asked`, whenever it comes. False when something is
   * missing before it.
   */
  take(page: Page, asked: number): boolean {
    this.journalId ??= page.journal_id;
    if (page.journal_id !== this.journalId) throw new Error("of another history");
    for (const event of page.items) {
      if (event.seq <= this.at) continue;
      if (event.prev_seq > this.at) return false;
      this.applied.push(event);
      this.at = event.seq;
    }
    if (asked > this.at) return false;
    this.at = Math.max(this.at, page.last_seq);
    return true;
  }

  /** Another consumer, from what this one has kept. */
  revived(): EventConsumer {
    const next = new EventConsumer();
    next.journalId = this.journalId;
    next.at = this.at;
    next.applied.push(...this.applied);
    return next;
  }

  /** Takes back what did not happen in the history that there is now; returns how many. */
  async reconcile(pull: Pull): Promise<number> {
    let common = 0;
    let beyond = this.applied.length;
    while (common < beyond) {
      const nth = Math.floor((common + beyond) / 2);
      const kept = this.applied[nth]!;
      const [found] = (await pull(kept.seq - 1, 1)).items;
      if (found?.id === kept.id) common = nth + 1;
      else beyond = nth;
    }
    const undone = this.applied.splice(common).length;
    this.at = this.applied.at(-1)?.seq ?? 0;
    this.journalId = null;
    return undone;
  }
}
