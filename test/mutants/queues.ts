/** Bugs in what waits and what is under way (places, mails, deliveries), and in the desk. */
import type { Mutant } from "./mutant.ts";

const MAIL = "jobs/mail/sender.test.ts";
const LEFT_ALONE =
  "a failing mail server is left alone, and its simultaneous failures count as one";
const ENDING = "a stopping sender takes no more mail and records the mails already accepted";

export const IN_QUEUES: readonly Mutant[] = [
  {
    name: "a mail server that failed is asked with the next mail",
    file: "jobs/mail/sender.ts",
    find: "free <= 0 || this.#isPaused(desk.mailerOf(mode))",
    replace: "free <= 0",
    killer: MAIL,
    test: LEFT_ALONE,
  },
  {
    name: "mails that fail together count as failures one after another",
    file: "jobs/mail/sender.ts",
    find: "    if (this.#isPaused(mailer)) return;\n",
    replace: "",
    killer: MAIL,
    test: LEFT_ALONE,
  },
  {
    name: "a mail that the server took during a stop is sent again after the restart",
    file: "jobs/mail/sender.ts",
    find: "    this.#stopping.abort();\n    await Promise.all(this.#underWay.values());",
    replace: "    this.#stopping.abort();",
    killer: MAIL,
    test: ENDING,
  },
  {
    name: "a sender that ends takes mails still",
    file: "jobs/mail/sender.ts",
    find: "  async drain(): Promise<void> {\n    this.#isEnding = true;\n",
    replace: "  async drain(): Promise<void> {\n",
    killer: MAIL,
    test: ENDING,
  },
  {
    name: "a mail that a stop cuts off counts as failed",
    file: "jobs/mail/sender.ts",
    find: "} else if (!this.#stopping.signal.aborted) {",
    replace: "} else {",
    killer: MAIL,
    test: "a mail interrupted by a stop does not count as failed",
  },
  {
    name: "a refill follows an event that the journal has lost",
    file: "jobs/webhooks/derive/derivation.ts",
    find: "seq < ? AND replay_of IS NULL AND is_lost = 0`;",
    replace: "seq < ? AND replay_of IS NULL`;",
    killer: "jobs/webhooks/derive/deriver.test.ts",
    test: "refilled events come after the last event that the journal still has",
  },
  {
    name: "a delivery in flight is given up with those that wait",
    file: "jobs/webhooks/store/claims.ts",
    find: " AND state <> 'in_flight'`, [endpointId]]",
    replace: "`, [endpointId]]",
    killer: "jobs/webhooks/store/claims.test.ts",
    test: "a delivery in flight is not given up with the rest and ends by its answer",
  },
  {
    name: "a message that cannot be made keeps its place",
    file: "jobs/webhooks/send/sender.ts",
    find: "      this.#end(served, delivery.delivery_id);\n      this.#postpone",
    replace: "      this.#postpone",
    killer: "jobs/webhooks/send/ota.test.ts",
    test: "a message that cannot be built frees its slot and is built once possible",
  },
  {
    name: "the longest stay is one night too long for the desk",
    file: "engine/log/desk-index.ts",
    find: "STAY_NIGHTS_MAX} days`",
    replace: "STAY_NIGHTS_MAX - 1} days`",
    killer: "engine/log/desk-index.test.ts",
    test: "a stay of maximum length is found by its last night and by its departure day",
  },
];
