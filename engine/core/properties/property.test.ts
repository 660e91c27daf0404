/**
 * Goal: a caller limited to some properties is checked against them at every command, and the
 * refusal stores no key. Another agent's objects stay hidden.
 */
import { expect, test } from "bun:test";
import {
  AGENT,
  beginBooking,
  cancelAtDesk,
  cancelBooking,
  createProperty,
  extendHold,
  frozenQuote,
  OTHER_AGENT,
  paymentResult,
  placeHold,
  promoteProperty,
  propertyTree,
  releaseHold,
  stayIn,
  updateAri,
} from "../../../test/support/builders.ts";
import { given } from "../../../test/support/given.ts";
import type { Command } from "../commands.ts";

const TREE = propertyTree();
const DENIED = { property_id: TREE.id };

/** A hold, a booking and a quote of one agent, and every command that names one of them. */
function world() {
  const scene = given(createProperty(TREE), promoteProperty(TREE));
  const [quote, booked] = [frozenQuote(TREE), frozenQuote(TREE, { stay: stayIn(40, 2) })];
  const hold_id = scene.when(placeHold(quote)).text("hold_id");
  const consumed = scene.when(placeHold(booked)).text("hold_id");
  const begun = scene.when(beginBooking({ hold_id: consumed, quote_id: booked.quote_id }));
  const done = scene.when(paymentResult(begun.text("payment_id"), "captured"));
  const booking_id = done.text("booking_id");
  const commands: readonly (readonly [Command, hidden: string])[] = [
    [placeHold(frozenQuote(TREE)), "quote_not_found"],
    [extendHold(hold_id), "hold_not_found"],
    [beginBooking({ hold_id, quote_id: quote.quote_id }), "hold_not_found"],
    [cancelAtDesk(booking_id), "booking_not_found"],
    [cancelBooking(booking_id), "booking_not_found"],
    [releaseHold(hold_id), "hold_not_found"],
  ];
  const supply: readonly Command[] = [promoteProperty(TREE), updateAri(TREE, { rates: [] })];
  return { scene, commands, supply };
}

test("a caller limited to other properties is denied, whatever its kind", () => {
  const { scene, commands, supply } = world();
  for (const property_ids of [[], ["property-two"]]) {
    for (const [command] of commands) {
      for (const kind of ["agent", "operator", "service"] as const) {
        const id = kind === "agent" ? AGENT : "agt_of_another_kind";
        const came = scene.when({ ...command, property_ids, actor: { kind, id } } as Command);
        came.refused("resource_access_denied", DENIED);
        expect(came.decision.phase).toBe("transient");
      }
    }
    for (const command of supply) {
      const actor = { kind: "operator", id: "agt_operator" } as const;
      scene.when({ ...command, property_ids, actor }).refused("resource_access_denied", DENIED);
    }
  }
});

test("another agent's objects are hidden from an agent before a denial", () => {
  const { scene, commands } = world();
  const actor = { kind: "agent", id: OTHER_AGENT } as const;
  for (const [command, code] of commands) {
    for (const property_ids of [[], [TREE.id]]) {
      scene.when({ ...command, property_ids, actor } as Command).refused(code as never);
    }
  }
});

test("a caller with access to the property may act, and so may one of earlier versions", () => {
  for (const more of [{ property_ids: ["property-two", TREE.id] }, {}]) {
    const { scene, commands, supply } = world();
    for (const command of [...supply, ...commands.map(([each]) => each)]) {
      if (command.type === "ReleaseHold" || command.type === "CancelAtDesk") continue;
      expect(scene.when({ ...command, ...more } as Command).outcome).toMatchObject({ ok: true });
    }
  }
});
