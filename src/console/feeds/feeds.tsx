/** Partner feeds: what each publishes, how right it was, why a build failed, and new builds. */
import type { Static } from "@sinclair/typebox";
import { PARTNER } from "../../api/feeds/partner.ts";
import type { FeedList, FeedRun, FeedRunList } from "../../api/feeds/responses.ts";
import { ask } from "../frame/api.ts";
import { askedPage } from "../frame/asked.tsx";
import { form, page } from "../frame/console-route.ts";
import { type Form, keyHeader } from "../frame/form.ts";
import { notDone } from "../frame/not-done.tsx";
import { At, Crumbs, Live, Problem, plural, Rows, State, wordsOf } from "../frame/parts.tsx";
import type { Gone, Origin, Shown } from "../frame/shown.ts";
import type { Visit } from "../frame/visit.ts";
import { FeedSection } from "./feed.tsx";

type Run = Static<typeof FeedRun>;
type AtPartner = Visit<"partner">;

const PATH = "/console/feeds";
const ORIGIN: Origin = { place: "feeds", back: PATH, backName: "Feeds" };

async function show(visit: Visit): Promise<Shown> {
  const found = await ask<Static<typeof FeedList>>(visit, { id: "list_feeds" });
  const main = (
    <>
      <h1>Feeds</h1>
      {!found.ok && <Problem error={found.error} />}
      {found.ok && (
        <Live
          id="feeds"
          kinds="feed."
          isWaiting={found.data.items.some(({ open_run }) => open_run !== null)}
        >
          {found.data.note !== null && <p>{found.data.note}</p>}
          {found.data.items.map((feed) => (
            <FeedSection visit={visit} feed={feed} />
          ))}
        </Live>
      )}
    </>
  );
  return { title: "Feeds", place: "feeds", main };
}

async function showRuns(visit: AtPartner): Promise<Shown> {
  const { partner } = visit.call.params;
  const found = await ask<Static<typeof FeedRunList>>(visit, {
    ...{ id: "list_feed_runs", params: { partner } },
  });
  if (!found.ok) return notDone(visit, ORIGIN, "Builds", found.error);
  const { items } = found.data;
  const main = (
    <>
      <Crumbs to={visit.root + PATH}>Feeds</Crumbs>
      <h1>
        Builds for <bdi>{partner}</bdi>
      </h1>
      <Live id="runs" kinds="feed." isWaiting={items.some(({ ended_at }) => ended_at === null)}>
        {items.length === 0 && <p>None yet.</p>}
        {items.length > 0 && <Runs runs={items} />}
      </Live>
    </>
  );
  return { title: "Builds", place: "feeds", main };
}

function Runs({ runs }: { readonly runs: readonly Run[] }) {
  return (
    <Rows
      label="Builds"
      rows={runs}
      keyOf={({ run_id }) => run_id}
      columns={[
        { head: "Asked for (UTC)", cell: (run) => <At instant={run.created_at} zone="UTC" /> },
        { head: "Cause", cell: ({ trigger }) => wordsOf(trigger) },
        { head: "State", cell: ({ state }) => <State state={state} /> },
        { head: "Properties", isNumber: true, cell: ({ listings }) => listings ?? "—" },
        {
          head: "Why it failed",
          cell: ({ reason, detail }) =>
            reason !== null && (
              <>
                {wordsOf(reason)} <span class="faint">{detail}</span>
              </>
            ),
        },
        {
          head: "Ended (UTC)",
          cell: ({ ended_at }) =>
            ended_at === null ? "not yet" : <At instant={ended_at} zone="UTC" />,
        },
      ]}
    />
  );
}

/** Asks before a feed is published that lists far fewer properties than the one before. */
async function askShorter(visit: AtPartner): Promise<Shown> {
  const { partner } = visit.call.params;
  const found = await ask<Static<typeof FeedList>>(visit, { id: "list_feeds" });
  if (!found.ok) return notDone(visit, ORIGIN, "Accept a shorter list", found.error);
  const feed = found.data.items.find((each) => each.partner === partner);
  const listed = feed?.published?.hotel_list.listings ?? 0;
  const { detail = null } = feed?.failed_run ?? {};
  return askedPage(visit, {
    ...{ ...ORIGIN, title: "Accept a shorter list?", about: feed?.title ?? partner },
    ...{ to: `${PATH}/${partner}/accept`, button: "Build and publish it" },
    children: (
      <>
        <p>
          {plural(listed, "property", "properties")} are published now. The next build is published
          however few it lists; partners remove from sale what is not listed.
        </p>
        {detail !== null && <p>The last build failed: {detail}</p>}
      </>
    ),
  });
}

/** Asks for a build, which goes on after the answer. */
function build(accept_shrink: boolean) {
  return async (visit: AtPartner, sent: Form): Promise<Shown | Gone> => {
    const { partner } = visit.call.params;
    const answer = await ask<Run>(visit, {
      ...{ id: "run_feed", params: { partner }, body: { accept_shrink } },
      headers: keyHeader(sent),
    });
    if (!answer.ok) return notDone(visit, ORIGIN, "Build: not done", answer.error);
    return { goTo: PATH };
  };
}

const AT = { params: { partner: PARTNER } } as const;

export const feedPageRoutes = [
  page({ id: "console_feeds", path: PATH, summary: "Feeds" }, show),
  page({ ...AT, id: "console_feed_runs", path: `${PATH}/:partner`, summary: "Builds" }, showRuns),
  form(
    { ...AT, id: "console_build_feed", path: `${PATH}/:partner/build`, summary: "Build a feed" },
    build(false),
  ),
  page(
    {
      ...{ ...AT, id: "console_ask_shorter_feed", path: `${PATH}/:partner/accept` },
      summary: "Accept a shorter list?",
    },
    askShorter,
  ),
  form(
    {
      ...{ ...AT, id: "console_shorter_feed", path: `${PATH}/:partner/accept` },
      summary: "Accept a shorter list",
    },
    build(true),
  ),
];
