/**
 * Notices: changes in the control store that subscribers receive as events. They get a
 * seq among the tenant's events and change no state here.
 */
import type { Declarations } from "./declaration.ts";
import {
  ACCESS_STATE,
  CURRENCY,
  FEED_FAILURE,
  FEED_TRIGGER,
  freeForm,
  ID,
  INSTANT,
  integer,
  listOf,
  MINOR,
  oneOf,
  orNull,
  text,
} from "./members.ts";

const FEED_RUN = {
  partner: text("The partner of the feed."),
  run_id: ID,
  trigger: FEED_TRIGGER,
};

/** One side's figures of a charge. */
interface ChargeFigures {
  readonly amount: number;
  readonly currency: string;
  readonly state: string;
  readonly refunded: number;
}
const FIGURES = freeForm<ChargeFigures>("`amount`, `currency`, `state` and `refunded`.");
/** For the states see `reconcile.ts`. */
const ORPHAN_STATES = ["open", "standing", "refunded", "void"] as const;

export const NOTICES = {
  "credential.rotated": {
    meaning: "An agent has a new credential; the previous one works until `retire_at`.",
    subject: "credential",
    data: { agent_id: ID, credential_id: ID, previous_credential_id: ID, retire_at: INSTANT },
  },
  "delegation_issuer.status_changed": {
    meaning: "Tokens of an issuer are accepted again, or no longer.",
    subject: "delegation_issuer",
    data: { issuer_id: ID, iss: text(), status: ACCESS_STATE, previous_status: ACCESS_STATE },
  },
  /** `gone`: it answered 410. `failing`: for days. `backlog`: paused with too many events. */
  "webhook.endpoint_disabled": {
    meaning: "A webhook endpoint was disabled; it receives nothing until it is resumed.",
    subject: "webhook_endpoint",
    data: {
      endpoint_id: ID,
      reason: oneOf(["gone", "failing", "backlog", "operator"]),
      at: INSTANT,
    },
  },
  /** The first successful delivery after it was disabled. */
  "webhook.endpoint_recovered": {
    meaning: "A webhook endpoint receives events again after it was disabled.",
    subject: "webhook_endpoint",
    data: { endpoint_id: ID, disabled_at: INSTANT, at: INSTANT },
  },
  "feed.generated": {
    meaning: "A new build of a partner feed was published.",
    subject: "feed",
    data: {
      ...{ ...FEED_RUN, as_of_seq: integer(0, "`seq` of the last event in the feed.") },
      ...{ as_of: INSTANT, listings: integer(1, "Properties in it.") },
    },
  },
  /** `published_run_id`: the run that is served instead; null for none. */
  "feed.failed": {
    meaning: "A build of a partner feed failed; the previous feed stays published.",
    subject: "feed",
    data: {
      ...{ ...FEED_RUN, reason: FEED_FAILURE },
      listings: orNull(integer(null, "Properties in the failed build.")),
      published_run_id: orNull(ID),
    },
  },
  "payments.reconciled": {
    meaning:
      "The provider's charges were compared with the journal, daily or after a restore: orphans " +
      "are charges missing in the journal, differences are payments with another state at the " +
      "provider, or `missing` there.",
    subject: "tenant",
    data: {
      orphan_totals: listOf({
        ...{ state: oneOf(ORPHAN_STATES), currency: CURRENCY },
        ...{ charges: integer(0), amount: MINOR },
      }),
      orphans: listOf({
        ...{ payment_id: ID, amount: MINOR, currency: CURRENCY },
        state: text<(typeof ORPHAN_STATES)[number]>(),
      }),
      difference_count: integer(0),
      differences: listOf({ payment_id: ID, provider: FIGURES, journal: FIGURES }),
    },
  },
} as const satisfies Declarations;
