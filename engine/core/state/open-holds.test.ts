/** Open holds against a plain list, while slots are reused. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import { frozenQuote, propertyTree } from "../../../test/support/builders.ts";
import { type Hold, isDue } from "../records.ts";
import { OpenHolds } from "./open-holds.ts";
import { RealmSheets, RoomState } from "./room-state.ts";

const TREE = propertyTree();
const QUOTES = ["qt_1", "qt_2"].map((quote_id) => frozenQuote(TREE, { quote_id }));
const AGENTS = ["agt_1", "agt_2"];

/** A hold is placed on a quote, by an agent, of a room type; or one of the open ones changes. */
const steps = fc.array(
  fc.record({
    what: fc.constantFrom("place", "place", "end", "extend", "confirm", "fail"),
    ...{ quote: fc.nat(1), agent: fc.nat(1), room: fc.nat(1), which: fc.nat(30) },
    atMs: fc.nat(6),
  }),
  { maxLength: 80 },
);

/** Few instants and few slots, so that an entry meets a hold that has its slot, room or instant. */
class Model {
  readonly holds = new OpenHolds({ tracksExpiry: true, clockOffsetMs: () => 0 });
  readonly sheets = new RealmSheets();
  readonly rooms = [new RoomState(this.sheets), new RoomState(this.sheets)];
  open: { readonly hold: Hold; readonly room: RoomState }[] = [];
  #placed = 0;

  place(quote: number, agent: number, roomNumber: number, expires_at: number): void {
    this.#placed += 1;
    const hold = {
      ...{ hold_id: `hld_${this.#placed}`, tenant_id: TREE.id, mode: "live" as const, expires_at },
      ...{ agent_id: AGENTS[agent]!, quote: QUOTES[quote]!, state: "held" as const },
      ...{ created_at: 0, extensions: 0, ended_at: null, payment_id: null, booking_id: null },
      rows: [],
    };
    const room = this.rooms[roomNumber]!;
    this.holds.add(hold, room);
    this.open.push({ hold, room });
  }

  change(what: "end" | "extend" | "confirm" | "fail", which: number, byMs: number): void {
    const chosen = this.open[which % this.open.length];
    if (!chosen) return;
    const { hold } = chosen;
    if (what === "end") {
      this.open = this.open.filter((each) => each !== chosen);
      expect(this.holds.remove(hold)).toBe(chosen.room);
    } else if (what === "confirm") hold.state = "confirming";
    else {
      if (what === "extend") hold.expires_at += byMs;
      hold.state = "held";
      this.holds.noteExpiry(hold);
    }
  }

  idsOf(isWanted: (each: { hold: Hold; room: RoomState }) => boolean): string[] {
    return this.open.filter(isWanted).map(({ hold }) => hold.hold_id);
  }
}

const idsIn = (holds: Iterable<Hold>) => Array.from(holds, ({ hold_id }) => hold_id);

test("open holds are found by id, quote and agent, after any placements and ends", () => {
  fc.assert(
    fc.property(steps, (all) => {
      const model = new Model();
      for (const { what, quote, agent, room, which, atMs } of all) {
        if (what === "place") model.place(quote, agent, room, atMs);
        else model.change(what, which, atMs);
      }
      const { holds, open } = model;
      expect(idsIn(holds.values())).toEqual(model.idsOf(() => true));
      expect(holds.size).toBe(open.length);
      for (const { hold } of open) expect(holds.get(hold.hold_id)).toBe(hold);
      for (const { quote_id } of QUOTES) {
        const expected = model.idsOf(({ hold }) => hold.quote.quote_id === quote_id);
        expect(idsIn(holds.onQuote(quote_id))).toEqual(expected.reverse());
      }
      for (const agent_id of AGENTS) {
        const expected = model.idsOf(({ hold }) => hold.agent_id === agent_id);
        expect(idsIn(holds.ofAgent({ tenant_id: TREE.id, agent_id }))).toEqual(expected);
        expect(holds.countOf({ tenant_id: TREE.id, agent_id })).toBe(expected.length);
        expect(holds.countOf({ tenant_id: "another", agent_id })).toBe(0);
      }
      for (const { hold, room } of open) expect(holds.remove(hold)).toBe(room);
    }),
  );
});

test("due holds are found, by the tick and by room, also in reused slots", () => {
  fc.assert(
    fc.property(steps, fc.nat(12), (all, atMs) => {
      const model = new Model();
      for (const { what, quote, agent, room, which, atMs } of all) {
        if (what === "place") model.place(quote, agent, room, atMs);
        else model.change(what, which, atMs);
      }
      const { holds, rooms } = model;
      for (const room of rooms) {
        const found = [...holds.mayBeDue(room, atMs)].filter((hold) => isDue(hold, atMs));
        const expected = model.idsOf((each) => each.room === room && isDue(each.hold, atMs));
        expect(idsIn(found).sort()).toEqual(expected.sort());
      }
      const due = new Set<string>();
      while (holds.expiries!.earliest <= atMs) {
        const hold = holds.at(holds.expiries!.pop()!);
        if (hold && isDue(hold, atMs)) due.add(hold.hold_id);
      }
      expect([...due].sort()).toEqual(model.idsOf(({ hold }) => isDue(hold, atMs)).sort());
    }),
  );
});

test("a room never takes another room's hold in a reused slot for due", () => {
  const model = new Model();
  const [room] = model.rooms;
  model.place(0, 0, 0, 1);
  model.place(0, 0, 0, 5);
  model.change("end", 1, 0);
  model.place(0, 0, 1, 5);
  expect(idsIn(model.holds.mayBeDue(room!, 6))).toEqual(["hld_1"]);
});

test("a room's entries are removed with its holds, also those of slots that others reuse", () => {
  const model = new Model();
  const [room, other] = model.rooms;
  model.place(0, 0, 0, 5);
  model.place(0, 0, 0, 6);
  model.change("end", 1, 0);
  model.place(0, 0, 1, 6);
  model.change("end", 0, 0);
  expect([room!.expiries!.size, other!.expiries!.size]).toEqual([0, 1]);
});

test("a hold that is not open cannot end", () => {
  const model = new Model();
  model.place(0, 0, 0, 5);
  const { hold } = model.open[0]!;
  model.holds.remove(hold);
  expect(() => model.holds.remove(hold)).toThrow("an open hold has a slot");
});
