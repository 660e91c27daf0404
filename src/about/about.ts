/** Name, versions and self-description of the service, the same in every format. */
import manifest from "../../package.json" with { type: "json" };

export const TITLE = "Innkeep";

/** At most 100 characters: the limit of the plugin manifest and the MCP server card. */
export const DESCRIPTION =
  "A booking backbone for hotel supply: search, quote, hold, book, cancel.";

/** Limits of the authority of published pages. */
export const AUTHORITY =
  "Published documents are for planning. The quote (POST /v1/quotes) is the authority for price, " +
  "tax and cancellation terms.";

/** Rules for agents, one or two sentences each. */
export const GROUND_RULES: readonly string[] = [
  "Amounts are integers in minor units of their currency: 10600 EUR is 106.00 euros.",
  "Every answer is an envelope; its next_actions are the calls that make sense next, with ready " +
    "bodies in body_hint. Follow them instead of composing calls.",
  "Match on error.code, never on the HTTP status or the message; error.next_actions is the way " +
    "out.",
  "A hold and a booking need an Idempotency-Key: a new one for a new intent, the same one to " +
    "repeat a call whose answer was lost. After 504 payment_timeout never mint a new key.",
  "Booking and cancelling are done for a traveler: send the traveler's consent as a JWT in " +
    "X-Delegated-User.",
  "Show the traveler the quote's total and cancellation terms before you book.",
];

export const SERVICE_NAME = "innkeep";
export const PRODUCT_VERSION: string = manifest.version;
export const PROTOCOL_VERSION = "1.0";
