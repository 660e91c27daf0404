/** `npm run events -- tail`: what happens, seen at a shell. */
import type { PublicEvent } from "../../engine/core/public-events.ts";
import type { ApiClient } from "./api-client.ts";
import { type Arguments, UsageError } from "./arguments.ts";
import type { ClientCommand, ClientProgram, ExitCode, Session } from "./command.ts";
import { CommandFailed } from "./failures.ts";
import { followEvents } from "./follow-events.ts";
import { printable } from "./terminal.ts";

interface Place {
  readonly head_seq: number;
  readonly journal_id: string;
}

function filterOf(args: Arguments): string {
  const filter = new URLSearchParams();
  for (const name of ["kinds", "subject"]) {
    if (args.isSet(name)) filter.set(name, args.text(name));
  }
  return filter.toString();
}

/** The event to begin after; null: the last there is. */
function afterOf(args: Arguments): number | null {
  if (!args.isSet("after")) return null;
  const text = args.text("after");
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw new UsageError("--after must be the number of an event; 0 begins with the first");
}

/** An event in two lines. */
function linesOf({ timestamp, seq, type, subject, data }: PublicEvent): string {
  const head = [timestamp, `seq ${seq}`, type, `${subject.type}:${subject.id}`];
  return `${printable(head.join("  "))}\n    ${printable(JSON.stringify(data))}\n`;
}

async function placeOf(api: ApiClient, filter: string): Promise<Place> {
  return (await api.get<Place>(`/v1/admin/events?limit=1&${filter}`)).data;
}

async function runTail(session: Session, args: Arguments): Promise<ExitCode> {
  const { terminal, signal } = session;
  const after = afterOf(args);
  const filter = filterOf(args);
  const most = args.count("count", Number.MAX_SAFE_INTEGER) ?? Number.POSITIVE_INFINITY;
  const asJson = args.isSet("json");
  const api = await session.api();
  const { head_seq, journal_id } = await placeOf(api, filter);
  const afterSeq = after ?? head_seq;
  if (afterSeq > head_seq) {
    throw new CommandFailed(`there is no event ${afterSeq}: the last one is ${head_seq}`);
  }
  terminal.err(`events after seq ${afterSeq} of history ${journal_id}\n`);
  const brokeOff = (why: string) => terminal.err(`${why}; taken up again\n`);
  const events = followEvents({ api, signal, filter, afterSeq, journalId: journal_id, brokeOff });
  let told = 0;
  for await (const event of events) {
    terminal.out(asJson ? `${JSON.stringify(event)}\n` : linesOf(event));
    told += 1;
    if (told >= most) return 0;
  }
  return 0;
}

const TAIL: ClientCommand = {
  name: "tail",
  summary: "print events as they happen",
  options: {
    after: { value: "SEQ", help: "begin after this event instead of the last; 0: with the first" },
    kinds: { value: "KINDS", help: "only these, separated by commas: booking.confirmed,…" },
    subject: { value: "TYPE:ID", help: "only events about this one: booking:bkg_…" },
    count: { value: "N", help: "end after N events" },
    json: { help: "one JSON object a line" },
  },
  note: `A stream that breaks off is taken up where it was; nothing is left out or told twice.

Environment:
  INNKEEP_URL     address of the service (else that of DATA_DIR/demo.json)
  INNKEEP_SECRET  secret of an operator with the scope admin:events (else that of demo.json)

Exit codes: 0 stopped or counted to the end, 1 refused, or the history is another one, 2 usage.
`,
  run: runTail,
};

/** The command line of that name. */
export const events: ClientProgram = {
  call: "npm run --silent events --",
  about: "What happens at a running service.",
  commands: [TAIL],
};
