/** Events of holds. */
import type { Declarations } from "./declaration.ts";
import { ID, INSTANT, integer, QUOTE } from "./members.ts";

export const HOLD_EVENTS = {
  "hold.created": {
    meaning: "Units were held for a short time.",
    subject: "hold",
    state: "held",
    data: { hold_id: ID, quote: QUOTE, expires_at: INSTANT },
  },
  "hold.extended": {
    meaning: "A hold was extended.",
    subject: "hold",
    state: "held",
    data: { hold_id: ID, expires_at: INSTANT, extensions: integer(1) },
  },
  "hold.released": {
    meaning: "A hold was released; its units are on sale again.",
    subject: "hold",
    state: "released",
    data: { hold_id: ID, released_at: INSTANT },
  },
  "hold.expired": {
    meaning: "A hold expired; its units are on sale again.",
    subject: "hold",
    state: "expired",
    data: { hold_id: ID, expired_at: INSTANT },
  },
} as const satisfies Declarations;
