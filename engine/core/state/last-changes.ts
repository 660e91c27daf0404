/**
 * Which event set each night of a room type, a rate plan or a ceiling last, so that an update can
 * be refused when others were there first. An event that sets many nights is one entry with a bit
 * for each night. The number of entries is bounded: beyond it the two oldest become one, which
 * has the later event's number. So a night may count as changed later than it was, never earlier.
 */
import { RULE_NAMES } from "../rules.ts";

/** A field has the bit of its place, also in snapshots: new ones are appended. */
const FIELDS = [
  ...(["capacity", "out_of_order", "overbooking_limit", "amount", "extra_adult"] as const),
  ...(["ceiling", "release"] as const),
  ...RULE_NAMES,
] as const;

export type ChangedField = (typeof FIELDS)[number];

/**
 * Each has a bit for each night of up to a year and more. If 20 room types with 40 rate plans are
 * all changed until the bound, on scattered nights of a year, entries take 1.0 MB of memory and 0.7
 * MB of a snapshot; 16 would take 1.8 and 1.4 MB, 6 would take 0.8 and 0.5 MB. An editor has seen
 * the nights minutes ago: seven later events that each changed one rate plan are still told apart.
 */
const ENTRIES_MAX = 8;

export const ALL_FIELDS = (1 << FIELDS.length) - 1;

/** The bits of the fields that a range sets. */
export function fieldBits(range: object): number {
  const given = range as Readonly<Record<string, unknown>>;
  return FIELDS.reduce((bits, name, i) => (given[name] === undefined ? bits : bits | (1 << i)), 0);
}

/** The fields of these bits, in their order. */
export function fieldsOf(bits: number): ChangedField[] {
  return FIELDS.filter((_, i) => bits & (1 << i));
}

/** A set of nights: bit `i` is day `first + i`. */
export interface NightSet {
  readonly first: number;
  readonly bits: bigint;
}

/** As many nights from a day on. */
export function nightsFrom(first: number, count: number): NightSet {
  return { first, bits: count > 0 ? (1n << BigInt(count)) - 1n : 0n };
}

/** The days of a set, in order. */
export function daysIn({ first, bits }: NightSet): number[] {
  const text = bits.toString(2);
  const days: number[] = [];
  for (let at = text.length - 1; at >= 0; at -= 1) {
    if (text[at] === "1") days.push(first + text.length - 1 - at);
  }
  return days;
}

/** The bits of a set counted from another first day; nights before it are left out. */
function bitsFrom({ first, bits }: NightSet, day: number): bigint {
  return bits << BigInt(first - day);
}

/** The nights of either set. */
export function union(a: NightSet, b: NightSet): NightSet {
  const first = Math.min(a.first, b.first);
  return { first, bits: bitsFrom(a, first) | bitsFrom(b, first) };
}

/** The nights of both sets. */
export function intersection(a: NightSet, b: NightSet): NightSet {
  return { first: a.first, bits: a.bits & bitsFrom(b, a.first) };
}

/** Nights that an event set, and their fields. */
export interface Change extends NightSet {
  readonly seq: number;
  readonly fields: number;
}

/** In a snapshot: number, fields, first day, and the nights in hexadecimal. */
export type PackedChange = readonly [seq: number, fields: number, first: number, bits: string];

/** Changes of one room type, rate plan or ceiling, oldest first. */
export class LastChanges {
  #changes: Change[] = [];

  /** Those after an event, oldest first. */
  after(seq: number): Change[] {
    const last = this.#changes.at(-1);
    if (last === undefined || last.seq <= seq) return [];
    return this.#changes.filter((change) => change.seq > seq);
  }

  /** What an event sets; it may set the same nights in several steps. */
  note(change: Change): void {
    const kept = this.#changes.flatMap((each) => withoutNightsOf(each, change));
    const [oldest, next] = kept;
    if (kept.length < ENTRIES_MAX) this.#changes = [...kept, change];
    else this.#changes = [merged(oldest!, next!), ...kept.slice(2), change];
  }

  forgetBefore(day: number): void {
    this.#changes = this.#changes.flatMap((change) => {
      const bits = change.first < day ? bitsFrom(change, day) : change.bits;
      return bits === 0n ? [] : { ...change, first: Math.max(change.first, day), bits };
    });
  }

  pack(): PackedChange[] {
    return this.#changes.map(({ seq, fields, first, bits }) => {
      return [seq, fields, first, bits.toString(16)];
    });
  }

  /** Restores what `pack` gave. */
  static unpack(packed: readonly PackedChange[]): LastChanges | null {
    if (packed.length === 0) return null;
    const restored = new LastChanges();
    restored.#changes = packed.map(([seq, fields, first, bits]) => {
      return { seq, fields, first, bits: BigInt(`0x${bits}`) };
    });
    return restored;
  }
}

/** What a later change leaves of an earlier one: nights, or fields that it does not set. */
function withoutNightsOf(earlier: Change, later: Change): Change | [] {
  if ((earlier.fields & ~later.fields) !== 0) return earlier;
  const bits = earlier.bits & ~bitsFrom(later, earlier.first);
  return bits === 0n ? [] : { ...earlier, bits };
}

function merged(a: Change, b: Change): Change {
  return { ...union(a, b), seq: b.seq, fields: a.fields | b.fields };
}
