/** `/v1/admin/feeds`: state of the tenant's feeds, and manual builds. */
import { type Static, Type } from "@sinclair/typebox";
import { PARTNERS, profileOf } from "../../../feeds/partners.ts";
import type { Profile } from "../../../feeds/profiles/profile.ts";
import { LIST_FEEDS } from "../../actions/steps.ts";
import { type Refusal, refuse, type Success, unknownId } from "../../http/answer.ts";
import type { Call } from "../../http/call.ts";
import { type ControlOutcome, controlWrite, requestKeyOf } from "../../http/control-write.ts";
import { route } from "../../http/route.ts";
import { BodyKey, closed } from "../../http/schema/request-parts.ts";
import { json } from "../../http/validate.ts";
import { isBusy } from "../../lib/store-file.ts";
import { pathId } from "../parameters.ts";
import { PARTNER, unknownPartner } from "./partner.ts";
import { FEEDS, feedOut, runActions, runOut } from "./records.ts";
import { FeedList, FeedRun, FeedRunList } from "./responses.ts";

const ACCESS = { kinds: ["operator"], scope: "admin:feeds", touches: "tenant" } as const;
/** Runs listed; older ones are deleted. */
const RUNS_MAX = 100;
const LIVE_ONLY = "Feeds contain live properties only: use a credential of mode live.";

type AtPartner<B = unknown> = Call<B, "partner">;

function isLive({ principal }: Call): boolean {
  return principal.mode === "live";
}

function list(call: Call): Success {
  if (!isLive(call)) return { ok: true, data: { items: [], note: LIVE_ONLY } };
  const { tenant_id } = call.principal;
  const kept = new Map(call.context.feeds.feedsOf(tenant_id).map((feed) => [feed.partner, feed]));
  const items = PARTNERS.map((name) => feedOut(call, profileOf(name)!, kept.get(name)));
  return { ok: true, data: { items, note: null } };
}

/** The profile of the path, or 404 with the known partners. */
function profileAt(call: AtPartner): Profile | Refusal {
  return profileOf(call.params.partner) ?? unknownPartner([LIST_FEEDS]);
}

function runs(call: AtPartner): Success | Refusal {
  const profile = profileAt(call);
  if ("code" in profile) return profile;
  if (!isLive(call)) return { ok: true, data: { items: [] } };
  const { tenant_id } = call.principal;
  const found = call.context.feeds.runsOf(tenant_id, profile.name, RUNS_MAX);
  return { ok: true, data: { items: found.map(runOut) } };
}

function run(call: Call<unknown, "partner" | "run">): Success | Refusal {
  const profile = profileAt(call);
  if ("code" in profile) return profile;
  const { tenant_id } = call.principal;
  const found = call.context.feeds.run(call.params.run);
  const isOwn = found?.tenant_id === tenant_id && found.partner === profile.name && isLive(call);
  if (!found || !isOwn) return unknownId("/run_id", "the id of a run of this feed", LIST_FEEDS);
  return { ok: true, data: runOut(found), actions: runActions(call, found) };
}

const RunBody = closed({
  accept_shrink: Type.Optional(
    Type.Boolean({ description: "true to publish even with far fewer listings than before" }),
  ),
  idempotency_key: BodyKey,
});

async function build(call: AtPartner<Static<typeof RunBody>>): Promise<ControlOutcome> {
  const { context, principal } = call;
  const profile = profileAt(call);
  if ("code" in profile) return profile;
  if (!isLive(call)) return refuse("forbidden", { reason: "live_mode_only" });
  const { accept_shrink = false } = call.body;
  const asked = { accept_shrink, requestKey: requestKeyOf(call), nowMs: context.engineNow() };
  return controlWrite(call, () => {
    try {
      const made = context.feeds.request(principal.tenant_id, profile.name, "operator", asked);
      return { ok: true, status: 202, data: runOut(made), actions: runActions(call, made) };
    } catch (error) {
      if (!isBusy(error)) throw error;
      return refuse("upstream_unavailable", { upstream: "feeds" });
    }
  });
}

const ADMIN = { tag: "Feeds", access: ACCESS } as const;
const AT_PARTNER = { ...ADMIN, params: { partner: PARTNER }, hasUnlistedIds: true } as const;
const RUNS = `${FEEDS}/:partner/runs` as const;

export const feedAdminRoutes = [
  route({
    ...ADMIN,
    id: "list_feeds",
    method: "GET",
    path: FEEDS,
    summary: "Get the state of the partner feeds",
    description:
      "Every partner with the addresses of its documents and the published feed: its last event, " +
      "age, size, contents and omitted properties; also the run in progress, and the last run if " +
      "it failed.",
    success: { status: 200, description: "The partners.", data: FeedList },
    errors: [],
    handle: list,
  }),
  route({
    ...AT_PARTNER,
    id: "list_feed_runs",
    method: "GET",
    path: RUNS,
    summary: "List the runs of a feed",
    description: `The last ${RUNS_MAX}, newest first.`,
    success: { status: 200, description: "The runs.", data: FeedRunList },
    errors: [],
    handle: runs,
  }),
  route({
    ...AT_PARTNER,
    id: "run_feed",
    method: "POST",
    path: RUNS,
    summary: "Build a feed now",
    description:
      "Builds the current state and publishes it if it passes the checks. A feed with more than " +
      "a tenth fewer properties than before is rejected, unless `accept_shrink` is true. A run " +
      "that is already waiting is shared.",
    key: "accepted",
    body: json(RunBody),
    isBodyOptional: true,
    success: { status: 202, description: "The run.", data: FeedRun },
    errors: ["forbidden"],
    handle: build,
  }),
  route({
    ...ADMIN,
    id: "get_feed_run",
    method: "GET",
    path: `${RUNS}/:run`,
    summary: "Get a run",
    description: "Its progress and result.",
    params: { partner: PARTNER, run_id: pathId("Id of the run.") },
    hasUnlistedIds: true,
    success: { status: 200, description: "The run.", data: FeedRun },
    errors: [],
    handle: run,
  }),
];
