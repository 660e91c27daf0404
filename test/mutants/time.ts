/** Bugs in time: the engine's clock, test clocks, and states of the past. */
import type { ByKiller } from "./mutant.ts";

export const IN_TIME: ByKiller = {
  "engine/log/past-state.test.ts": [
    {
      name: "the past begins with a snapshot of later",
      in: "engine/log/past-state.ts newestUpTo",
      instead: ["file.row > row", "file.row < 0"],
      test: "each property is folded again to every row, and what cannot concern it is passed over",
    },
    {
      name: "the end of a hold is passed over",
      in: "engine/log/past-state.ts mayConcern",
      instead: ["holds.has(id)", "false"],
      test: "each property is folded again to every row, and what cannot concern it is passed over",
    },
    {
      name: "the window of the past stands still",
      in: "engine/log/past-state.ts mayConcern",
      instead: ["!line.includes('\"property_id\":')", "false"],
      test: "each property is folded again to every row, and what cannot concern it is passed over",
    },
  ],
  "engine/core/due/test-clock.test.ts": [
    {
      name: "a hold expires by engine time although its test clock was advanced",
      in: "engine/core/due/test-clock.ts testClockSet",
      drop: "noteClock",
      test: "an advance says what expired, and the tick expires that and nothing of live mode",
    },
    {
      name: "a hold of an advanced clock expires later by as much",
      in: "engine/core/state/open-holds.ts OpenHolds.#engineExpiryOf",
      instead: ["hold.expires_at - this.#clockOffsetMs(hold)", "hold.expires_at"],
      test: "a snapshot keeps the clock, and its holds expire by it",
    },
    {
      name: "records have engine time under a test clock",
      in: "engine/core/events/event.ts timeOf",
      instead: ["row.stamp + (row.clock_offset_ms ?? 0)", "row.stamp"],
      test: "a life under a test clock comes to the same as one while time passes",
    },
    {
      name: "what is open stays in the future after a reset",
      in: "engine/core/due/test-clock.ts testClockSet",
      drop: "hold.expires_at +=",
      test: "a reset keeps what has expired, and sets the rest back with its clock",
    },
    {
      name: "a reset moves the holds of every tenant",
      in: "engine/core/due/test-clock.ts testClockSet",
      instead: ["!isOfRealm(hold, row)", "false"],
      test: "live mode and other tenants stay byte for byte as they are",
    },
    {
      name: "a quote that expired under a clock is held after its reset",
      in: "engine/core/holds/hold.ts isQuoteOver",
      instead: ["created_at < state.quotesFromMs(quote)", "false"],
      test: "a quote ends with a reset, even if it would still have time",
    },
    {
      name: "what a payment gives back after a reset is of the future",
      in: "engine/core/due/clock-fold.ts openAuthorizations",
      drop: "ids.add",
      test: "authorizations that expired under a clock stay expired, and one given back is set back",
    },
    {
      name: "a snapshot forgets the test clock",
      in: "engine/core/codec/state-codec.ts restoreGlobals",
      drop: "testClocks.set",
      test: "a snapshot keeps the clock, and its holds expire by it",
    },
  ],
  "engine/log/clock.test.ts": [
    {
      name: "the clock goes back with the wall clock",
      in: "engine/log/clock.ts EngineClock.now",
      instead: ["Math.max(this.#floorMs, nowMs)", "nowMs"],
      test: "a stamp is an integer and never less than the one before",
    },
  ],
};
