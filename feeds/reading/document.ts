/** Which of the three documents a text is, and at which position of the journal it was built. */
import type { Position } from "../position.ts";

/** Root element → the document. */
const DOCUMENTS = {
  listings: "hotel-list",
  Transaction: "ari",
  PointsOfSale: "pointofsale",
} as const;

export type DocumentKind = (typeof DOCUMENTS)[keyof typeof DOCUMENTS];

/** The document that a root element begins; null for any other. */
export function documentKindOf(root: string): DocumentKind | null {
  return Object.hasOwn(DOCUMENTS, root) ? DOCUMENTS[root as keyof typeof DOCUMENTS] : null;
}

/** Which document a text begins, by its first element; null for any other. */
export function documentKindIn(beginning: string): DocumentKind | null {
  const text = beginning.replace(/<!--[\s\S]*?-->|<\?[\s\S]*?\?>/g, "");
  const [, root = ""] = /<([^\s<>/!]+)/.exec(text) ?? [];
  return documentKindOf(root);
}

/** What a comment says of the position; null when it is about something else. */
export function positionIn(comment: string): Position | null {
  const [, seq, at] = /^ innkeep seq=(\d+) at=(\S+) $/.exec(comment) ?? [];
  return seq === undefined || at === undefined ? null : { seq: Number(seq), at };
}
