/** The journal position that all of a document is of. */
import { DECLARATION } from "./xml.ts";

export interface Position {
  /** Number of the tenant's last live event. */
  readonly seq: number;
  /** RFC 3339 in UTC, whole seconds: when the position was read. */
  readonly at: string;
}

/** An instant as documents say it. */
export function secondsIso(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19)}Z`;
}

/** How every document begins. The comment is for people: each number stands in a header too. */
export function beginning({ seq, at }: Position): string {
  return `${DECLARATION}<!-- innkeep seq=${seq} at=${at} -->\n`;
}
