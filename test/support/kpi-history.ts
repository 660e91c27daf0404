/** A history with everything that key figures count: also days at the desk, and another supply. */
import type { Command } from "../../engine/core/commands.ts";
import type { Booking } from "../../engine/core/records.ts";
import { RecordReaderOn } from "../../engine/log/record-reader.ts";
import { metaOf, OPERATOR, PROPERTY_ID, TENANT_ID } from "../power/commands.ts";
import { lived } from "../power/history.ts";
import type { Random } from "../power/random.ts";
import type { World } from "../power/world.ts";

const DAY_MS = 86_400_000;

/** What operators do, beside what `History` does. */
class Operators {
  readonly #world: World;
  readonly #random: Random;
  readonly #records: RecordReaderOn;

  constructor(world: World, random: Random) {
    this.#world = world;
    this.#random = random;
    this.#records = new RecordReaderOn(world.journal.db);
  }

  next(): Command | null {
    const roll = this.#random.unit();
    if (roll < 0.5) return this.#desk();
    if (roll < 0.75) return this.#inventory();
    if (roll < 0.85) return this.#tree();
    const of = { ...this.#meta(), property_id: PROPERTY_ID };
    if (roll < 0.9) return { ...of, type: "SuspendProperty" };
    return { ...of, type: "PromoteProperty", dry_run: false, payments_configured: true };
  }

  #meta() {
    return metaOf(this.#random, OPERATOR);
  }

  /** A guest of the next arrivals comes, or does not; one who is there leaves, or never came. */
  #desk(): Command | null {
    const random = this.#random;
    const found = this.#world.journal.db
      .query<{ id: string }, []>(
        "SELECT id FROM bookings WHERE state IN ('confirmed', 'checked_in') ORDER BY id",
      )
      .all();
    if (found.length === 0) return null;
    const some = Array.from({ length: 8 }, () => this.#records.booking(random.pick(found).id)!);
    const arrival = ({ quote }: Booking) => quote.stay.check_in;
    const { booking_id, state } = some.sort((a, b) => (arrival(a) < arrival(b) ? -1 : 1))[0]!;
    const of = { ...this.#meta(), booking_id };
    if (state === "checked_in") {
      return { ...of, type: random.pick(["CompleteStay", "CompleteStay", "UndoCheckIn"] as const) };
    }
    const type = random.pick(["CheckInGuest", "CheckInGuest", "RecordNoShow"] as const);
    return { ...of, type };
  }

  #inventory(): Command {
    const random = this.#random;
    const dateIn = (days: number) =>
      new Date(this.#world.time.wallMs() + days * DAY_MS).toISOString().slice(0, 10);
    const range = {
      ...{ room_type_id: random.pick(["single", "double"]), from: dateIn(random.below(10)) },
      to: dateIn(10 + random.below(20)),
      ...(random.chance(0.5) && { days_of_week: ["fri", "sat"] as const }),
      ...(random.chance(0.7) && { capacity: random.chance(0.2) ? null : random.below(9) }),
      ...(random.chance(0.5) && { out_of_order: random.chance(0.3) ? null : random.below(4) }),
    };
    const of = { ...this.#meta(), property_id: PROPERTY_ID };
    return { ...of, type: "UpdateAri", ari: { inventory: [range] } };
  }

  #tree(): Command {
    const random = this.#random;
    const realm = { tenant_id: TENANT_ID, mode: "live" } as const;
    const { tree, version } = this.#world.engine.state.property(realm, PROPERTY_ID)!;
    const room_types = tree.room_types.map((room) => {
      return { ...room, default_inventory: 3 + random.below(5) };
    });
    return {
      ...{ ...this.#meta(), type: "ReplaceProperty", property_id: PROPERTY_ID },
      tree: { ...tree, room_types, name: `Hotel ${random.below(9)}` },
      ...{ base_version: version, expected_version: null },
      ...{ payments_configured: true, dry_run: false },
    };
  }
}

/** A new world at `path`, and a function that lets it live until its journal has so many rows. */
export function kpiHistory(path: string, seed: number) {
  const { world, history, random } = lived(path, 0, seed);
  const operators = new Operators(world, random);
  const reach = (row: number) => {
    while (world.journal.head.row < row) {
      history.step();
      if (random.chance(0.03)) world.time.pass(random.below(2 * DAY_MS));
      const command = random.chance(0.4) ? operators.next() : null;
      if (command) world.ask(command);
    }
  };
  return { world, random, reach };
}
