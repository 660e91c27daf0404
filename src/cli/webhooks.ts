/** `npm run webhooks -- listen PORT`: what arrives at an endpoint, seen at a shell. */
import { type Arguments, UsageError } from "./arguments.ts";
import type { ClientCommand, ClientProgram, ExitCode, Session } from "./command.ts";
import { CommandFailed } from "./failures.ts";
import { type ListenTerms, listen, type Met } from "./listener.ts";
import { printable } from "./terminal.ts";
import { isWebhookSecret } from "./verify-webhook.ts";

const PORT_MAX = 65_535;
const DELAY_MS_MAX = 600_000;

function portOf(args: Arguments): number {
  const text = args.operand("");
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (port <= PORT_MAX) return port;
  throw new UsageError(`PORT must be a whole number from 0 to ${PORT_MAX}; 0 takes a free one`);
}

function secretOf(args: Arguments, given: string | undefined): string | null {
  const secret = args.isSet("secret") ? args.text("secret") : given?.trim() || null;
  if (secret === null || isWebhookSecret(secret)) return secret;
  throw new UsageError("the secret must be one of an endpoint: whsec_ and its base64");
}

function statusOf(args: Arguments): number {
  const status = args.count("status", 599) ?? 204;
  if (status >= 200) return status;
  throw new UsageError("--status must be a whole number from 200 to 599");
}

function termsOf(session: Session, args: Arguments): ListenTerms {
  return {
    port: portOf(args),
    host: args.text("host", "127.0.0.1"),
    secret: secretOf(args, session.env.WEBHOOK_SECRET),
    status: statusOf(args),
    delayMs: args.count("delay-ms", DELAY_MS_MAX) ?? 0,
    first: args.count("first", Number.MAX_SAFE_INTEGER) ?? Number.POSITIVE_INFINITY,
  };
}

/** A delivery in a line, and below it what happened. */
function lineOf({ event, ...met }: Met): string {
  const { type, seq, prev_seq, subject, data } = event ?? {};
  const belief = met.is_verified === null ? "not verified (no secret)" : "verified";
  const words = [
    ...[met.received_at, type ?? "(no event)", met.webhook_id ?? "(no webhook-id)"],
    typeof seq === "number" ? `seq ${seq} after ${prev_seq}` : "",
    subject ? `${subject.type}:${subject.id}` : "",
    met.fault === null ? belief : `NOT GENUINE: ${met.fault}`,
    met.is_repeated ? "seen before" : "",
    met.missing_after_seq === null ? "" : `events after seq ${met.missing_after_seq} not here yet`,
    `→ ${met.answered}`,
  ];
  const head = words.filter((word) => word !== "").map((word) => printable(String(word)));
  return `${head.join("  ")}\n    ${printable(JSON.stringify(data ?? null))}\n`;
}

async function runListen(session: Session, args: Arguments): Promise<ExitCode> {
  const { terminal, signal } = session;
  const terms = termsOf(session, args);
  const most = args.count("count", Number.MAX_SAFE_INTEGER) ?? Number.POSITIVE_INFINITY;
  const asJson = args.isSet("json");
  const ended = Promise.withResolvers<void>();
  let received = 0;
  let strangers = 0;
  const tell = (met: Met) => {
    terminal.out(asJson ? `${JSON.stringify(met)}\n` : lineOf(met));
    received += 1;
    if (met.fault !== null) strangers += 1;
    if (received >= most) ended.resolve();
  };
  let server: ReturnType<typeof listen>;
  try {
    server = listen(terms, tell);
  } catch (cause) {
    const { code } = cause as { readonly code?: string };
    throw new CommandFailed(`cannot listen on ${terms.host}:${terms.port} (${code})`, { cause });
  }
  terminal.err(`listening on ${server.url}\n`);
  signal.addEventListener("abort", () => ended.resolve(), { once: true });
  await ended.promise;
  // Those under way are still answered.
  await server.stop();
  return strangers > 0 ? 1 : 0;
}

const LISTEN: ClientCommand = {
  name: "listen",
  summary: "receive webhooks here, verify them and print them, for development",
  operand: { value: "PORT", help: "where to listen; 0 takes a free port" },
  options: {
    secret: { value: "WHSEC", help: "the endpoint's secret (else WEBHOOK_SECRET)" },
    status: { value: "N", help: "answer with this status instead of 204: 500, 410, …" },
    "delay-ms": { value: "MS", help: "answer so late" },
    first: { value: "N", help: "only the first N deliveries are answered so" },
    count: { value: "N", help: "end after N deliveries" },
    host: { value: "ADDRESS", help: "address to listen on (127.0.0.1)" },
    json: { help: "one JSON object a line" },
  },
  note: `A service delivers to this machine when it runs with WEBHOOKS_ALLOW_PRIVATE=1. Whatever the
secret does not verify is answered 401.

Exit codes: 0 stopped or counted to the end, 1 something was not genuine, 2 usage.
`,
  run: runListen,
};

/** The command line of that name. */
export const webhooks: ClientProgram = {
  call: "npm run --silent webhooks --",
  about: "What arrives at a webhook endpoint.",
  commands: [LISTEN],
};
