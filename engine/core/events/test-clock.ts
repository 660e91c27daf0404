/** The event of a test clock. */
import type { Declarations } from "./declaration.ts";
import { INSTANT, integer } from "./members.ts";

export const TEST_CLOCK_EVENTS = {
  "test_clock.set": {
    meaning: "The test clock of the tenant was advanced or reset.",
    subject: "tenant",
    data: {
      offset_s: integer(0, "Seconds that test mode is ahead from here on."),
      previous_offset_s: integer(0, "Seconds that it was ahead before."),
      now: INSTANT,
    },
  },
} as const satisfies Declarations;
