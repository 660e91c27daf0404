/** `npm run events -- tail`: print a tenant's events. */
import type { PublicEvent } from "../../../engine/core/public-events.ts";
import { count, flag, parsed, text, UsageError } from "../../lib/command-line.ts";
import { command, type OperatorProgram } from "./command.ts";
import { CommandFailed } from "./failures.ts";
import { followEvents } from "./follow-events.ts";
import { printable } from "./terminal.ts";

interface Head {
  readonly head_seq: number;
  readonly journal_id: string;
}

/** Two lines per event. */
function linesOf({ timestamp, seq, type, subject, data }: PublicEvent): string {
  const head = [timestamp, `seq ${seq}`, type, `${subject.type}:${subject.id}`];
  return `${printable(head.join("  "))}\n    ${printable(JSON.stringify(data))}\n`;
}

const seq = parsed(
  "SEQ",
  "start after this event instead of the last; 0: from the first",
  (given, name) => {
    if (/^\d{1,15}$/.test(given)) return Number(given);
    throw new UsageError(`${name} must be the seq of an event; 0 starts with the first`);
  },
);

const tail = command({
  name: "tail",
  summary: "print events as they happen",
  options: {
    after: seq,
    kinds: text("KINDS", "only these kinds, separated by commas: booking.confirmed,…"),
    subject: text("TYPE:ID", "only events about this subject: booking:bkg_…"),
    count: count("N", "stop after N events"),
    json: flag("print one JSON object per line"),
  },
  note: `An interrupted stream is resumed; no event is lost or repeated.

Environment:
  INNKEEP_URL     address of the service (default: from DATA_DIR/demo.json)
  INNKEEP_SECRET  secret of an operator with scope admin:events (default: from demo.json)

Exit codes: 0 stopped or N events printed, 1 refused, or another history, 2 usage.
`,
  async run({ api: open, terminal, signal }, { after, kinds, subject, count: most, json }) {
    const given = Object.entries({ kinds, subject }).filter(([, value]) => value !== undefined);
    const filter = new URLSearchParams(given as [string, string][]).toString();
    const api = await open();
    const { head_seq, journal_id } = (await api.get<Head>(`/v1/admin/events?limit=1&${filter}`))
      .data;
    const afterSeq = after ?? head_seq;
    if (afterSeq > head_seq) {
      throw new CommandFailed(`no event ${afterSeq}: the last one is ${head_seq}`);
    }
    terminal.err(`events after seq ${afterSeq} of history ${journal_id}\n`);
    const onInterrupted = (why: string) => terminal.err(`${why}; resuming\n`);
    const base = { api, signal, filter, onInterrupted };
    const found = followEvents({ ...base, afterSeq, journalId: journal_id });
    let printed = 0;
    for await (const event of found) {
      terminal.out(json ? `${JSON.stringify(event)}\n` : linesOf(event));
      printed += 1;
      if (printed === most) return 0;
    }
    return 0;
  },
});

export const events: OperatorProgram = {
  call: "npm run --silent events --",
  about: "Events of a running service.",
  commands: [tail],
};
