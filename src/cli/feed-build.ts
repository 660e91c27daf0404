/** `feeds build` and `feeds status`: feeds of a running service, built now or looked at. */
import { setTimeout as sleep } from "node:timers/promises";
import { profileOf } from "../../feeds/partners.ts";
import type { ApiClient } from "./api-client.ts";
import { type Arguments, UsageError } from "./arguments.ts";
import type { ExitCode, Session } from "./command.ts";
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
import { progressBar } from "./terminal.ts";
import { watching } from "./watching.ts";

const FEEDS = "/v1/admin/feeds";
const LOOK_EVERY_MS = 200;

const runsOf = (partner: string) => `${FEEDS}/${encodeURIComponent(partner)}/runs`;
const asJson = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`;

/** The tenant's feeds, one for each partner. Throws a CommandFailed where there can be none. */
export async function feedsOf(api: ApiClient): Promise<readonly Feed[]> {
  const { items, note } = (await api.get<FeedList>(FEEDS)).data;
  if (note !== null) throw new CommandFailed(note);
  return items;
}

const namesOf = (feeds: readonly Feed[]) => feeds.map(({ partner }) => partner).join(", ");

/** Those that are asked for already: nobody reads what is built for the other partners. */
function feedsInUse(feeds: readonly Feed[]): readonly Feed[] {
  const used = feeds.filter(({ published, asked_at }) => published !== null || asked_at !== null);
  if (used.length > 0) return used;
  throw new UsageError(`no feed has been asked for yet: name a partner of ${namesOf(feeds)}`);
}

/** Tells how far a run is, until it has ended. */
async function followed({ terminal, signal }: Session, api: ApiClient, run: Run): Promise<Run> {
  let told = run;
  const words = () => `${told.partner} ${(told.phase ?? told.state).padEnd(9)}`;
  const tell = progressBar(terminal, { words });
  let said = "";
  for (;;) {
    const isOpen = told.state === "queued" || told.state === "running";
    const done = isOpen ? Math.min(99, Math.floor(100 * told.progress)) : 100;
    const news = words() + done;
    if (news !== said) tell(done, 100);
    said = news;
    if (!isOpen) return told;
    await sleep(LOOK_EVERY_MS, undefined, { signal });
    told = (await api.get<Run>(`${runsOf(run.partner)}/${run.run_id}`)).data;
  }
}

/** Builds feeds now and follows them; 1 when one of them was not published. */
export async function runBuild(session: Session, args: Arguments): Promise<ExitCode> {
  const { terminal } = session;
  const accepts = args.isSet("accept-shrink");
  const named = args.operands();
  if (accepts && named.length === 0) {
    throw new UsageError("--accept-shrink needs the partners that it is meant for");
  }
  const api = await session.api();
  const known = await feedsOf(api);
  // Before the first is begun: whoever has mistyped one finds that nothing has happened.
  const wanted = named.length > 0 ? feedsNamed(known, named) : feedsInUse(known);
  const body = accepts ? { accept_shrink: true } : {};
  let runs: Run[] = [];
  // One after the other: they are built in this order.
  for (const { partner } of wanted) runs.push((await api.post<Run>(runsOf(partner), body)).data);
  if (!args.isSet("no-wait")) {
    const ended: Run[] = [];
    for (const run of runs) ended.push(await followed(session, api, run));
    runs = ended;
  }
  const failed = runs.filter(({ state }) => state === "failed");
  if (args.isSet("json")) terminal.out(asJson(runs));
  else terminal.out([runTable(runs), ...failed.map(runFailureText)].join(""));
  return failed.length === 0 ? 0 : 1;
}

/** How the feeds stand; of one partner all that is known. */
export async function runStatus(session: Session, args: Arguments): Promise<ExitCode> {
  const [partner] = args.operands();
  const api = await session.api();
  return watching(session, args.isSet("watch"), async () => {
    const feeds = await feedsOf(api);
    if (partner === undefined) return args.isSet("json") ? asJson(feeds) : feedTable(feeds);
    const feed = feedNamed(feeds, partner);
    return args.isSet("json") ? asJson(feed) : feedText(feed);
  });
}

/**
 * The feeds of partners, by whichever of their names, each once. Throws a UsageError that tells
 * the unknown ones.
 */
function feedsNamed(feeds: readonly Feed[], partners: readonly string[]): readonly Feed[] {
  const of = (partner: string) => feeds.find((feed) => feed.partner === profileOf(partner)?.name);
  const unknown = partners.filter((partner) => of(partner) === undefined);
  if (unknown.length > 0) {
    const told = unknown.map((partner) => JSON.stringify(partner)).join(", ");
    throw new UsageError(`no partner ${told}: there are ${namesOf(feeds)}`);
  }
  return [...new Set(partners.map((partner) => of(partner)!))];
}

/** The feed of a partner, as above. */
export function feedNamed(feeds: readonly Feed[], partner: string): Feed {
  return feedsNamed(feeds, [partner])[0]!;
}
