/** The journal position of a document. */
import { DECLARATION } from "./xml.ts";

export interface Position {
  /** The tenant's last live event. */
  readonly seq: number;
  /** RFC 3339 in UTC, whole seconds: when the position was read. */
  readonly at: string;
}

/** An instant in the form of documents. */
export function secondsIso(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19)}Z`;
}

/** The first lines of every document. Headers repeat the numbers of the comment. */
export function beginning({ seq, at }: Position): string {
  return `${DECLARATION}<!-- innkeep seq=${seq} at=${at} -->\n`;
}
