/** `npm run dead-letters -- …`: inspect and replay undelivered events. */
import { ACCESS_HELP } from "./access.ts";
import type { ApiClient } from "./api-client.ts";
import { type Arguments, type Options, UsageError } from "./arguments.ts";
import type { ClientCommand, ClientProgram, ExitCode, Session } from "./command.ts";
import { replayAll } from "./dead-letter-bulk.ts";
import {
  type Delivery,
  type DeliveryDetail,
  deliveryTable,
  deliveryText,
  type Endpoint,
  hoursTable,
  type Stats,
  statsTable,
} from "./dead-letter-views.ts";
import { DELIVERIES, FILTER_OPTIONS, filterOf, WEBHOOKS } from "./delivery-filter.ts";
import { untilSettled, watching } from "./watching.ts";

const LIMIT = 50;
const LIMIT_MAX = 100_000;
const PAGE_MAX = 500;

const JSON_OPTION = { json: { help: "print JSON" } } as const satisfies Options;
const WATCH_OPTION = {
  watch: { help: "refresh every two seconds until stopped" },
} as const satisfies Options;

function operandOf(args: Arguments, what: string): string {
  const id = args.operand("");
  if (id !== "") return id;
  throw new UsageError(`${what} is missing`);
}

const asJson = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`;

async function take<T>(items: AsyncGenerator<T>, limit: number): Promise<T[]> {
  const taken: T[] = [];
  for await (const item of items) {
    taken.push(item);
    if (taken.length === limit) break;
  }
  return taken;
}

async function runList(session: Session, args: Arguments): Promise<ExitCode> {
  const api = await session.api();
  const limit = args.count("limit", LIMIT_MAX) ?? LIMIT;
  const isAll = args.isSet("states");
  return watching(session, args.isSet("watch"), async () => {
    const query = new URLSearchParams(filterOf(args, Date.now()));
    if (isAll) query.set("states", args.text("states"));
    else query.set("unhandled", "true");
    query.set("limit", String(Math.min(limit, PAGE_MAX)));
    const found = await take(api.items<Delivery>(`${DELIVERIES}?${query}`), limit);
    return args.isSet("json") ? asJson(found) : deliveryTable(found);
  });
}

async function detailOf(api: ApiClient, id: string): Promise<DeliveryDetail> {
  return (await api.get<DeliveryDetail>(`${DELIVERIES}/${encodeURIComponent(id)}`)).data;
}

async function runShow(session: Session, args: Arguments): Promise<ExitCode> {
  const id = operandOf(args, "DELIVERY");
  const delivery = await detailOf(await session.api(), id);
  session.terminal.out(args.isSet("json") ? asJson(delivery) : deliveryText(delivery));
  return 0;
}

async function runReplay(session: Session, args: Arguments): Promise<ExitCode> {
  const id = operandOf(args, "DELIVERY");
  const api = await session.api();
  const path = `${DELIVERIES}/${encodeURIComponent(id)}/replay`;
  const { data } = await api.post<Delivery>(path);
  const read = () => detailOf(api, data.delivery_id);
  const shown = args.isSet("no-wait") ? await read() : await untilSettled(session, read);
  session.terminal.out(args.isSet("json") ? asJson(shown) : deliveryText(shown));
  return shown.state === "dead_lettered" || shown.state === "scheduled" ? 1 : 0;
}

async function runDiscard(session: Session, args: Arguments): Promise<ExitCode> {
  const id = operandOf(args, "DELIVERY");
  const reason = args.text("reason");
  const api = await session.api();
  const path = `${DELIVERIES}/${encodeURIComponent(id)}/discard`;
  const { data } = await api.post<Delivery>(path, { reason });
  session.terminal.out(args.isSet("json") ? asJson(data) : deliveryTable([data]));
  return 0;
}

async function runStats(session: Session, args: Arguments): Promise<ExitCode> {
  const api = await session.api();
  const only = args.isSet("endpoint") ? args.text("endpoint") : null;
  const statsOf = async (id: string) => {
    return (await api.get<Stats>(`${WEBHOOKS}/${encodeURIComponent(id)}/stats`)).data;
  };
  return watching(session, args.isSet("watch"), async () => {
    if (only !== null) {
      const stats = await statsOf(only);
      return args.isSet("json") ? asJson(stats) : hoursTable(stats);
    }
    const { items } = (await api.get<{ items: readonly Endpoint[] }>(WEBHOOKS)).data;
    const all = await Promise.all(
      items.map(async (endpoint) => ({ endpoint, stats: await statsOf(endpoint.endpoint_id) })),
    );
    return args.isSet("json") ? asJson(all.map(({ stats }) => stats)) : statsTable(all);
  });
}

const DELIVERY_OPERAND = { value: "DELIVERY", help: "id of the delivery, dlv_…" } as const;

const OWN_COMMANDS: readonly ClientCommand[] = [
  {
    name: "list",
    summary: "list dead letters that are not yet replayed or discarded, newest first",
    options: {
      ...FILTER_OPTIONS,
      states: { value: "STATES", help: "list deliveries in these states: scheduled,pending,…" },
      limit: { value: "N", help: `maximum number (${LIMIT})` },
      ...JSON_OPTION,
      ...WATCH_OPTION,
    },
    run: runList,
  },
  {
    name: "show",
    summary: "show a delivery: all attempts, the last answer, and a curl command that sends it",
    operand: DELIVERY_OPERAND,
    options: JSON_OPTION,
    run: runShow,
  },
  {
    name: "replay-all",
    summary: "replay the dead letters of one endpoint or of all",
    options: {
      ...FILTER_OPTIONS,
      "dry-run": { help: "only count" },
      yes: { help: "do not ask" },
      ...JSON_OPTION,
    },
    note: `Counts first and asks before it replays. Without a terminal, --yes is required.
The service finishes the replay even if this command is stopped.
`,
    run: replayAll,
  },
  {
    name: "replay",
    summary: "deliver an event again, with the same webhook-id, and show the result",
    operand: DELIVERY_OPERAND,
    options: { "no-wait": { help: "do not wait for the first attempt" }, ...JSON_OPTION },
    note: "Also exits with 1 when the first attempt fails.\n",
    run: runReplay,
  },
  {
    name: "discard",
    summary: "discard a delivery; replay undoes this",
    operand: DELIVERY_OPERAND,
    options: { reason: { value: "TEXT", help: "reason, required" }, ...JSON_OPTION },
    run: runDiscard,
  },
  {
    name: "stats",
    summary: "show the state of all endpoints, or the last 24 hours of one",
    options: {
      endpoint: { value: "ID", help: "show the hours of this endpoint" },
      ...JSON_OPTION,
      ...WATCH_OPTION,
    },
    run: runStats,
  },
];

/** Adds environment and exit codes to the help of each command. */
const COMMANDS = OWN_COMMANDS.map((command): ClientCommand => {
  return { ...command, note: command.note ? `${command.note}\n${ACCESS_HELP}` : ACCESS_HELP };
});

export const deadLetters: ClientProgram = {
  call: "npm run --silent dead-letters --",
  about: "Events that were not delivered to their webhook endpoints.",
  commands: COMMANDS,
  namesTenant: true,
};
