/** `feeds build` and `feeds status`. */
import { setTimeout as sleep } from "node:timers/promises";
import { profileOf } from "../../../feeds/partners.ts";
import { type ExitCode, UsageError } from "../../lib/command-line.ts";
import type { ApiClient } from "./api-client.ts";
import type { Session } from "./command.ts";
import { CommandFailed } from "./failures.ts";
import {
  type Feed,
  type FeedList,
  feedTable,
  feedText,
  type Run,
  runFailureText,
  runTable,
} from "./feed-status-views.ts";
import { asJson, progressBar } from "./terminal.ts";
import { watching } from "./watching.ts";

const FEEDS = "/v1/admin/feeds";
const POLL_EVERY_MS = 200;

const runsOf = (partner: string) => `${FEEDS}/${encodeURIComponent(partner)}/runs`;

/** The tenant's feeds, one per partner. Throws a CommandFailed when the tenant cannot have any. */
export async function feedsOf(api: ApiClient): Promise<readonly Feed[]> {
  const { items, note } = (await api.get<FeedList>(FEEDS)).data;
  if (note !== null) throw new CommandFailed(note);
  return items;
}

const namesOf = (feeds: readonly Feed[]) => feeds.map(({ partner }) => partner).join(", ");

/** Feeds that a partner has fetched or that are published. */
function feedsInUse(feeds: readonly Feed[]): readonly Feed[] {
  const used = feeds.filter(({ published, asked_at }) => published !== null || asked_at !== null);
  if (used.length > 0) return used;
  throw new UsageError(`no feed is in use yet: name a partner (${namesOf(feeds)})`);
}

/** Shows the progress of a run until it ends. */
async function followRun({ terminal, signal }: Session, api: ApiClient, run: Run): Promise<Run> {
  let current = run;
  const words = () => `${current.partner} ${(current.phase ?? current.state).padEnd(9)}`;
  const showProgress = progressBar(terminal, { words });
  let shown = "";
  for (;;) {
    const isOpen = current.state === "queued" || current.state === "running";
    const done = isOpen ? Math.min(99, Math.floor(100 * current.progress)) : 100;
    const text = words() + done;
    if (text !== shown) showProgress(done, 100);
    shown = text;
    if (!isOpen) return current;
    await sleep(POLL_EVERY_MS, undefined, { signal });
    current = (await api.get<Run>(`${runsOf(run.partner)}/${run.run_id}`)).data;
  }
}

interface AskedBuild {
  readonly "accept-shrink": boolean;
  readonly "no-wait": boolean;
  readonly json: boolean;
}

/** Builds feeds and shows progress; 1 when one was not published. */
export async function runBuild(
  session: Session,
  given: AskedBuild,
  named: readonly string[],
): Promise<ExitCode> {
  const { terminal } = session;
  const accepts = given["accept-shrink"];
  if (accepts && named.length === 0) {
    throw new UsageError("--accept-shrink needs PARTNER");
  }
  const api = await session.api();
  const known = await feedsOf(api);
  // Before the first run: a mistyped partner starts nothing.
  const wanted = named.length > 0 ? feedsNamed(known, named) : feedsInUse(known);
  const body = accepts ? { accept_shrink: true } : {};
  let runs: Run[] = [];
  // In sequence: they are built in this order.
  for (const { partner } of wanted) runs.push((await api.post<Run>(runsOf(partner), body)).data);
  if (!given["no-wait"]) {
    const ended: Run[] = [];
    for (const run of runs) ended.push(await followRun(session, api, run));
    runs = ended;
  }
  const failed = runs.filter(({ state }) => state === "failed");
  if (given.json) terminal.out(asJson(runs));
  else terminal.out([runTable(runs), ...failed.map(runFailureText)].join(""));
  return failed.length === 0 ? 0 : 1;
}

/** Shows the state of all feeds, or details of one. */
export async function runStatus(
  session: Session,
  { json, watch }: { readonly json: boolean; readonly watch: boolean },
  partner: string | undefined,
): Promise<ExitCode> {
  const api = await session.api();
  return watching(session, watch, async () => {
    const feeds = await feedsOf(api);
    if (partner === undefined) return json ? asJson(feeds) : feedTable(feeds);
    const feed = feedNamed(feeds, partner);
    return json ? asJson(feed) : feedText(feed);
  });
}

/**
 * The feeds of partners by name or alias, without duplicates. Throws a UsageError naming the
 * unknown ones.
 */
function feedsNamed(feeds: readonly Feed[], partners: readonly string[]): readonly Feed[] {
  const of = (partner: string) => feeds.find((feed) => feed.partner === profileOf(partner)?.name);
  const unknown = partners.filter((partner) => of(partner) === undefined);
  if (unknown.length > 0) {
    const names = unknown.map((partner) => JSON.stringify(partner)).join(", ");
    throw new UsageError(`unknown partner ${names}: expected ${namesOf(feeds)}`);
  }
  return [...new Set(partners.map((partner) => of(partner)!))];
}

/** The same for one partner. */
export function feedNamed(feeds: readonly Feed[], partner: string): Feed {
  return feedsNamed(feeds, [partner])[0]!;
}
