/** The peer of searches: PostgreSQL with the supply that ours has, and a program before it. */
import { dayOf } from "../../engine/core/calendar.ts";
import { eachDay } from "../../engine/core/ranges.ts";
import type { AriUpdate, RoomType } from "../../engine/core/supply.ts";
import { suppliesOf } from "../search-tenant.ts";
import type { Supply } from "../tenant.ts";
import type { RunningPostgres } from "./peer1-store.ts";
import { postgresBinaries, runScripts, startPostgres } from "./peer1-store.ts";
import { installPackages, type RunningProgram, runOnNode } from "./peers.ts";

const TABLES = ["city", "property", "offer", "availability", "rate", "restriction"] as const;
type Table = (typeof TABLES)[number];
type Cell = string | number | boolean | null;

/** Properties whose rows are sent at a time. */
const SLICE = 20;

/**
 * Starts the peer with the first `properties` of the searched tenant. Null, with the reason on
 * stderr, when PostgreSQL is not installed.
 */
export async function startSearchPeer({
  workDir,
  properties,
}: {
  readonly workDir: string;
  readonly properties: number;
}): Promise<RunningProgram | null> {
  const binaries = postgresBinaries();
  if (binaries === null) {
    console.error("the peer of searches is skipped: PostgreSQL is not installed");
    return null;
  }
  installPackages();
  const postgres = await startPostgres({ workDir, binaries, scripts: ["search-schema.sql"] });
  try {
    await fill(postgres, properties);
    runScripts(postgres.psql, ["search-indexes.sql"]);
  } catch (error) {
    await postgres.stop();
    throw error;
  }
  return runOnNode("PostgreSQL", postgres, ["search-postgres.mjs", postgres.directory]);
}

async function fill(postgres: RunningPostgres, count: number): Promise<void> {
  const copies = Object.fromEntries(
    TABLES.map((table) => [table, copyInto(postgres, table)]),
  ) as Record<Table, Copy>;
  const rows = new SupplyRows((table, cells) => copies[table].add(cells));
  let done = 0;
  for (const supply of suppliesOf(count)) {
    rows.add(supply);
    done += 1;
    if (done % SLICE === 0) await Promise.all(TABLES.map((table) => copies[table].flush()));
  }
  await Promise.all(TABLES.map((table) => copies[table].end()));
}

/** Rows on their way into a table. */
interface Copy {
  add(cells: readonly Cell[]): void;
  flush(): Promise<void>;
  /** Throws when the table did not take them. */
  end(): Promise<void>;
}

function copyInto({ psql }: RunningPostgres, table: Table): Copy {
  const child = Bun.spawn([...psql, "-c", `COPY ${table} FROM STDIN`], {
    stdin: "pipe",
    stdout: "ignore",
    stderr: "inherit",
  });
  const lines: string[] = [];
  const flush = async () => {
    if (lines.length > 0) child.stdin.write(`${lines.splice(0).join("\n")}\n`);
    await child.stdin.flush();
  };
  return {
    // No text of the tenant has a character that would have to be escaped.
    add: (cells) => void lines.push(cells.map((cell) => cell ?? "\\N").join("\t")),
    flush,
    async end() {
      await flush();
      await child.stdin.end();
      if ((await child.exited) !== 0) throw new Error(`${table} cannot be filled`);
    },
  };
}

/** A rate plan of a room type, and its numbers. */
interface Offer {
  readonly offer: number;
  readonly room: number;
  readonly roomTypeId: string;
  readonly planId: string;
}

/** The rows of properties, one after the other, under numbers. */
class SupplyRows {
  readonly #put: (table: Table, cells: readonly Cell[]) => void;
  readonly #cities = new Map<string, number>();
  readonly #counts = { property: 0, room: 0, offer: 0 };

  constructor(put: (table: Table, cells: readonly Cell[]) => void) {
    this.#put = put;
  }

  add({ tree, ari }: Supply): void {
    const city = this.#cityOf(tree.address.city);
    const property = ++this.#counts.property;
    const { id, slug, name, star_rating, geo, address, images } = tree;
    this.#put("property", [
      ...[property, id, slug, name, star_rating, geo!.lat, geo!.lng],
      ...[address.city, address.country, images[0]!],
    ]);
    const offers = tree.room_types.flatMap((roomType) => this.#addRoom(property, roomType));
    this.#addUnits(city, ari, offers);
    this.#addRates(city, ari, offers);
    this.#addRestrictions(city, ari, offers);
  }

  #cityOf(name: string): number {
    const known = this.#cities.get(name);
    if (known !== undefined) return known;
    const city = this.#cities.size + 1;
    this.#cities.set(name, city);
    this.#put("city", [city, name]);
    return city;
  }

  #addRoom(property: number, roomType: RoomType): Offer[] {
    const room = ++this.#counts.room;
    const { max_occupancy, included_occupancy, rate_plans } = roomType;
    return rate_plans.map((plan) => {
      const offer = ++this.#counts.offer;
      this.#put("offer", [
        ...[offer, plan.id, property, plan.name, plan.meal_plan, plan.cancellation_kind],
        ...[plan.currency, plan.extra_adult_per_night, roomType.id, roomType.name],
        ...[roomType.bed_type, max_occupancy, included_occupancy],
      ]);
      return { offer, room, roomTypeId: roomType.id, planId: plan.id };
    });
  }

  /** Of a night that is named twice the last counts. */
  #addUnits(city: number, { inventory = [] }: AriUpdate, offers: readonly Offer[]): void {
    const rooms = new Map(offers.map(({ room, roomTypeId }) => [roomTypeId, room]));
    for (const [id, room] of rooms) {
      const units = new Map<number, number>();
      for (const range of inventory) {
        if (range.room_type_id !== id) continue;
        eachDay(range, dayOf(range.from), (day) => units.set(day, range.capacity!));
      }
      for (const [day, free] of units) this.#put("availability", [city, day, room, free]);
    }
  }

  #addRates(city: number, { rates = [] }: AriUpdate, offers: readonly Offer[]): void {
    const byPlan = new Map(offers.map((each) => [each.planId, each]));
    for (const range of rates) {
      const { offer, room } = byPlan.get(range.rate_plan_id)!;
      eachDay(range, dayOf(range.from), (day) => {
        this.#put("rate", [city, day, offer, room, range.amount!]);
      });
    }
  }

  #addRestrictions(city: number, { restrictions = [] }: AriUpdate, all: readonly Offer[]): void {
    for (const range of restrictions) {
      const { room_type_id, rate_plan_id } = range;
      const { stop_sell = false, cta = false, ctd = false, min_los_arrival = null } = range;
      const offers = all.filter(({ roomTypeId, planId }) =>
        rate_plan_id ? planId === rate_plan_id : roomTypeId === room_type_id,
      );
      eachDay(range, dayOf(range.from), (day) => {
        for (const { offer } of offers) {
          this.#put("restriction", [city, day, offer, stop_sell, cta, ctd, min_los_arrival]);
        }
      });
    }
  }
}
