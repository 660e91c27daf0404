/**
 * The outbox of notices: written in the transaction of the change and kept until the
 * journal has them. After a crash they are sent again under the same id, which the engine
 * deduplicates.
 */
import type { Notice } from "../../../engine/core/events/event.ts";
import type { Actor } from "../../../engine/core/parties.ts";
import type { Mode } from "../../../engine/core/supply.ts";
import type { ControlStore } from "./store.ts";

/** Actor and trace of a change. */
export interface Cause {
  readonly tenant_id: string;
  readonly mode: Mode;
  readonly actor: Actor;
  readonly trace_id: string;
}

export interface PendingNotice extends Cause {
  /** Sortable by creation time. */
  readonly notice_id: string;
  readonly notice: Notice;
}

interface NoticeRow extends Omit<PendingNotice, "actor" | "notice"> {
  readonly actor_kind: Actor["kind"];
  readonly actor_id: string;
  readonly person_id: string | null;
  readonly notice: string;
}

const PENDING_MAX = 100;

/**
 * Writes a notice; call it inside the transaction of the change. A repeatable change passes a
 * stable UUID as id, and the notice is sent once.
 */
export function writeNotice(
  store: ControlStore,
  cause: Cause,
  notice: Notice,
  noticeId: string = Bun.randomUUIDv7(),
): void {
  const { tenant_id, mode, actor, trace_id } = cause;
  const insert = `INSERT OR IGNORE INTO notice (notice_id, tenant_id, mode, actor_kind, actor_id, trace_id,
    notice, person_id) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`;
  const { kind, id, person_id = null } = actor;
  const values = [tenant_id, mode, kind, id, trace_id, JSON.stringify(notice), person_id] as const;
  store.write(() => store.db.query(insert).run(noticeId, ...values));
}

/** Notices the journal may not have yet, oldest first, at most 100. */
export function pendingNotices(store: ControlStore): PendingNotice[] {
  const select = `SELECT notice_id, tenant_id, mode, actor_kind, actor_id, person_id, trace_id, notice
    FROM notice ORDER BY notice_id LIMIT ${PENDING_MAX}`;
  const rows = store.db.query<NoticeRow, []>(select).all();
  return rows.map(({ actor_kind, actor_id, person_id, notice, ...rest }) => {
    const actor = { kind: actor_kind, id: actor_id, ...(person_id !== null && { person_id }) };
    return { ...rest, actor, notice: JSON.parse(notice) as Notice };
  });
}

/** Deletes a notice that the journal has. */
export function forgetNotice(store: ControlStore, noticeId: string): void {
  store.write(() => store.db.query("DELETE FROM notice WHERE notice_id = ?").run(noticeId));
}
