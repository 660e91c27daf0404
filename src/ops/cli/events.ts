/** `npm run events -- tail`: print a tenant's events. */
import type { PublicEvent } from "../../../engine/core/public-events.ts";
import type { ApiClient } from "./api-client.ts";
import { type Arguments, UsageError } from "./arguments.ts";
import type { ClientCommand, ClientProgram, ExitCode, Session } from "./command.ts";
import { CommandFailed } from "./failures.ts";
import { followEvents } from "./follow-events.ts";
import { printable } from "./terminal.ts";

interface Head {
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

/** `seq` of the event to start after; null for the last one. */
function afterOf(args: Arguments): number | null {
  if (!args.isSet("after")) return null;
  const text = args.text("after");
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw new UsageError("--after must be the seq of an event; 0 starts with the first");
}

/** Two lines per event. */
function linesOf({ timestamp, seq, type, subject, data }: PublicEvent): string {
  const head = [timestamp, `seq ${seq}`, type, `${subject.type}:${subject.id}`];
  return `${printable(head.join("  "))}\n    ${printable(JSON.stringify(data))}\n`;
}

async function headOf(api: ApiClient, filter: string): Promise<Head> {
  return (await api.get<Head>(`/v1/admin/events?limit=1&${filter}`)).data;
}

async function runTail(session: Session, args: Arguments): Promise<ExitCode> {
  const { terminal, signal } = session;
  const after = afterOf(args);
  const filter = filterOf(args);
  const most = args.count("count", Number.MAX_SAFE_INTEGER) ?? Number.POSITIVE_INFINITY;
  const asJson = args.isSet("json");
  const api = await session.api();
  const { head_seq, journal_id } = await headOf(api, filter);
  const afterSeq = after ?? head_seq;
  if (afterSeq > head_seq) {
    throw new CommandFailed(`no event ${afterSeq}: the last one is ${head_seq}`);
  }
  terminal.err(`events after seq ${afterSeq} of history ${journal_id}\n`);
  const onInterrupted = (why: string) => terminal.err(`${why}; resuming\n`);
  const base = { api, signal, filter, onInterrupted };
  const events = followEvents({ ...base, afterSeq, journalId: journal_id });
  let printed = 0;
  for await (const event of events) {
    terminal.out(asJson ? `${JSON.stringify(event)}\n` : linesOf(event));
    printed += 1;
    if (printed >= most) return 0;
  }
  return 0;
}

const TAIL: ClientCommand = {
  name: "tail",
  summary: "print events as they happen",
  options: {
    after: { value: "SEQ", help: "start after this event instead of the last; 0: from the first" },
    kinds: { value: "KINDS", help: "only these kinds, separated by commas: booking.confirmed,…" },
    subject: { value: "TYPE:ID", help: "only events about this subject: booking:bkg_…" },
    count: { value: "N", help: "stop after N events" },
    json: { help: "print one JSON object per line" },
  },
  note: `An interrupted stream is resumed; no event is lost or repeated.

Environment:
  INNKEEP_URL     address of the service (default: from DATA_DIR/demo.json)
  INNKEEP_SECRET  secret of an operator with scope admin:events (default: from demo.json)

Exit codes: 0 stopped or N events printed, 1 refused, or another history, 2 usage.
`,
  run: runTail,
};

export const events: ClientProgram = {
  call: "npm run --silent events --",
  about: "Events of a running service.",
  commands: [TAIL],
};
