/** Bugs in what happens beside the engine: lanes, mails, calls to others. */
import type { ByKiller } from "./mutant.ts";

export const IN_JOBS: ByKiller = {
  "jobs/kpis/traffic.test.ts": [
    {
      name: "the last counts of a process wait for another writer as briefly as all others",
      in: "jobs/kpis/traffic-counter.ts LAST_WAIT_MS",
      always: "20",
      test: "the last counts wait for another writer: stop",
    },
    {
      name: "counts are not written before the process may be killed",
      in: "jobs/kpis/traffic-counter.ts TrafficCounter.drain",
      drop: "this.#write",
      test: "the last counts wait for another writer: drain",
    },
  ],
  "jobs/webhooks/send/send.test.ts": [
    {
      name: "a secret that begins another is masked first",
      in: "jobs/webhooks/send/answer.ts secretsIn",
      instead: ["b.length - a.length", "a.length - b.length"],
      test: "a secret that begins another, and a short one, are masked as a whole",
    },
  ],
  "jobs/lanes/inventory-lanes.test.ts": [
    {
      name: "what a dead engine had in work is not taken back",
      in: "jobs/lanes/reclaim-queue.ts RECLAIM",
      text: ["redis.call('RPUSH', KEYS[2], id)", ""],
      test: "jobs of a dead engine are taken back before any later job",
    },
  ],
  "jobs/lanes/forged-messages.test.ts": [
    {
      name: "an envelope of another installation is decided",
      in: "jobs/lanes/queues.ts queueAddress",
      always: "name",
      test: "a command added by hand is refused, counted and logged by name, and has no effect",
    },
  ],
  "jobs/lanes/submitter.test.ts": [
    {
      name: "changes of supply share the way of everybody else",
      in: "jobs/lanes/submitter.ts Submitter.#queueFor",
      instead: ["isBulk(command)", "false"],
      test: "a hold does not wait for a supply envelope",
    },
    {
      name: "as many envelopes are under way as there are commands",
      in: "jobs/lanes/send-queues.ts maySend",
      drop: "inFlight < inFlightMax",
      test: "under load a second envelope is sent before the first is answered, but never a third",
    },
    {
      name: "an outcome whose reply was lost is not looked up",
      in: "jobs/lanes/submitter.ts Submitter.#findStored",
      always: "false",
      test: "an outcome whose reply was lost is found by its key",
    },
    {
      name: "a running key's answer reaches whoever waits, whatever the key",
      in: "jobs/lanes/submitter.ts Submitter.#onAnswered",
      instead: [
        "this.#byAwaitedKey.get(key)",
        "[...this.#waiting.values()].filter((each) => each.awaitedKey !== null)",
      ],
      test: "a repeat of a running key gets its answer; callers of other keys do not",
    },
  ],
  "jobs/webhooks/send/sender.test.ts": [
    {
      name: "a pause is heard of after the events that came after it",
      in: "jobs/webhooks/dispatch/dispatcher.ts Dispatcher.nudge",
      drop: "this.#follow",
      test: "no event is sent after a pause, however soon it comes",
    },
  ],
  "engine/core/bookings/modify.test.ts": [
    {
      name: "a booking is changed without end",
      in: "engine/core/bookings/modify.ts stateProblem",
      drop: "version > CHANGES_MAX",
      test: "a booking is changed at most a hundred times",
    },
  ],
  "test/int/oversell.int.test.ts": [
    {
      name: "a repeated move is priced again before its key is known",
      in: "src/api/incidents/resolve.ts resolve",
      drop: "call.key === null",
      test: "a repeated move has the stored answer, also when its room has that rate plan no more",
    },
    {
      name: "what an incident offers is refused for ever when it was once",
      in: "src/api/incidents/actions.ts incidentActions",
      instead: ["offeredKey(key, incident_id, atMs)", "offeredKey(key, incident_id, 1)"],
      test: "a move that was refused for want of a room is offered anew once there is one",
    },
    {
      name: "whoever works on incidents sets prices",
      in: "src/api/incidents/requests.ts memberProblems",
      instead: ['(name) => name !== "inventory"', "() => false"],
      test: "each wrong member is named, and what cannot be done is refused",
    },
    {
      name: "a refused move leads to a refund",
      in: "src/api/incidents/resolve.ts resolve",
      instead: ["answer.ok ? answer : atIncident(answer, incident_id)", "answer"],
      test: "a move that is refused changes nothing, and leads back to the incident",
    },
  ],
  "engine/core/incidents/incidents.test.ts": [
    {
      name: "a new tree opens no incident",
      in: "engine/core/properties/tree.ts replaced",
      instead: ["seq === null ? {} :", "seq !== null ? {} :"],
      test: "a new tree opens incidents, and one with enough rooms ends them",
    },
    {
      name: "no units left make rooms of nothing for guests without one",
      in: "engine/core/properties/units-left.ts rangesLeaving",
      instead: ["!isOversold(roomType, room, day)", "true"],
      test: "a channel that has no units left leaves an oversold night as it is; units left end it",
    },
  ],
  "engine/core/authorizations/authorizations.test.ts": [
    {
      name: "an agent is granted authorizations without end",
      in: "engine/core/authorizations/decide.ts grantAuthorization",
      instead: ["if (tooMany) return reject(command, tooMany);", ""],
      test: "an agent has at most 500 authorizations that no booking has used, granted ones too",
    },
    {
      name: "an authorization is given back after its time",
      in: "engine/core/authorizations/use.ts addReturned",
      drop: "ctx.now >= found.expires_at",
      test: "declined: the failed payment gives it back in its row, unless it has expired",
    },
  ],
  "jobs/mail/follower.test.ts": [
    {
      name: "a mail that was found in the fold is forgotten when the disk is full",
      in: "jobs/mail/follower.ts JournalFollower.readSlice",
      instead: ["...this.#found", "...this.#found.splice(0)"],
      test: "rows seen during the fold are not read again, nor lost on a full disk",
    },
  ],
  "jobs/mail/letter.test.ts": [
    {
      name: "a guest who has paid nothing reads that the terms keep it",
      in: "jobs/mail/letter.ts refundSentence",
      instead: ["paid === 0", "false"],
      test: "of a booking that is paid at the property nothing is kept and nothing paid back",
    },
  ],
  "test/int/desk-walk-in.int.test.ts": [
    {
      name: "nights that nobody has paid are revenue of an early departure",
      in: "jobs/kpis/fold.ts KpiFold.#left",
      instead: ["quote.due_now > 0 ? freed : 0", "freed"],
      test: "key figures count the nights of unpaid bookings, and no fee, refund or paid empty night",
    },
  ],
  "jobs/redis/lease.test.ts": [
    {
      name: "whoever comes takes the lease of another directory",
      in: "jobs/redis/lease.ts TAKE",
      text: ["~= ARGV[2]", "== ''"],
      test: "another directory is refused while the holder renews",
    },
  ],
  "jobs/net/guarded-fetch.test.ts": [
    {
      name: "one global address vouches for the private ones beside it",
      in: "jobs/net/guarded-request.ts addressesOf",
      instead: ["addresses.every", "addresses.some"],
      test: "answers of a resolver are refused without a connection",
    },
    {
      name: "an answer may be as large as it likes",
      in: "jobs/net/guarded-fetch.ts read",
      drop: "bytes > bytesMax",
      test: "an answer larger than the limit is refused, whatever length it declares",
    },
  ],
};
