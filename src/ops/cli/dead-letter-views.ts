/** Text views of deliveries, endpoints and their statistics. */
import { printable, table } from "./terminal.ts";

/** As in the API; instants are RFC 3339. */
export interface Delivery {
  readonly delivery_id: string;
  readonly webhook_id: string;
  readonly endpoint_id: string;
  readonly kind: string;
  readonly subject: string;
  readonly property_id: string | null;
  readonly seq: number;
  readonly prev_seq: number;
  readonly event_at: string;
  readonly created_at: string;
  readonly state: string;
  readonly attempt_count: number;
  readonly next_attempt_at: string | null;
  readonly reason: string | null;
  readonly status: number | null;
  readonly settled_at: string | null;
  readonly replay_of: string | null;
  readonly replayed_as: string | null;
  readonly after_dead_letter: string | null;
  readonly discard_reason: string | null;
}

interface Attempt {
  readonly nth: number;
  readonly at: string;
  readonly latency_ms: number;
  readonly reason: string | null;
  readonly status: number | null;
  readonly address: string | null;
  readonly request_id: string;
  readonly request_headers: Readonly<Record<string, string>>;
  readonly response_headers: Readonly<Record<string, string>>;
  readonly excerpt: string | null;
}

export interface DeliveryDetail extends Delivery {
  readonly attempts: readonly Attempt[];
  readonly request: { readonly url: string; readonly curl: string } | null;
}

export interface Endpoint {
  readonly endpoint_id: string;
  readonly url: string;
  readonly state: string;
}

export interface Stats {
  readonly endpoint_id: string;
  readonly open: number;
  readonly oldest_open_at: string | null;
  readonly dead_letters: number;
  readonly failing_since: string | null;
  readonly hours: readonly {
    readonly hour: string;
    readonly attempts: number;
    readonly succeeded: number;
    readonly dead_lettered: number;
    readonly latency_ms_mean: number;
    readonly latency_ms_max: number;
  }[];
}

const NOTHING = "-";

function outcomeOf({ reason, status }: Pick<Delivery, "reason" | "status">): string {
  if (reason === null) return status === null ? NOTHING : String(status);
  return status === null ? reason : `${reason} (${status})`;
}

/** One line per delivery. */
export function deliveryTable(deliveries: readonly Delivery[]): string {
  if (deliveries.length === 0) return "none\n";
  const rows = deliveries.map((each) => [
    ...[each.delivery_id, each.state, outcomeOf(each), String(each.attempt_count), each.kind],
    ...[each.subject, each.endpoint_id, each.settled_at ?? each.next_attempt_at ?? NOTHING],
  ]);
  return table(["DELIVERY", "STATE", "RESULT", "TRIES", "EVENT", "ABOUT", "ENDPOINT", "AT"], rows);
}

function headersOf(title: string, headers: Readonly<Record<string, string>>): string {
  const lines = Object.entries(headers).map(
    ([name, value]) => `  ${printable(`${name}: ${value}`)}\n`,
  );
  return lines.length === 0 ? "" : `\n${title}\n${lines.join("")}`;
}

/** A delivery with its attempts and a curl command that sends it. */
export function deliveryText(delivery: DeliveryDetail): string {
  const { kind, webhook_id, subject, seq, prev_seq, attempts, request } = delivery;
  const facts: readonly (readonly [string, string | null])[] = [
    ["delivery", delivery.delivery_id],
    ["event", `${kind}  ${webhook_id}  seq ${seq} after ${prev_seq}, of ${delivery.event_at}`],
    ["about", subject],
    ["property", delivery.property_id],
    ["endpoint", request ? `${delivery.endpoint_id}  ${request.url}` : delivery.endpoint_id],
    ["state", `${delivery.state}  ${outcomeOf(delivery)}`],
    ["created", delivery.created_at],
    ["next attempt", delivery.next_attempt_at],
    ["settled", delivery.settled_at],
    ["replay of", delivery.replay_of],
    ["replayed as", delivery.replayed_as],
    ["after dead", delivery.after_dead_letter],
    ["discarded", delivery.discard_reason],
  ];
  const known = facts.flatMap(([name, value]) => {
    return value === null ? [] : [`${name.padEnd(14)}${printable(value)}\n`];
  });
  return [...known, attemptsText(attempts), requestText(request)].join("");
}

function attemptsText(attempts: readonly Attempt[]): string {
  const last = attempts.at(-1);
  if (last === undefined) return "\nno attempts yet\n";
  const rows = attempts.map((each) => [
    ...[String(each.nth), each.at, String(each.latency_ms), outcomeOf(each)],
    ...[each.address ?? NOTHING, each.request_id],
  ]);
  const excerpt = last.excerpt === null ? "(hidden)" : printable(last.excerpt);
  return [
    `\n${table(["#", "AT", "MS", "ANSWER", "ADDRESS", "REQUEST"], rows)}`,
    headersOf("last request", last.request_headers),
    headersOf("last answer", last.response_headers),
    last.excerpt === "" ? "" : `\n${excerpt}\n`,
  ].join("");
}

function requestText(request: DeliveryDetail["request"]): string {
  if (request === null) return "";
  const lines = request.curl.split("\n").map((line) => `${printable(line)}\n`);
  return `\nsend it with curl\n${lines.join("")}`;
}

/** One line per endpoint, with the last 24 hours. */
export function statsTable(all: readonly { endpoint: Endpoint; stats: Stats }[]): string {
  if (all.length === 0) return "no endpoints\n";
  const rows = all.map(({ endpoint: { endpoint_id, state, url }, stats }) => {
    const sum = (of: "attempts" | "succeeded") =>
      stats.hours.reduce((total, hour) => total + hour[of], 0);
    const [attempts, succeeded] = [sum("attempts"), sum("succeeded")];
    const rate = attempts === 0 ? NOTHING : `${Math.floor((100 * succeeded) / attempts)}%`;
    return [
      ...[endpoint_id, state, String(stats.dead_letters), String(stats.open)],
      ...[stats.oldest_open_at ?? NOTHING, String(attempts), rate],
      ...[stats.failing_since ?? NOTHING, url],
    ];
  });
  const headings = ["ENDPOINT", "STATE", "DEAD", "OPEN", "OLDEST", "TRIES 24H", "DONE"];
  return table([...headings, "FAILING SINCE", "ADDRESS"], rows);
}

/** One line per hour of an endpoint. */
export function hoursTable({ hours }: Stats): string {
  if (hours.length === 0) return "no attempts\n";
  const rows = hours.map((each) => [
    ...[each.hour, String(each.attempts), String(each.succeeded), String(each.dead_lettered)],
    ...[String(each.latency_ms_mean), String(each.latency_ms_max)],
  ]);
  return table(["HOUR", "TRIES", "DONE", "DIED", "MEAN MS", "MAX MS"], rows);
}
