/** `npm run webhooks -- listen PORT`: receive and print webhooks. */
import { type Arguments, UsageError } from "./arguments.ts";
import type { ClientCommand, ClientProgram, ExitCode, Session } from "./command.ts";
import { CommandFailed } from "./failures.ts";
import { type ListenTerms, listen, type ReceivedDelivery } from "./listener.ts";
import { printable } from "./terminal.ts";
import { isWebhookSecret } from "./verify-webhook.ts";

const PORT_MAX = 65_535;
const DELAY_MS_MAX = 600_000;

function portOf(args: Arguments): number {
  const text = args.operand("");
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (port <= PORT_MAX) return port;
  throw new UsageError(`PORT must be a whole number from 0 to ${PORT_MAX}; 0 chooses a free port`);
}

function secretOf(args: Arguments, given: string | undefined): string | null {
  const secret = args.isSet("secret") ? args.text("secret") : given?.trim() || null;
  if (secret === null || isWebhookSecret(secret)) return secret;
  throw new UsageError("the secret must be that of an endpoint: whsec_ and base64");
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

/** A line about the delivery, and a line with the event's data. */
function linesOf({ event, ...delivery }: ReceivedDelivery): string {
  const { type, seq, prev_seq, subject, data } = event ?? {};
  const { webhook_id, fault, is_verified, missing_after_seq } = delivery;
  const verdict = is_verified === null ? "not verified (no secret)" : "verified";
  const words = [
    ...[delivery.received_at, type ?? "(no event)", webhook_id ?? "(no webhook-id)"],
    typeof seq === "number" ? `seq ${seq} after ${prev_seq}` : "",
    subject ? `${subject.type}:${subject.id}` : "",
    fault === null ? verdict : `NOT GENUINE: ${fault}`,
    delivery.is_repeated ? "repeated" : "",
    missing_after_seq === null ? "" : `events after seq ${missing_after_seq} missing so far`,
    `→ ${delivery.answered}`,
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
  let forged = 0;
  const onDelivery = (delivery: ReceivedDelivery) => {
    terminal.out(asJson ? `${JSON.stringify(delivery)}\n` : linesOf(delivery));
    received += 1;
    if (delivery.fault !== null) forged += 1;
    if (received >= most) ended.resolve();
  };
  let server: ReturnType<typeof listen>;
  try {
    server = listen(terms, onDelivery);
  } catch (cause) {
    const { code } = cause as { readonly code?: string };
    throw new CommandFailed(`cannot listen on ${terms.host}:${terms.port} (${code})`, { cause });
  }
  terminal.err(`listening on ${server.url}\n`);
  signal.addEventListener("abort", () => ended.resolve(), { once: true });
  await ended.promise;
  // Open requests are still answered.
  await server.stop();
  return forged > 0 ? 1 : 0;
}

const LISTEN: ClientCommand = {
  name: "listen",
  summary: "receive, verify and print webhooks, for development",
  operand: { value: "PORT", help: "port to listen on; 0 chooses a free one" },
  options: {
    secret: { value: "WHSEC", help: "secret of the endpoint (WEBHOOK_SECRET)" },
    status: { value: "N", help: "answer with this status instead of 204: 500, 410, …" },
    "delay-ms": { value: "MS", help: "wait before each answer" },
    first: { value: "N", help: "use --status and --delay-ms for the first N deliveries only" },
    count: { value: "N", help: "stop after N deliveries" },
    host: { value: "ADDRESS", help: "address to listen on (127.0.0.1)" },
    json: { help: "print one JSON object per line" },
  },
  note: `A service delivers to this machine only with WEBHOOKS_ALLOW_PRIVATE=1. A delivery that the
secret does not verify is answered 401.

Exit codes: 0 stopped or N deliveries received, 1 a delivery was not genuine, 2 usage.
`,
  run: runListen,
};

export const webhooks: ClientProgram = {
  call: "npm run --silent webhooks --",
  about: "A webhook receiver for development.",
  commands: [LISTEN],
};
