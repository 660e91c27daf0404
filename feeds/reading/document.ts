/** Identifies a document and the journal position it was built at. */
import type { Position } from "../position.ts";

/** Root element → the document. */
const DOCUMENTS = {
  listings: "hotel-list",
  Transaction: "ari",
  PointsOfSale: "pointofsale",
} as const;

export type DocumentKind = (typeof DOCUMENTS)[keyof typeof DOCUMENTS];

/** The kind of document of a root element; null for any other. */
export function documentKindOf(root: string): DocumentKind | null {
  return Object.hasOwn(DOCUMENTS, root) ? DOCUMENTS[root as keyof typeof DOCUMENTS] : null;
}

/** The kind of document by its first element; null for any other. */
export function documentKindIn(beginning: string): DocumentKind | null {
  const text = beginning.replace(/<!--[\s\S]*?-->|<\?[\s\S]*?\?>/g, "");
  const [, root = ""] = /<([^\s<>/!]+)/.exec(text) ?? [];
  return documentKindOf(root);
}

/** The position in a comment; null for other comments. */
export function positionIn(comment: string): Position | null {
  const [, seq, at] = /^ innkeep seq=(\d+) at=(\S+) $/.exec(comment) ?? [];
  return seq === undefined || at === undefined ? null : { seq: Number(seq), at };
}
