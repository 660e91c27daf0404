/** Bugs in the engine, each of which must make the simulation fail. */
import type { Bug } from "../mutants/mutate.ts";

export const MUTANTS: readonly Bug[] = [
  {
    name: "a reply leaves before the commit",
    in: "engine/writer/engine.ts Engine.runGroup",
    instead: [
      "this.#fillGroup();",
      "this.#fillGroup(); for (const { send, reply } of this.#group.answers.splice(0)) send(reply);",
    ],
  },
  {
    name: "commands are decided while a commit is under way",
    in: "engine/writer/engine.ts Engine.runGroup",
    drop: "this.#inFlight !== null",
  },
  {
    name: "a group whose outcome is unknown is answered",
    in: "engine/writer/engine.ts Engine.#waitFor",
    instead: ["this.#fatal(this.#options.journal.causeOf(error))", "this.#answer()"],
  },
  {
    name: "a row that is stored in short forgets the person who acted",
    in: "engine/core/codec/row-codec.ts encodeRow",
    drop: "row.actor.person_id === undefined",
  },
  {
    name: "an event names no person",
    in: "engine/core/public-events.ts publicEvents",
    drop: "...(person_id !== undefined && { person_id })",
  },
  {
    name: "the check-out night is counted",
    in: "engine/core/holds/units.ts moveUnits",
    instead: ["move.firstDay + move.nights", "move.firstDay + move.nights + 1"],
  },
  {
    name: "a release gives two units back",
    in: "engine/core/holds/units.ts holdEnded",
    instead: ["moveOf(hold), -1", 'moveOf(hold), end === "released" ? -2 : -1'],
  },
  {
    name: "search is not told of units that move",
    in: "engine/core/holds/units.ts moveUnits",
    drop: "unitsChanged",
  },
  {
    name: "what an update sets is not noted",
    in: "engine/core/properties/ari-fold.ts applyAri",
    drop: "noteAri",
  },
  {
    name: "search is not told of units that are set by night",
    in: "engine/core/properties/ari-fold.ts applyAri",
    drop: "unitsChanged",
  },
  {
    name: "units left forget what is held",
    in: "engine/core/properties/units-left.ts unitsLeaving",
    instead: ["room.sold.get(day) + room.held.get(day) + left", "room.sold.get(day) + left"],
  },
  {
    name: "a released ceiling still sells",
    in: "engine/core/state/room-state.ts isReleased",
    always: "false",
  },
  {
    name: "search is not told of what is forbidden by night",
    in: "engine/core/properties/ari-fold.ts applyAri",
    drop: "limitsChanged",
  },
  {
    name: "another agent's hold can be used",
    in: "engine/core/visibility.ts sightOf",
    instead: ['kind === "agent" || kind === "partner"', "false"],
  },
  {
    name: "another body under the same key gets the stored answer",
    in: "engine/writer/group.ts isRepeat",
    drop: "command.body_hash",
  },
  {
    name: "another agent under the same key gets the stored answer",
    in: "engine/writer/group.ts isRepeat",
    drop: "command.actor.id",
  },
  {
    name: "a known key is decided again",
    in: "engine/writer/decider.ts Decider.#keyState",
    instead: ["keyStateOf(row)", "null"],
  },
  {
    name: "the fence does not look at the epoch",
    in: "engine/log/journal.ts Journal.checkFence",
    drop: "fence?.epoch !== this.#epoch",
  },
  {
    name: "a commit does not look at the fence",
    in: "engine/log/journal.ts Journal.#commit",
    drop: "this.checkFence()",
  },
  {
    name: "answers that need no row leave before the journal has looked at the fence",
    in: "engine/writer/engine.ts Engine.#commit",
    instead: [
      "return answers.length > 0 ? journal.checkFence() : undefined",
      "if (answers.length > 0) journal.checkFence()",
    ],
  },
  {
    name: "a fenced engine that fails takes it for a fault",
    in: "engine/log/journal.ts Journal.causeOf",
    always: "error",
  },
  {
    name: "a row's checksum is not checked",
    in: "engine/log/block.ts mustMatch",
    always: "",
  },
  {
    name: "the chain of rows is not checked",
    in: "engine/log/block.ts Block.mustContinue",
    holds: "isTrue",
  },
  {
    name: "a block begins a row too late",
    in: "engine/log/block.ts Block.constructor",
    instead: ["row - rows + 1", "Math.min(row, row - rows + 2)"],
  },
  {
    name: "a row is read in the line of another",
    in: "engine/log/block.ts Block.bytesOf",
    instead: ["row - this.first", "this.last - row"],
  },
  {
    name: "the last line of a block is lost",
    in: "engine/log/block.ts blockOf",
    instead: ["rows.map((row)", "rows.slice(0, Math.max(1, rows.length - 1)).map((row)"],
  },
  {
    name: "the keys of a block are those of other rows",
    in: "engine/log/block.ts blockOf",
    instead: ["key ?? NO_KEY)", "key ?? NO_KEY).reverse()"],
  },
  {
    name: "a gap between blocks is not seen",
    in: "engine/log/block.ts Block.mustFollow",
    instead: ["this.first === row + 1", "this.first > row"],
  },
  {
    name: "refunds that wait for their verdict are not reserved",
    in: "engine/core/bookings/refundable.ts refundableOf",
    instead: ['refund.state === "pending"', "false"],
  },
  {
    name: "a failed refund keeps its amount reserved",
    in: "engine/core/bookings/refundable.ts refundableOf",
    instead: ['=== "pending"', '!== "succeeded"'],
  },
  {
    name: "a refund that fails after its success stays refunded",
    in: "engine/core/bookings/refund-fold.ts paymentRefunded",
    instead: ['before === "succeeded" ? amount : 0', "0"],
  },
  {
    name: "a failed refund can be repeated twice",
    in: "engine/core/bookings/refund-fold.ts markRetried",
    drop: "failed.retried_by",
  },
  {
    name: "a cancellation refunds what was refunded before",
    in: "engine/core/bookings/refunds.ts refundAfter",
    instead: ["Math.min(owed, remaining)", "owed"],
  },
  {
    name: "a disputed payment is refunded",
    in: "engine/core/bookings/refundable.ts refundableOf",
    drop: "isDisputed",
  },
  {
    name: "a won dispute withholds the money for ever",
    in: "engine/core/bookings/refundable.ts refundableOf",
    drop: 'dispute.state !== "won"',
  },
  {
    name: "a dispute is opened each time it is heard of",
    in: "engine/core/payments/dispute.ts recordDispute",
    drop: "known === null",
  },
  {
    name: "a changed stay keeps its former nights",
    in: "engine/core/bookings/modify-fold.ts moveStay",
    drop: "freeUnits",
  },
  {
    name: "a changed stay takes no new nights",
    in: "engine/core/bookings/modify-fold.ts moveStay",
    drop: "moveUnits",
  },
  {
    name: "a stay is changed by what was priced for an older version",
    in: "engine/core/bookings/modify.ts versionProblem",
    drop: "base_version === version",
  },
  {
    name: "a night that is kept needs another unit",
    in: "engine/core/bookings/modify.ts spaceProblem",
    instead: ["isSameRoom && day >= from && day < end", "false"],
  },
  {
    name: "a guest in the house is moved to other nights",
    in: "engine/core/bookings/modify.ts arrivalChanges",
    always: "[]",
  },
  {
    name: "a guest in the house leaves on a day that is past",
    in: "engine/core/bookings/modify.ts inHouseProblem",
    drop: "isPast",
  },
  {
    name: "a guest in the house stays for a night that is sold",
    in: "engine/core/bookings/modify.ts spaceProblem",
    instead: ["nightCountOf(amended) <= nightCountOf(booking.quote)", "true"],
  },
  {
    name: "a change of the departure makes the guest leave the house",
    in: "engine/core/bookings/modify-fold.ts bookingModified",
    instead: ["event, null, row", 'event, "confirmed", row'],
  },
  {
    name: "a changed stay is found by its former dates",
    in: "engine/log/beside-writer.ts BesideWriter.write",
    drop: "booking.earlier",
  },
  {
    name: "more is refunded than was left after the fee",
    in: "engine/core/bookings/refunds.ts refundAfter",
    instead: ["quote.due_now - fee", "quote.due_now"],
  },
  {
    name: "an authorization is used by two bookings",
    in: "engine/core/authorizations/use.ts invalidReason",
    instead: ['state === "consumed"', "false"],
  },
  {
    name: "an authorization is used by another traveler",
    in: "engine/core/authorizations/use.ts invalidReason",
    instead: ["(found.traveler_hash ?? traveler.hash) !== traveler.hash", "false"],
  },
  {
    name: "a failed payment keeps its authorization",
    in: "engine/core/payments/payment.ts addFailed",
    drop: "addReturned",
  },
  {
    name: "the requester of an authorization approves it",
    in: "engine/core/authorizations/decide.ts approveAuthorization",
    instead: ["agent_id === command.actor.id", "false"],
  },
  {
    name: "the same booking opens a second request",
    in: "engine/core/authorizations/request.ts requireAuthorization",
    instead: ["sameOf(command, hold, live)", "undefined"],
  },
  {
    name: "an authorization that is given back stays consumed",
    in: "engine/core/authorizations/folds.ts AUTHORIZATION_FOLDS",
    instead: ['found.state = "approved"; found.used = null;', "found.used = null;"],
  },
  {
    name: "a released hold leaves its incident open",
    in: "engine/core/oversell/closing.ts movesOf",
    instead: ["if (!hold) return [];", "if (hold) return [];"],
  },
  {
    name: "an incident ends while a guest has no room",
    in: "engine/core/oversell/closing.ts withClosings",
    instead: ["excessAfter(incident, change, ctx).length > 0", "false"],
  },
  {
    name: "a night that is in an incident opens another",
    in: "engine/core/oversell/detect.ts runsOf",
    drop: "incidentOn",
  },
  {
    name: "a moved guest is counted in neither room",
    in: "engine/core/oversell/closing.ts movesOf",
    drop: "sold({ property_id, ...after }, 1, after.stay.check_in)",
  },
  {
    name: "an incident that is ended stays in memory",
    in: "engine/core/oversell/folds.ts forgetIncident",
    drop: "state.incidents.delete",
  },
  {
    name: "a guest of other nights helps an incident",
    in: "engine/core/incidents/resolve.ts bookingProblem",
    drop: "nights.some",
  },
  {
    name: "records of a failed group are kept",
    in: "engine/writer/engine.ts Engine.#failed",
    drop: "records.clear",
  },
  {
    name: "the state of a failed group is kept",
    in: "engine/writer/engine.ts Engine.#failed",
    instead: ["this.#decider.state = this.#options.reload()", "this.#options.reload()"],
  },
  {
    name: "a hold past its expiry can be booked",
    in: "engine/core/records.ts isDue",
    instead: [">=", ">"],
  },
  {
    name: "an expiry is not journaled",
    in: "engine/writer/decider.ts Decider.#write",
    instead: ["this.#group.addRow", 'if (events[0]?.type !== "hold.expired") this.#group.addRow'],
  },
  {
    name: "sequence numbers have a gap",
    in: "engine/core/decision.ts EventList.add",
    instead: ["...draft, seq }", "...draft, seq: seq + (seq > 40 ? 1 : 0) }"],
  },
  {
    name: "the capture of a payment given up is kept",
    in: "engine/core/payments/payment.ts capturedTooLate",
    drop: "events.add",
  },
  {
    name: "a hold is booked twice",
    in: "engine/core/holds/hold.ts holdProblem",
    instead: ['hold.state === "held"', 'hold.state === "held" || hold.state === "confirming"'],
  },
  {
    name: "a cancellation keeps its units",
    in: "engine/core/bookings/changes.ts freeUnits",
    drop: "moveUnits",
  },
  {
    name: "a guest who goes early gives back nights that were slept",
    in: "engine/core/bookings/desk.ts freedUnits",
    instead: ["Math.max(today, dayOf(stay.check_in))", "dayOf(stay.check_in)"],
  },
  {
    name: "a guest is checked in before the day",
    in: "engine/core/bookings/desk.ts checkInGuest",
    drop: "ctx.now < fromMs",
  },
  {
    name: "a check-in is undone after its day",
    in: "engine/core/bookings/desk.ts undoProblem",
    drop: "ctx.now >= untilMs",
  },
  {
    name: "a fee that was waived is kept",
    in: "engine/core/bookings/cancel.ts cancelAtDesk",
    instead: ["command.waives_fee ? 0 : asked", "asked"],
  },
  {
    name: "ceilings of one agent bind nobody",
    in: "engine/core/state/room-state.ts ceilingApplies",
    drop: "ceiling.agent_id === agentId",
  },
  {
    name: "a snapshot forgets what a ceiling has counted",
    in: "engine/core/codec/state-codec.ts roomFrom",
    instead: ["used.nights", "null"],
  },
  {
    name: "keys of rows before a snapshot are forgotten",
    in: "engine/log/recover.ts fold",
    drop: "keys?.read",
  },
  {
    name: "a hold can be extended for ever",
    in: "engine/core/holds/hold.ts EXTENSIONS_MAX",
    always: "3",
  },
  {
    name: "engine time follows a jump of the wall clock",
    in: "engine/log/clock.ts SLEW_MAX",
    always: "1_000",
  },
  {
    name: "a start that is years ahead forgets the nights that it jumped over",
    in: "engine/core/properties/ari-fold.ts applyHorizon",
    instead: ["Math.min(baseDay, state.keptDay + 1)", "baseDay"],
  },
  {
    name: "nights that a corrected clock made come again count no units",
    in: "engine/core/holds/units.ts moveUnits",
    instead: ["state.keptDay", "state.baseDay"],
  },
  {
    name: "a clock that is set back leaves holds that live for years",
    in: "engine/core/due/clock-fold.ts clockCorrected",
    drop: "hold.expires_at",
  },
  {
    name: "a clock that is set back leaves payments of the future",
    in: "engine/core/due/clock-fold.ts clockCorrected",
    drop: "payment.created_at",
  },
  {
    name: "a clock that is set back leaves refunds of the future",
    in: "engine/core/due/clock-fold.ts clockCorrected",
    drop: "refund.created_at",
  },
  {
    name: "a quote of the future can be held",
    in: "engine/core/holds/hold.ts isQuoteOver",
    drop: "QUOTE_AHEAD_MAX_MS",
  },
  {
    name: "a start that is years ahead is accepted silently",
    in: "engine/log/clock.ts startingAt",
    drop: "aheadMs > CLOCK_AHEAD_MAX_MS",
  },
  {
    name: "a crashed engine's successor believes the wall clock",
    in: "engine/log/clock.ts startingAt",
    drop: "return formerMs",
  },
  {
    name: "engine time is steered before the line is published",
    in: "engine/log/clock.ts EngineClock.steer",
    before: ["this.#publish", "this.#line ="],
  },
];
