/** What has come, gone and changed among listings or points of sale. */
import { attributeOf, attributesOf, type Element, leavesOf, textIn } from "../reading/element.ts";

export interface FieldChange {
  readonly field: string;
  /** null: not there. A long text is its beginning, its length and its hash. */
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
  /** The first of them. */
  readonly changes: readonly EntryChange[];
}

type Fields = ReadonlyMap<string, string>;

/** Longer than an address with all its variables. */
const TEXT_MAX = 400;

/** What is kept of a text, so that a document of long ones does not fill the memory. */
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

/** A listing is told by its id in the text, a point of sale by its attribute. */
function idOf(element: Element): string {
  return attributeOf(element, "id") ?? textIn(element, "id");
}

/** The old document's entries first, then the new one's; what is left over has gone. */
export class EntriesComparison {
  readonly #first: number;
  readonly #old = new Map<string, Fields>();
  readonly #counts = { old_entries: 0, new_entries: 0, added: 0, removed: 0, changed: 0 };
  readonly #changes: Record<EntryChange["change"], EntryChange[]> = {
    ...{ removed: [], added: [], changed: [] },
  };

  /** `first`: how many changes are told in full. */
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
      this.#tell({ id, change: "added", name, fields: [] });
      return;
    }
    const fields = fieldChanges(old, now);
    if (fields.length > 0) this.#tell({ id, change: "changed", name, fields });
  }

  end(): EntriesCompared {
    for (const [id, fields] of this.#old) {
      this.#tell({ id, change: "removed", name: fields.get("name") ?? "", fields: [] });
    }
    const { removed, added, changed } = this.#changes;
    // What partners would miss most first.
    const changes = [...removed, ...added, ...changed].slice(0, this.#first);
    return { ...this.#counts, changes };
  }

  #tell(change: EntryChange): void {
    this.#counts[change.change] += 1;
    const told = this.#changes[change.change];
    if (told.length < this.#first) told.push(change);
  }
}

/** `language` and `datum` stand beside listings and are none. */
function isEntry(element: Element): boolean {
  return Object.keys(attributesOf(element)).length > 0 || idOf(element) !== "";
}
