/** Compares two documents of the same kind. */
import type { Position } from "../position.ts";
import { type DocumentKind, documentKindOf, positionIn } from "../reading/document.ts";
import type { Element } from "../reading/element.ts";
import { partsOf } from "../reading/parts.ts";
import { isShrunken } from "../shrunken.ts";
import { type EntriesCompared, EntriesComparison } from "./entries.ts";
import { type PricesCompared, PricesComparison } from "./prices.ts";

interface Ends {
  readonly kind: DocumentKind;
  readonly old: Position | null;
  readonly new: Position | null;
  /** The new one has more than 10 % fewer listings, points of sale or priced properties. */
  readonly shrunken: boolean;
}

export type Compared =
  | (Ends & { readonly prices: PricesCompared })
  | (Ends & { readonly entries: EntriesCompared });

/** Why two documents cannot be compared. */
export interface Incomparable {
  readonly which: "old" | "new";
  readonly what: string;
}

type Bytes = AsyncIterable<Uint8Array>;

interface Read {
  readonly kind: DocumentKind;
  readonly position: Position | null;
}

/** Passes every element on; returns the document's facts or why it cannot be read. */
async function read(
  bytes: Bytes,
  take: (kind: DocumentKind, name: string, element: Element) => void,
): Promise<Read | string> {
  let kind: DocumentKind | null = null;
  let position: Position | null = null;
  for await (const part of partsOf(bytes)) {
    if (part.kind === "fault") return part.what;
    if (part.kind === "comment") position ??= positionIn(part.text);
    else if (part.kind === "element") take(kind!, part.name, part.element);
    else kind = documentKindOf(part.name);
    if (part.kind === "root" && kind === null) return `<${part.name}> is not the root of a feed`;
  }
  return { kind: kind!, position };
}

/** Reads the old document, then the new one; `first` changes are reported in full. */
export async function compareDocuments(
  old: Bytes,
  now: Bytes,
  first: number,
): Promise<Compared | Incomparable> {
  const prices = new PricesComparison(first);
  const entries = new EntriesComparison(first);
  const before = await read(old, (kind, name, element) => {
    if (kind === "ari") prices.takeOld(name, element);
    else entries.takeOld(element);
  });
  if (typeof before === "string") return { which: "old", what: before };
  const after = await read(now, (kind, name, element) => {
    if (kind !== before.kind) return;
    if (kind === "ari") prices.takeNew(name, element);
    else entries.takeNew(element);
  });
  if (typeof after === "string") return { which: "new", what: after };
  const { kind } = before;
  if (after.kind !== kind) return { which: "new", what: `${after.kind}, the old one ${kind}` };
  const ends = { kind, old: before.position, new: after.position };
  if (kind !== "ari") {
    const found = entries.end();
    const shrunken = isShrunken(found.old_entries, found.new_entries);
    return { ...ends, shrunken, entries: found };
  }
  const found = prices.end();
  const shrunken = isShrunken(found.old_properties, found.new_properties);
  return { ...ends, shrunken, prices: found };
}
