/** `npm run webhooks -- listen PORT`: receive and print webhooks. */
import {
  count,
  flag,
  operand,
  parsed,
  required,
  text,
  UsageError,
  withDefault,
} from "../../lib/command-line.ts";
import { command, type OperatorProgram } from "./command.ts";
import { CommandFailed } from "./failures.ts";
import { listen, type ReceivedDelivery } from "./listener.ts";
import { printable } from "./terminal.ts";

const PORT_MAX = 65_535;
const DELAY_MS_MAX = 600_000;

const PORT = parsed("PORT", "port to listen on; 0 chooses a free one", (given) => {
  const port = /^\d{1,5}$/.test(given) ? Number(given) : Number.NaN;
  if (port <= PORT_MAX) return port;
  throw new UsageError(`PORT must be a whole number from 0 to ${PORT_MAX}; 0 chooses a free port`);
});

const SECRET = /^whsec_[A-Za-z0-9+/]{32,88}={0,2}$/;

function secretOf(given: string | undefined, inEnvironment: string | undefined): string | null {
  const secret = given ?? (inEnvironment?.trim() || null);
  if (secret === null || SECRET.test(secret)) return secret;
  throw new UsageError("the secret must be that of an endpoint: whsec_ and base64");
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

const LISTEN = command({
  name: "listen",
  summary: "receive, verify and print webhooks, for development",
  operand: operand(required(PORT)),
  options: {
    secret: text("WHSEC", "secret of the endpoint (WEBHOOK_SECRET)"),
    status: withDefault(
      count("N", "answer with this status instead of 204: 500, 410, …", { min: 200, max: 599 }),
      204,
    ),
    "delay-ms": withDefault(count("MS", "wait before each answer", { max: DELAY_MS_MAX }), 0),
    first: withDefault(
      count("N", "use --status and --delay-ms for the first N deliveries only"),
      Number.POSITIVE_INFINITY,
    ),
    count: count("N", "stop after N deliveries"),
    host: withDefault(text("ADDRESS", "address to listen on (127.0.0.1)"), "127.0.0.1"),
    json: flag("print one JSON object per line"),
  },
  note: `A service delivers to this machine only with WEBHOOKS_ALLOW_PRIVATE=1. A delivery that the
secret does not verify is answered 401.

Exit codes: 0 stopped or N deliveries received, 1 a delivery was not genuine, 2 usage.
`,
  async run({ env, terminal, signal }, given, port) {
    const { host, status, first, json, count: most } = given;
    const secret = secretOf(given.secret, env.WEBHOOK_SECRET);
    const terms = { port, host, secret, status, delayMs: given["delay-ms"], first };
    const ended = Promise.withResolvers<void>();
    let received = 0;
    let forged = 0;
    const onDelivery = (delivery: ReceivedDelivery) => {
      terminal.out(json ? `${JSON.stringify(delivery)}\n` : linesOf(delivery));
      received += 1;
      if (delivery.fault !== null) forged += 1;
      if (received === most) ended.resolve();
    };
    let server: ReturnType<typeof listen>;
    try {
      server = listen(terms, onDelivery);
    } catch (cause) {
      const { code } = cause as { readonly code?: string };
      throw new CommandFailed(`cannot listen on ${host}:${port} (${code})`, { cause });
    }
    terminal.err(`listening on ${server.url}\n`);
    signal.addEventListener("abort", () => ended.resolve(), { once: true });
    await ended.promise;
    // Open requests are still answered.
    await server.stop();
    return forged > 0 ? 1 : 0;
  },
});

export const webhooks: OperatorProgram = {
  call: "npm run --silent webhooks --",
  about: "A webhook receiver for development.",
  commands: [LISTEN],
};
