/**
 * Goal: the guest's data of an acknowledged booking stays readable for ever. Method: the real
 * engine on a real file, read through a separate connection.
 */
import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import {
  beginBooking,
  createProperty,
  freshHex,
  frozenQuote,
  placeHold,
  promoteProperty,
  propertyTree,
} from "../../test/support/builders.ts";
import { LoneEngine } from "../../test/support/lone-engine.ts";

const DAY_MS = 86_400_000;
const TREE = propertyTree();

/** A hold of one night from `inDays` on. */
function holdOf(lone: LoneEngine, inDays: number, due_now: number) {
  const now = lone.now();
  const date = (days: number) => new Date(now + days * DAY_MS).toISOString().slice(0, 10);
  const stay = { check_in: date(inDays), check_out: date(inDays + 1) };
  const quote = frozenQuote(TREE, { created_at: now, stay, due_now });
  const command = placeHold(quote, { random: freshHex() });
  const [outcome] = lone.decide([command]);
  if (!outcome?.ok || outcome.kind !== "hold") throw new Error(JSON.stringify(outcome));
  return { hold_id: outcome.data.hold_id, quote_id: command.quote_id };
}

test("the key of a guest's data is in the file when the booking is answered", () => {
  const lone = new LoneEngine();
  try {
    lone.decide([createProperty(TREE), promoteProperty(TREE)]);
    for (const [i, due_now] of [0, 8_000].entries()) {
      const wrapped_key = `wrapped-${due_now}`;
      const hold = holdOf(lone, 10 + i, due_now);
      lone.decide([beginBooking(hold, { wrapped_key, random: freshHex() })]);
      using file = new Database(lone.journalPath, { readonly: true });
      const kept = file.query("SELECT wrapped_key FROM subject_keys").all();
      expect(kept).toContainEqual({ wrapped_key });
    }
  } finally {
    lone.close();
  }
});
