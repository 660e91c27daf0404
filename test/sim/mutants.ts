/**
 * Bugs on purpose: each is one exact replacement in one file of the engine, and each must make the
 * simulation fail. A text that no longer occurs exactly once fails the test, so that a mutant can
 * neither rot nor miss.
 */

export interface Mutant {
  readonly name: string;
  /** Relative to `engine/`. */
  readonly file: string;
  readonly find: string;
  readonly replace: string;
}

export const MUTANTS: readonly Mutant[] = [
  {
    name: "a reply leaves before the commit",
    file: "writer/engine.ts",
    find: "    if (rows.length > 0 || records.hasFindings) {\n",
    replace:
      "    for (const { send, reply } of answers) send(reply);\n    if (rows.length > 0) {\n",
  },
  {
    name: "the check-out night is counted",
    file: "core/holds/units.ts",
    find: "const end = move.firstDay + move.nights;",
    replace: "const end = move.firstDay + move.nights + 1;",
  },
  {
    name: "a release gives two units back",
    file: "core/holds/units.ts",
    find: 'moveUnits(state, room, moveOf(hold), -1, end === "consumed" ? 1 : 0);',
    replace:
      'moveUnits(state, room, moveOf(hold), end === "released" ? -2 : -1, end === "consumed" ? 1 : 0);',
  },
  {
    name: "search is not told of units that move",
    file: "core/holds/units.ts",
    find: "?.unitsChanged(room, start, end)",
    replace: "?.unitsChanged(room, start, start)",
  },
  {
    name: "search is not told of units that are set by night",
    file: "core/properties/ari-fold.ts",
    find: "index?.unitsChanged(room, Math.max(dayOf(from), kept), dayOf(to) + 1)",
    replace: "index?.unitsChanged(room, dayOf(to), dayOf(to))",
  },
  {
    name: "search is not told of what is forbidden by night",
    file: "core/properties/ari-fold.ts",
    find: "index!.limitsChanged(room, days)",
    replace: "index!.limitsChanged(room, [])",
  },
  {
    name: "another agent's hold can be used",
    file: "core/visibility.ts",
    find: 'const isOwnOnly = kind === "agent" || kind === "partner";',
    replace: 'const isOwnOnly = kind === "system";',
  },
  {
    name: "another body under the same key gets the stored answer",
    file: "writer/group.ts",
    find: "return command.body_hash === keyState.body_hash && ",
    replace: "return ",
  },
  {
    name: "another agent under the same key gets the stored answer",
    file: "writer/group.ts",
    find: " && command.actor.id === keyState.agent_id;",
    replace: ";",
  },
  {
    name: "a known key is decided again",
    file: "writer/decider.ts",
    find: "return row && keyStateOf(row);",
    replace: "return row && null;",
  },
  {
    name: "the fence does not look at the epoch",
    file: "log/journal.ts",
    find: "if (fence?.epoch !== this.#epoch || (fence.head ?? 0) !== this.#head.row) {",
    replace: "if (fence && (fence.head ?? 0) !== this.#head.row) {",
  },
  {
    name: "a row's checksum is not checked",
    file: "log/block.ts",
    find: "if (crcOfBlock(payload, keys) === crc) return;",
    replace: "if (crcOfBlock(payload, keys) !== -1) return;",
  },
  {
    name: "the chain of rows is not checked",
    file: "log/block.ts",
    find: "if (isTrue) return;",
    replace: 'if (isTrue || place.chain !== "") return;',
  },
  {
    name: "a block begins a row too late",
    file: "log/block.ts",
    find: "this.first = row - rows + 1;",
    replace: "this.first = Math.min(row, row - rows + 2);",
  },
  {
    name: "a row is read in the line of another",
    file: "log/block.ts",
    find: "const at = row - this.first;",
    replace: "const at = this.last - row;",
  },
  {
    name: "the last line of a block is lost",
    file: "log/block.ts",
    find: "rows.map((row) => row.payload)",
    replace: "rows.slice(0, Math.max(1, rows.length - 1)).map((row) => row.payload)",
  },
  {
    name: "the keys of a block are those of other rows",
    file: "log/block.ts",
    find: "rows.map(({ key }) => key ?? NO_KEY).join",
    replace: "rows.map(({ key }) => key ?? NO_KEY).reverse().join",
  },
  {
    name: "a gap between blocks is not seen",
    file: "log/block.ts",
    find: "if (this.first === row + 1) return;",
    replace: "if (this.first > row) return;",
  },
  {
    name: "refunds that wait for their verdict are not reserved",
    file: "core/bookings/refundable.ts",
    find: 'refund.state === "pending" ? sum + refund.amount : sum',
    replace: "sum",
  },
  {
    name: "a failed refund keeps its amount reserved",
    file: "core/bookings/refundable.ts",
    find: 'refund.state === "pending"',
    replace: 'refund.state !== "succeeded"',
  },
  {
    name: "a refund that fails after its success stays refunded",
    file: "core/bookings/refund-fold.ts",
    find: '(before === "succeeded" ? amount : 0)',
    replace: "0",
  },
  {
    name: "a failed refund can be repeated twice",
    file: "core/bookings/refund-fold.ts",
    find: "  failed.retried_by = refund_id;\n",
    replace: "",
  },
  {
    name: "a cancellation refunds what was refunded before",
    file: "core/bookings/refunds.ts",
    find: "Math.min(quote.due_now - fee, money.remaining)",
    replace: "quote.due_now - fee",
  },
  {
    name: "more is refunded than was left after the fee",
    file: "core/bookings/refunds.ts",
    find: "Math.min(quote.due_now - fee, money.remaining)",
    replace: "Math.min(quote.due_now, money.remaining)",
  },
  {
    name: "records of a failed group are kept",
    file: "writer/engine.ts",
    find: "    const { answers } = this.#group;\n    this.#options.records.clear();\n",
    replace: "    const { answers } = this.#group;\n",
  },
  {
    name: "the state of a failed group is kept",
    file: "writer/engine.ts",
    find: "this.#decider.state = this.#options.reload();",
    replace: "this.#options.reload();",
  },
  {
    name: "a hold past its expiry can be booked",
    file: "core/records.ts",
    find: 'state === "held" && atMs >= expires_at',
    replace: 'state === "held" && atMs > expires_at',
  },
  {
    name: "an expiry is not journaled",
    file: "writer/decider.ts",
    find: "this.#group.addRow(written, rendered);",
    replace: 'if (events[0]?.type !== "hold.expired") this.#group.addRow(written, rendered);',
  },
  {
    name: "sequence numbers have a gap",
    file: "core/decision.ts",
    find: "this.list.push({ ...draft, seq });",
    replace: "this.list.push({ ...draft, seq: seq + (seq > 40 ? 1 : 0) });",
  },
  {
    name: "the capture of a payment given up is kept",
    file: "core/payments/payment.ts",
    find: '  events.add({\n    type: "refund.requested",',
    replace: '  if (payment.amount < 0) events.add({\n    type: "refund.requested",',
  },
  {
    name: "a hold is booked twice",
    file: "core/holds/hold.ts",
    find: '  if (hold.state === "held") return null;\n',
    replace: '  if (hold.state === "held" || hold.state === "confirming") return null;\n',
  },
  {
    name: "a cancellation keeps its units",
    file: "core/bookings/changes.ts",
    find: "moveUnits(state, roomOf(state, move), move, 0, -1);",
    replace: "moveUnits(state, roomOf(state, move), move, 0, 0);",
  },
  {
    name: "a guest who goes early gives back nights that were slept",
    file: "core/bookings/desk.ts",
    find: "const firstDay = Math.max(today, dayOf(stay.check_in));",
    replace: "const firstDay = dayOf(stay.check_in);",
  },
  {
    name: "a guest is checked in before the day",
    file: "core/bookings/desk.ts",
    find: "if (ctx.stamp < fromMs) return",
    replace: "if (ctx.stamp < 0) return",
  },
  {
    name: "a fee that was waived is kept",
    file: "core/bookings/cancel.ts",
    find: "const fee = command.waives_fee ? 0 : asked;",
    replace: "const fee = asked;",
  },
  {
    name: "ceilings of one agent bind nobody",
    file: "core/state/room-state.ts",
    find: "(ceiling.agent_id === null || ceiling.agent_id === agentId)",
    replace: "ceiling.agent_id === null",
  },
  {
    name: "a snapshot forgets what a ceiling has counted",
    file: "core/codec/state-codec.ts",
    find: "used: used && unpacker.unpack(sheets.ceilingUsed.take(), used.nights),",
    replace: "used: used && unpacker.unpack(sheets.ceilingUsed.take(), null),",
  },
  {
    name: "keys of rows before a snapshot are forgotten",
    file: "log/recover.ts",
    find: "  keys?.read(journal, tail.head.row, onProgress);\n",
    replace: "",
  },
  {
    name: "a hold can be extended for ever",
    file: "core/holds/hold.ts",
    find: "export const EXTENSIONS_MAX = 2;",
    replace: "export const EXTENSIONS_MAX = 3;",
  },
  {
    name: "engine time follows a jump of the wall clock",
    file: "log/clock.ts",
    find: "const SLEW_MAX = 0.1;",
    replace: "const SLEW_MAX = 1_000;",
  },
  {
    name: "a start that is years ahead forgets the nights that it jumped over",
    file: "core/properties/ari-fold.ts",
    find: "Math.min(baseDay, state.keptDay + 1)",
    replace: "baseDay",
  },
  {
    name: "nights that a corrected clock made come again count no units",
    file: "core/holds/units.ts",
    find: "pageStart(state.keptDay)",
    replace: "pageStart(state.baseDay)",
  },
  {
    name: "a clock that is set back leaves holds that live for years",
    file: "core/due/clock-fold.ts",
    find: "    hold.expires_at += byMs;\n",
    replace: "",
  },
  {
    name: "a clock that is set back leaves payments of the future",
    file: "core/due/clock-fold.ts",
    find: "    payment.created_at += byMs;\n",
    replace: "",
  },
  {
    name: "a clock that is set back leaves refunds of the future",
    file: "core/due/clock-fold.ts",
    find: "    refund.created_at += byMs;\n",
    replace: "",
  },
  {
    name: "a quote of the future can be held",
    file: "core/holds/hold.ts",
    find: " || created_at - stamp > QUOTE_AHEAD_MAX_MS",
    replace: "",
  },
  {
    name: "a start that is years ahead is accepted silently",
    file: "log/clock.ts",
    find: "if (aheadMs > CLOCK_AHEAD_MAX_MS) throw",
    replace: "if (aheadMs > Infinity) throw",
  },
  {
    name: "a crashed engine's successor believes the wall clock",
    file: "log/clock.ts",
    find: "if (former && formerMs >= lastStampMs) return formerMs;",
    replace: "",
  },
  {
    name: "engine time is steered before the line is published",
    file: "log/clock.ts",
    find: "    this.#line = { monotonicMs, engineMs, slewMs };\n    this.#publish(this.#line);\n",
    replace:
      "    this.#publish(this.#line);\n    this.#line = { monotonicMs, engineMs, slewMs };\n",
  },
];
