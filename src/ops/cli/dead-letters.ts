/** `npm run dead-letters -- …`: inspect and replay undelivered events. */
import { count, flag, operand, required, text, withDefault } from "../../lib/command-line.ts";
import { ACCESS_HELP } from "./access.ts";
import type { ApiClient } from "./api-client.ts";
import { command, type OperatorProgram } from "./command.ts";
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
import { asJson } from "./terminal.ts";
import { untilSettled, watching } from "./watching.ts";

const LIMIT = 50;
const LIMIT_MAX = 100_000;
const PAGE_MAX = 500;

const json = flag("print JSON");
const watch = flag("refresh every two seconds until stopped");
const DELIVERY = operand(required(text("DELIVERY", "id of the delivery, dlv_…")));

const pathOf = (id: string) => `${DELIVERIES}/${encodeURIComponent(id)}`;

async function take<T>(items: AsyncGenerator<T>, limit: number): Promise<T[]> {
  const taken: T[] = [];
  for await (const item of items) {
    taken.push(item);
    if (taken.length === limit) break;
  }
  return taken;
}

async function detailOf(api: ApiClient, id: string): Promise<DeliveryDetail> {
  return (await api.get<DeliveryDetail>(pathOf(id))).data;
}

const list = command({
  name: "list",
  summary: "list dead letters that are not yet replayed or discarded, newest first",
  options: {
    ...FILTER_OPTIONS,
    states: text("STATES", "list deliveries in these states: scheduled,pending,…"),
    limit: withDefault(count("N", `maximum number (${LIMIT})`, { max: LIMIT_MAX }), LIMIT),
    ...{ json, watch },
  },
  note: ACCESS_HELP,
  async run(session, given) {
    const { states, limit } = given;
    const api = await session.api();
    return watching(session, given.watch, async () => {
      const query = new URLSearchParams(filterOf(given, Date.now()));
      if (states !== undefined) query.set("states", states);
      else query.set("unhandled", "true");
      query.set("limit", String(Math.min(limit, PAGE_MAX)));
      const found = await take(api.items<Delivery>(`${DELIVERIES}?${query}`), limit);
      return given.json ? asJson(found) : deliveryTable(found);
    });
  },
});

const show = command({
  name: "show",
  summary: "show a delivery: all attempts, the last answer, and a curl command that sends it",
  operand: DELIVERY,
  options: { json },
  note: ACCESS_HELP,
  async run({ api, terminal }, given, id) {
    const delivery = await detailOf(await api(), id);
    terminal.out(given.json ? asJson(delivery) : deliveryText(delivery));
    return 0;
  },
});

const replayMany = command({
  name: "replay-all",
  summary: "replay the dead letters of one endpoint or of all",
  options: { ...FILTER_OPTIONS, "dry-run": flag("only count"), yes: flag("do not ask"), json },
  note: `Counts first and asks before it replays. Without a terminal, --yes is required.
The service finishes the replay even if this command is stopped.

${ACCESS_HELP}`,
  run: replayAll,
});

const replay = command({
  name: "replay",
  summary: "deliver an event again, with the same webhook-id, and show the result",
  operand: DELIVERY,
  options: { "no-wait": flag("do not wait for the first attempt"), json },
  note: `Also exits with 1 when the first attempt fails.\n\n${ACCESS_HELP}`,
  async run(session, given, id) {
    const api = await session.api();
    const { data } = await api.post<Delivery>(`${pathOf(id)}/replay`);
    const read = () => detailOf(api, data.delivery_id);
    const shown = given["no-wait"] ? await read() : await untilSettled(session, read);
    session.terminal.out(given.json ? asJson(shown) : deliveryText(shown));
    return shown.state === "dead_lettered" || shown.state === "scheduled" ? 1 : 0;
  },
});

const discard = command({
  name: "discard",
  summary: "discard a delivery; replay undoes this",
  operand: DELIVERY,
  options: { reason: required(text("TEXT", "reason, required")), json },
  note: ACCESS_HELP,
  async run({ api, terminal }, given, id) {
    const { reason } = given;
    const { data } = await (await api()).post<Delivery>(`${pathOf(id)}/discard`, { reason });
    terminal.out(given.json ? asJson(data) : deliveryTable([data]));
    return 0;
  },
});

const stats = command({
  name: "stats",
  summary: "show the state of all endpoints, or the last 24 hours of one",
  options: { endpoint: text("ID", "show the hours of this endpoint"), json, watch },
  note: ACCESS_HELP,
  async run(session, given) {
    const api = await session.api();
    const statsOf = async (id: string) => {
      return (await api.get<Stats>(`${WEBHOOKS}/${encodeURIComponent(id)}/stats`)).data;
    };
    return watching(session, given.watch, async () => {
      if (given.endpoint !== undefined) {
        const found = await statsOf(given.endpoint);
        return given.json ? asJson(found) : hoursTable(found);
      }
      const { items } = (await api.get<{ items: readonly Endpoint[] }>(WEBHOOKS)).data;
      const all = await Promise.all(
        items.map(async (endpoint) => ({ endpoint, stats: await statsOf(endpoint.endpoint_id) })),
      );
      return given.json ? asJson(all.map((each) => each.stats)) : statsTable(all);
    });
  },
});

export const deadLetters: OperatorProgram = {
  call: "npm run --silent dead-letters --",
  about: "Events that were not delivered to their webhook endpoints.",
  commands: [list, show, replayMany, replay, discard, stats],
  namesTenant: true,
};
