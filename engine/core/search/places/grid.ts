/**
 * Finds points near a point: a grid of cells of a tenth of a degree, of which a query reads those
 * that its circle touches.
 */
import type { Around, Point } from "./geo-uri.ts";

const CELLS_PER_DEGREE = 10;
const ROWS = 180 * CELLS_PER_DEGREE;
const COLUMNS = 360 * CELLS_PER_DEGREE;
/** Mean radius of the earth. */
const EARTH_M = 6_371_008.8;

const radians = (degrees: number) => (degrees * Math.PI) / 180;
const degrees = (angle: number) => (angle * 180) / Math.PI;

/** Great-circle distance in whole metres, by the haversine formula. */
export function distanceM(a: Point, b: Point): number {
  const dLat = Math.sin(radians(b.lat - a.lat) / 2);
  const dLng = Math.sin(radians(b.lng - a.lng) / 2);
  const h = dLat * dLat + Math.cos(radians(a.lat)) * Math.cos(radians(b.lat)) * dLng * dLng;
  return Math.round(2 * EARTH_M * Math.asin(Math.min(1, Math.sqrt(h))));
}

/** Ordinals, ascending, and their distances. */
export interface Near {
  readonly ordinals: readonly number[];
  readonly distances: readonly number[];
}

export class Grid {
  readonly #points = new Map<number, Point>();
  readonly #cells = new Map<number, Set<number>>();

  put(ordinal: number, point: Point): void {
    this.#points.set(ordinal, point);
    const at = cellOf(point);
    const cell = this.#cells.get(at);
    if (cell) cell.add(ordinal);
    else this.#cells.set(at, new Set([ordinal]));
  }

  drop(ordinal: number): void {
    const point = this.#points.get(ordinal);
    if (!point) return;
    this.#points.delete(ordinal);
    const at = cellOf(point);
    const cell = this.#cells.get(at)!;
    if (cell.size === 1) this.#cells.delete(at);
    else cell.delete(ordinal);
  }

  /** Everything within the radius, its edge included. */
  within({ point, radiusM }: Around): Near {
    const found: { ordinal: number; distance: number }[] = [];
    for (const cell of this.#cellsAround(point, radiusM)) {
      for (const ordinal of cell) {
        const distance = distanceM(point, this.#points.get(ordinal)!);
        if (distance <= radiusM) found.push({ ordinal, distance });
      }
    }
    found.sort((a, b) => a.ordinal - b.ordinal);
    return {
      ordinals: found.map(({ ordinal }) => ordinal),
      distances: found.map(({ distance }) => distance),
    };
  }

  /** Cells that the circle may touch, each once. */
  *#cellsAround({ lat, lng }: Point, radiusM: number): Iterable<ReadonlySet<number>> {
    // A little more than the radius: a distance is rounded to whole metres.
    const angle = (radiusM + 1) / EARTH_M;
    const [south, north] = [lat - degrees(angle), lat + degrees(angle)];
    const firstRow = rowOf(Math.max(-90, south));
    const rows = rowOf(Math.min(90, north)) - firstRow + 1;
    // Around a pole every meridian is near; elsewhere the widest parallel of the circle counts.
    const isAtPole = south <= -90 || north >= 90;
    // Of a circle that all but touches a pole the quotient may be rounded to more than 1.
    const widest = Math.min(1, Math.sin(angle) / Math.cos(radians(lat)));
    const reach = isAtPole ? 180 : degrees(Math.asin(widest));
    const columns = Math.min(COLUMNS, Math.ceil(2 * reach * CELLS_PER_DEGREE) + 2);
    if (rows * columns > this.#cells.size) {
      yield* this.#cells.values();
      return;
    }
    const firstColumn = Math.floor((lng - reach + 180) * CELLS_PER_DEGREE);
    for (let row = firstRow; row < firstRow + rows; row += 1) {
      for (let i = 0; i < columns; i += 1) {
        const column = (((firstColumn + i) % COLUMNS) + COLUMNS) % COLUMNS;
        const cell = this.#cells.get(row * COLUMNS + column);
        if (cell) yield cell;
      }
    }
  }
}

function rowOf(lat: number): number {
  return Math.min(ROWS - 1, Math.floor((lat + 90) * CELLS_PER_DEGREE));
}

/** The 180th meridian is one line: its west is its east. */
function cellOf({ lat, lng }: Point): number {
  const column = Math.floor((lng + 180) * CELLS_PER_DEGREE) % COLUMNS;
  return rowOf(lat) * COLUMNS + column;
}
