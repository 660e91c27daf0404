import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { decodeRow } from "../engine/core/codec/row-codec.ts";
import { RenderedOutcome } from "../engine/core/outcomes.ts";
import { prepareRow } from "../engine/log/stored-row.ts";
import { storedLines } from "../test/support/stored-blocks.ts";
import { CoreRig, freshMeta, placeHold } from "./core-rig.ts";
import { addKeys } from "./filler.ts";
import { Ledger, NotConserved } from "./ledger.ts";

let directory: string;
let rig: CoreRig;
let ledger: Ledger;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "ledger-"));
  rig = new CoreRig(directory);
  ledger = new Ledger(rig.path);
});

afterEach(() => {
  ledger.close();
  rig.close();
  rmSync(directory, { recursive: true });
});

test("placed and released holds are conserved, and each is found by its key", () => {
  const commands = rig.seed(8).map((quote) => placeHold(quote));
  const [first] = rig.decide(commands);
  const hold_id = first?.ok && first.kind === "hold" ? first.data.hold_id : "";
  rig.decide([{ ...freshMeta(), type: "ReleaseHold", hold_id }]);
  ledger.read();
  ledger.checkCells();
  ledger.checkHolds(commands.map(({ key }) => key!));
});

test("an acknowledged hold that is not in the journal is reported as missing", () => {
  ledger.read();
  expect(() => ledger.checkHolds(["0".repeat(32)])).toThrow(NotConserved);
});

test("a key without a hold does not count as a hold", () => {
  addKeys(rig.journal, freshMeta().tenant_id, 3);
  ledger.read();
  const rows = storedLines(rig.journal.db).map(decodeRow);
  const stored = rows.flatMap(({ key }) => (key ? [key.key] : []));
  expect(stored).toHaveLength(3);
  expect(() => ledger.checkHolds(stored)).toThrow(NotConserved);
});

test("a night with more holds than units is found", () => {
  const [quote] = rig.seed(1);
  const { property_id, room_type_id, stay } = quote!;
  const cut = { room_type_id, from: stay.check_in, to: stay.check_out, capacity: 1 };
  const ari = { inventory: [cut] };
  rig.decide([{ ...freshMeta(), type: "UpdateAri", property_id, ari }]);
  const command = placeHold(quote!);
  const [outcome] = rig.decide([command]);
  ledger.read();
  ledger.checkCells();
  const held = rig.journal.byKey(command.key!)!;
  const [event] = held.events;
  if (event?.type !== "hold.created") throw new Error("no hold");
  const again = { ...event, data: { ...event.data, hold_id: `${event.data.hold_id}-again` } };
  const forged = { ...held, row: held.row + 1, key: null, phase: null, events: [again] };
  rig.journal.append([prepareRow(forged, new RenderedOutcome(outcome!))]);
  ledger.read();
  expect(() => ledger.checkCells()).toThrow(NotConserved);
});
