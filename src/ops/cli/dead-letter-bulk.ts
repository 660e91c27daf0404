/** `dead-letters replay-all`: counts, asks, replays and shows progress. */
import { setTimeout as sleep } from "node:timers/promises";
import { type ExitCode, UsageError, type Values } from "../../lib/command-line.ts";
import type { ApiClient } from "./api-client.ts";
import type { Session } from "./command.ts";
import type { Endpoint } from "./dead-letter-views.ts";
import { type FILTER_OPTIONS, filterOf, WEBHOOKS } from "./delivery-filter.ts";
import { isAgreed, printable, progressBar, table } from "./terminal.ts";

const POLL_EVERY_MS = 200;
/** Earlier than every delivery. */
const EVER = "1970-01-01T00:00:00.000Z";

interface Recovery {
  readonly recovery_id: string | null;
  readonly endpoint_id: string;
  readonly state: string;
  readonly until: string;
  readonly deliveries: number;
  readonly progress: { readonly done: number; readonly of: number };
}

/** The matching dead letters of an endpoint. */
interface Share {
  readonly endpoint: Endpoint;
  readonly count: number;
  /** Time of the count, by the service's clock. Later dead letters are not replayed. */
  readonly until: string;
}

type Filter = Values<typeof FILTER_OPTIONS>;

/** The body of `recover` for these options. */
function bodyOf(given: Filter) {
  const { endpoint_id: _endpoint, kinds, status, ...filter } = filterOf(given, Date.now());
  return {
    since: EVER,
    ...filter,
    ...(kinds !== undefined && { kinds: kinds.split(",") }),
    ...(status !== undefined && { status: Number(status) }),
  };
}

async function endpointsOf(api: ApiClient, { endpoint }: Filter): Promise<readonly Endpoint[]> {
  if (endpoint !== undefined) {
    const path = `${WEBHOOKS}/${encodeURIComponent(endpoint)}`;
    return [(await api.get<Endpoint>(path)).data];
  }
  return (await api.get<{ items: readonly Endpoint[] }>(WEBHOOKS)).data.items;
}

async function sharesOf(
  api: ApiClient,
  endpoints: readonly Endpoint[],
  body: ReturnType<typeof bodyOf>,
) {
  const shares: Share[] = [];
  for (const endpoint of endpoints) {
    const path = `${WEBHOOKS}/${endpoint.endpoint_id}/recover`;
    const { data } = await api.post<Recovery>(path, { ...body, dry_run: true });
    const { deliveries: count, until } = data;
    if (count > 0) shares.push({ endpoint, count, until });
  }
  return shares;
}

function sharesTable(shares: readonly Share[]): string {
  const rows = shares.map(({ endpoint: { endpoint_id, state, url }, count }) => {
    return [endpoint_id, state, String(count), url];
  });
  return table(["ENDPOINT", "STATE", "DEAD", "ADDRESS"], rows);
}

/** Replays each share, shows progress over all, and returns the number of new deliveries. */
async function replayShares(
  { terminal, signal }: Session,
  api: ApiClient,
  shares: readonly Share[],
  body: ReturnType<typeof bodyOf>,
): Promise<number> {
  const showProgress = progressBar(terminal);
  const total = shares.reduce((sum, { count }) => sum + count, 0);
  let before = 0;
  let made = 0;
  for (const { endpoint, count, until } of shares) {
    const path = `${WEBHOOKS}/${endpoint.endpoint_id}`;
    let { data } = await api.post<Recovery>(`${path}/recover`, { ...body, until });
    while (data.state === "running") {
      showProgress(Math.min(total - 1, before + data.deliveries), total);
      await sleep(POLL_EVERY_MS, undefined, { signal });
      ({ data } = await api.get<Recovery>(`${path}/recoveries/${data.recovery_id}`));
    }
    before += count;
    made += data.deliveries;
    showProgress(before, total);
  }
  return made;
}

interface Asked extends Filter {
  readonly "dry-run": boolean;
  readonly yes: boolean;
  readonly json: boolean;
}

/** Replays the dead letters that match the options. */
export async function replayAll(session: Session, given: Asked): Promise<ExitCode> {
  const { terminal } = session;
  const { "dry-run": isDry, yes: isAgreedTo, json: isJson } = given;
  if (!isDry && !isAgreedTo && !terminal.canAsk) {
    throw new UsageError("no terminal to ask on: use --yes, or --dry-run to count");
  }
  const api = await session.api();
  const body = bodyOf(given);
  const shares = await sharesOf(api, await endpointsOf(api, given), body);
  const total = shares.reduce((sum, { count }) => sum + count, 0);
  const resultText = (replayed: number) =>
    isJson ? `${JSON.stringify({ dead_letters: total, replayed })}\n` : `${replayed} replayed\n`;
  if (shares.length > 0 && !isJson) terminal.out(sharesTable(shares));
  if (isDry) {
    terminal.out(isJson ? resultText(0) : `${total} to replay\n`);
    return 0;
  }
  const disabled = shares.filter(({ endpoint }) => endpoint.state === "disabled");
  for (const { endpoint } of disabled) {
    terminal.err(`endpoint ${printable(endpoint.endpoint_id)} is disabled: resume it first\n`);
  }
  const open = shares.filter((share) => !disabled.includes(share));
  const count = open.reduce((sum, share) => sum + share.count, 0);
  const isMeant = count === 0 || isAgreedTo || (await isAgreed(session, `Replay ${count}?`));
  if (!isMeant) {
    terminal.err("nothing replayed\n");
    return 1;
  }
  terminal.out(resultText(count === 0 ? 0 : await replayShares(session, api, open, body)));
  return disabled.length > 0 ? 1 : 0;
}
