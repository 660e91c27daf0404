/** Added, removed and changed listings or points of sale. */
import { attributeOf, attributesOf, type Element, leavesOf, textIn } from "../reading/element.ts";

export interface FieldChange {
  readonly field: string;
  /** Null: missing. A long text is shortened to its beginning, length and hash. */
  readonly old: string | null;
  readonly new: string | null;
}

export interface EntryChange {
  readonly id: string;
  readonly change: "added" | "removed" | "changed";
  readonly name: string;
  readonly fields: readonly FieldChange[];
}

export interface EntriesCompared {
  readonly old_entries: number;
  readonly new_entries: number;
  readonly added: number;
  readonly removed: number;
  readonly changed: number;
  /** The first changes. */
  readonly changes: readonly EntryChange[];
}

type Fields = ReadonlyMap<string, string>;

/** Longer than an address with all its variables. */
const TEXT_MAX = 400;

/** Shortens a long text, to bound the memory. */
function keptOf(text: string): string {
  if (text.length <= TEXT_MAX) return text;
  const hash = Bun.hash(text).toString(36);
  return `${text.slice(0, TEXT_MAX)}… (${text.length} characters, ${hash})`;
}

function fieldsOf(element: Element): Fields {
  const fields = new Map<string, string>();
  for (const [way, text] of leavesOf(element)) {
    const kept = keptOf(text);
    const known = fields.get(way);
    fields.set(way, known === undefined ? kept : keptOf(`${known}, ${kept}`));
  }
  return fields;
}

function fieldChanges(old: Fields, now: Fields): FieldChange[] {
  return [...new Set([...old.keys(), ...now.keys()])].flatMap((field) => {
    const [before, after] = [old.get(field) ?? null, now.get(field) ?? null];
    return before === after ? [] : [{ field, old: before, new: after }];
  });
}

/** A listing has its id as text, a point of sale as attribute. */
function idOf(element: Element): string {
  return attributeOf(element, "id") ?? textIn(element, "id");
}

/** Takes the old document's entries, then the new one's; entries left over were removed. */
export class EntriesComparison {
  readonly #first: number;
  readonly #old = new Map<string, Fields>();
  readonly #counts = { old_entries: 0, new_entries: 0, added: 0, removed: 0, changed: 0 };
  readonly #changes: Record<EntryChange["change"], EntryChange[]> = {
    ...{ removed: [], added: [], changed: [] },
  };

  /** `first`: changes reported in full. */
  constructor(first: number) {
    this.#first = first;
  }

  takeOld(element: Element): void {
    if (!isEntry(element)) return;
    this.#counts.old_entries += 1;
    this.#old.set(idOf(element), fieldsOf(element));
  }

  takeNew(element: Element): void {
    if (!isEntry(element)) return;
    this.#counts.new_entries += 1;
    const id = idOf(element);
    const old = this.#old.get(id);
    const now = fieldsOf(element);
    this.#old.delete(id);
    const name = textIn(element, "name");
    if (old === undefined) {
      this.#record({ id, change: "added", name, fields: [] });
      return;
    }
    const fields = fieldChanges(old, now);
    if (fields.length > 0) this.#record({ id, change: "changed", name, fields });
  }

  end(): EntriesCompared {
    for (const [id, fields] of this.#old) {
      this.#record({ id, change: "removed", name: fields.get("name") ?? "", fields: [] });
    }
    const { removed, added, changed } = this.#changes;
    // The most important for partners first.
    const changes = [...removed, ...added, ...changed].slice(0, this.#first);
    return { ...this.#counts, changes };
  }

  #record(change: EntryChange): void {
    this.#counts[change.change] += 1;
    const told = this.#changes[change.change];
    if (told.length < this.#first) told.push(change);
  }
}

/** False for `language` and `datum`, which are beside listings. */
function isEntry(element: Element): boolean {
  return Object.keys(attributesOf(element)).length > 0 || idOf(element) !== "";
}
