/** Whether a room type has the requested amenities and beds. */

import type { PropertyTree, RoomType } from "../supply.ts";
import { wordsOf } from "./places/spelling.ts";

type Traits = Pick<RoomType, "amenities" | "bed_type">;

/** Limit of amenities in a search: each has a bit of a number. */
export const AMENITIES_MAX = 20;

/** `air_conditioning`, `Air conditioning` and `air-conditioning` are one code. */
function codeOf(text: string): string {
  return wordsOf(text).join(" ");
}

export class RoomRequirements {
  /** The amenities as requested, by code. */
  readonly #asked: ReadonlyMap<string, string>;
  readonly #codes: readonly string[];
  /** Null when no bed is requested; an empty list matches no bed type. */
  readonly #bedWords: readonly string[] | null;
  /** Bits of an amenity as supply writes it; thousands of hotels write the same few. */
  readonly #bits = new Map<string, number>();
  /** Whether a bed type has all words. */
  readonly #beds = new Map<string, boolean>();
  readonly #all: number;
  #ofProperty = 0;

  /** Null when nothing is required. */
  static of(asked: {
    readonly amenities?: readonly string[];
    readonly bed_type?: string;
  }): RoomRequirements | null {
    const { amenities = [], bed_type } = asked;
    if (amenities.length === 0 && bed_type === undefined) return null;
    return new RoomRequirements(amenities, bed_type === undefined ? null : wordsOf(bed_type));
  }

  private constructor(amenities: readonly string[], bedWords: readonly string[] | null) {
    this.#asked = new Map(amenities.map((amenity) => [codeOf(amenity), amenity]));
    this.#codes = [...this.#asked.keys()];
    this.#all = 2 ** this.#codes.length - 1;
    this.#bedWords = bedWords;
  }

  /** Sets the property; call before any of its room types. */
  setProperty({ amenities }: Pick<PropertyTree, "amenities">): void {
    this.#ofProperty = this.#bitsOf(amenities);
  }

  /** Whether a room type of the property has everything. */
  fits(roomType: Traits): boolean {
    return this.hasBed(roomType) && this.#bitsWith(roomType) === this.#all;
  }

  /** Whether the bed type has every requested word. */
  hasBed({ bed_type }: Traits): boolean {
    const asked = this.#bedWords;
    if (!asked) return true;
    const text = bed_type ?? "";
    let has = this.#beds.get(text);
    if (has === undefined) {
      const words = new Set(wordsOf(text));
      has = asked.length > 0 && asked.every((word) => words.has(word));
      this.#beds.set(text, has);
    }
    return has;
  }

  /** The requested amenities that the property or the room type has, as requested. */
  amenitiesOf(roomType: Traits): string[] {
    const bits = this.#bitsWith(roomType);
    return [...this.#asked.values()].filter((_, i) => ((bits >> i) & 1) === 1);
  }

  /** Their number. */
  countAmenities(roomType: Traits): number {
    let count = 0;
    for (let bits = this.#bitsWith(roomType); bits !== 0; bits &= bits - 1) count += 1;
    return count;
  }

  /** Whether the property and the room type have every amenity. */
  hasAmenities(roomType: Traits): boolean {
    return this.#bitsWith(roomType) === this.#all;
  }

  #bitsWith({ amenities }: Traits): number {
    return this.#ofProperty === this.#all ? this.#all : this.#ofProperty | this.#bitsOf(amenities);
  }

  #bitsOf(amenities: readonly string[]): number {
    let found = 0;
    for (const amenity of amenities) {
      let bits = this.#bits.get(amenity);
      if (bits === undefined) {
        const at = this.#codes.indexOf(codeOf(amenity));
        bits = at < 0 ? 0 : 1 << at;
        this.#bits.set(amenity, bits);
      }
      found |= bits;
    }
    return found;
  }
}
