/** Bugs in what waits and what is under way (places, mails, deliveries), and in the desk. */
import type { ByKiller } from "./mutant.ts";

export const IN_QUEUES: ByKiller = {
  "jobs/mail/guest-links.test.ts": [
    {
      name: "a link's mail that is under way is sent again by the next tick",
      in: "jobs/mail/due-sender.ts DueSender.run",
      instead: ["!this.#underWay.has(keyOf(mail))", "true"],
      test: "a slow mail holds up no other, and ticks do not send it again",
    },
    {
      name: "a link's mail that was not recorded is not known to be sent",
      in: "jobs/mail/due-sender.ts DueSender.#record",
      drop: "this.#unrecorded.add(mail)",
      test: "a mail that could not be recorded is recorded later; neither it nor others go twice",
    },
  ],
  "jobs/mail/sender.test.ts": [
    {
      name: "a mail server that failed is asked with the next mail",
      in: "jobs/mail/sender.ts MailSender.run",
      drop: "this.#isPaused",
      test: "a failing mail server is left alone, and its simultaneous failures count as one",
    },
    {
      name: "mails that fail together count as failures one after another",
      in: "jobs/mail/sender.ts MailSender.#leaveAlone",
      drop: "this.#isPaused",
      test: "a failing mail server is left alone, and its simultaneous failures count as one",
    },
    {
      name: "a mail that the server took during a stop is sent again after the restart",
      in: "jobs/mail/sender.ts MailSender.stop",
      drop: "Promise.all",
      test: "a stopping sender takes no more mail and records the mails already accepted",
    },
    {
      name: "a sender that ends takes mails still",
      in: "jobs/mail/sender.ts MailSender.drain",
      drop: "this.#isEnding = true",
      test: "a stopping sender takes no more mail and records the mails already accepted",
    },
    {
      name: "a mail that a stop cuts off counts as failed",
      in: "jobs/mail/sender.ts MailSender.#handle",
      holds: "!this.#stopping.signal.aborted",
      test: "a mail interrupted by a stop does not count as failed",
    },
  ],
  "jobs/webhooks/derive/deriver.test.ts": [
    {
      name: "a refill follows an event that the journal has lost",
      in: "jobs/webhooks/derive/derivation.ts Derivation.seqBefore",
      text: ["AND is_lost = 0", ""],
      test: "refilled events come after the last event that the journal still has",
    },
  ],
  "jobs/webhooks/store/claims.test.ts": [
    {
      name: "a delivery in flight is given up with those that wait",
      in: "jobs/webhooks/store/claims.ts Claims.giveUp",
      text: ["AND state <> 'in_flight'", ""],
      test: "a delivery in flight is not given up with the rest and ends by its answer",
    },
  ],
  "jobs/webhooks/send/ota.test.ts": [
    {
      name: "a message that cannot be made keeps its place",
      in: "jobs/webhooks/send/sender.ts Sender.#inTurn",
      drop: "this.#end",
      test: "a message that cannot be built frees its slot and is built once possible",
    },
  ],
  "src/api/desk/today.test.ts": [
    {
      name: "a guest who is late by a day is not expected any more",
      in: "src/api/desk/today.ts dayLists",
      instead: ["check_in < expectedFrom", "check_in < date"],
      test: "a guest is expected from the check-in date of the property until the stay ends",
    },
    {
      name: "a guest leaves the day after the check-out date",
      in: "src/api/desk/today.ts dayLists",
      instead: ["check_out > today.date", "check_out >= today.date"],
      test: "a guest in the house leaves on the check-out date of the property, however long ago",
    },
    {
      name: "rooms of a property that is off sale are free",
      in: "src/api/desk/today.ts tonightAt",
      holds: 'property.state === "live"',
      test: "oversold rooms take nothing from what is free, and count at every property",
    },
  ],
  "src/api/desk/needs.test.ts": [
    {
      name: "without the scope of payments those that are stuck are counted",
      in: "src/api/desk/needs.ts needsOf",
      holds: 'may("payments")',
      test: "without the scope of a list nothing is counted",
    },
  ],
  "engine/log/desk-index.test.ts": [
    {
      name: "arrivals of one day that leave later are read with those of all days",
      in: "engine/log/desk-index.ts conditionsOf",
      text: ["max(?, date(?, ?)) AND min(?, ?)", "min(?, date(?, ?)) AND max(?, ?)"],
      test: "a query for one arrival day and later departures reads the guests of that day",
    },
    {
      name: "the longest stay is one night too long for the desk",
      in: "engine/log/desk-index.ts begunWithin",
      instead: ["STAY_NIGHTS_MAX", "STAY_NIGHTS_MAX - 1"],
      test: "a stay of maximum length is found by its last night and by its departure day",
    },
  ],
};
