/** Recovery of an endpoint's dead letters since an instant: counted, confirmed, followed. */
import type { Static } from "@sinclair/typebox";
import type { Recovery } from "../../api/deliveries/responses.ts";
import { pathId } from "../../api/parameters.ts";
import { ask } from "../frame/api.ts";
import { askedPage } from "../frame/asked.tsx";
import { form, page, textQuery } from "../frame/console-route.ts";
import { type Form, keyHeader } from "../frame/form.ts";
import { notDone } from "../frame/not-done.tsx";
import { At, Crumbs, Live, plural, State } from "../frame/parts.tsx";
import type { Gone, Shown } from "../frame/shown.ts";
import type { Visit } from "../frame/visit.ts";
import { endpointOf, endpointOrigin } from "./endpoint.tsx";
import type { Endpoint } from "./webhooks.tsx";

const PATH = "/console/webhooks";
const LOCAL = /^\d{4}-\d\d-\d\dT\d\d:\d\d$/;

type AtEndpoint = Visit<"id">;

/** Without an instant it asks for one; with one it counts, and asks whether to go on. */
async function askRecovery(visit: AtEndpoint): Promise<Shown> {
  const origin = endpointOrigin(visit);
  const found = await endpointOf(visit);
  if (!found.ok) return notDone(visit, origin, "Recover dead letters", found.error);
  const since = visit.call.query.get("since") ?? "";
  return since === "" ? askSince(visit, found.data) : count(visit, found.data, instantOf(since));
}

/** Inputs of dates and times have no zone: it is UTC. */
function instantOf(typed: string): string {
  return LOCAL.test(typed) ? `${typed}:00Z` : typed;
}

function askSince(visit: AtEndpoint, { url, oldest_dead_letter_at }: Endpoint): Shown {
  const { back, backName } = endpointOrigin(visit);
  const main = (
    <>
      <Crumbs to={visit.root + back}>{backName}</Crumbs>
      <h1>Recover dead letters</h1>
      <p class="lead">
        <bdi>{url}</bdi>
      </p>
      {oldest_dead_letter_at === null ? (
        <p>It has no dead letter.</p>
      ) : (
        <form method="get" action={`${visit.root}${back}/recover`} class="card">
          <label>
            Made since (UTC); the oldest is of this minute
            <input
              type="datetime-local"
              name="since"
              required
              value={oldest_dead_letter_at.slice(0, 16)}
            />
          </label>
          <button type="submit">Count them</button>
        </form>
      )}
    </>
  );
  return { title: "Recover dead letters", place: "webhooks", main };
}

/** The confirmation has the end that was counted to: later dead letters are not recovered. */
async function count(visit: AtEndpoint, endpoint: Endpoint, since: string): Promise<Shown> {
  const origin = endpointOrigin(visit);
  const counted = await ask<Static<typeof Recovery>>(visit, {
    id: "recover_webhook",
    params: { id: endpoint.endpoint_id },
    body: { since, dry_run: true },
  });
  if (!counted.ok) {
    return { ...notDone(visit, origin, "Nothing was counted", counted.error), status: 409 };
  }
  const { deliveries, until } = counted.data;
  const letters = plural(deliveries, "dead letter");
  return askedPage(visit, {
    ...origin,
    ...{ title: `Replay ${letters}?`, about: endpoint.url },
    ...{ to: `${origin.back}/recover`, button: `Replay ${letters}` },
    children: (
      <>
        <p>
          Made from <At instant={since} zone="UTC" /> to <At instant={until} zone="UTC" />, UTC.
          Each is sent again with the <code>webhook-id</code> of its event.
        </p>
        <input type="hidden" name="since" value={since} />
        <input type="hidden" name="until" value={until} />
      </>
    ),
  });
}

async function recover(visit: AtEndpoint, sent: Form): Promise<Shown | Gone> {
  const { id } = visit.call.params;
  const body = { since: sent.get("since") ?? "", until: sent.get("until") ?? "" };
  const made = await ask<Static<typeof Recovery>>(visit, {
    ...{ id: "recover_webhook", params: { id }, body, headers: keyHeader(sent) },
  });
  if (!made.ok) return notDone(visit, endpointOrigin(visit), "Recovery: not done", made.error);
  return { goTo: `${PATH}/${id}/recoveries/${made.data.recovery_id}` };
}

async function follow(visit: Visit<"id" | "recovery">): Promise<Shown> {
  const { id, recovery } = visit.call.params;
  const origin = endpointOrigin(visit);
  const found = await ask<Static<typeof Recovery>>(visit, {
    ...{ id: "get_webhook_recovery", params: { id, recovery } },
  });
  if (!found.ok) return notDone(visit, origin, "Recovery", found.error);
  const { state, since, until, deliveries, progress, created_at } = found.data;
  const query = new URLSearchParams({ endpoint_id: id, since: created_at ?? since });
  const main = (
    <>
      <Crumbs to={visit.root + origin.back}>{origin.backName}</Crumbs>
      <Live id="recovery" kinds="webhook." isWaiting={state === "running"}>
        <h1>
          Recovery <State state={state} />
        </h1>
        <p>
          <progress max={Math.max(1, progress.of)} value={progress.done} aria-label="Progress" />{" "}
          {progress.done} of {progress.of}; {plural(deliveries, "new delivery", "new deliveries")}
        </p>
        <p class="faint">
          From <At instant={since} zone="UTC" /> to <At instant={until} zone="UTC" />, UTC
        </p>
        <p>
          <a href={`${visit.root}/console/deliveries?${query}`}>The new deliveries</a>
        </p>
      </Live>
    </>
  );
  return { title: "Recovery", place: "webhooks", main };
}

const ID = pathId("Id of the endpoint.");
const RECOVER = `${PATH}/:id/recover` as const;

export const recoverRoutes = [
  page(
    {
      id: "console_ask_recover",
      path: RECOVER,
      summary: "Recover dead letters?",
      params: { id: ID },
      query: { since: textQuery("The first instant.") },
    },
    askRecovery,
  ),
  form(
    { id: "console_recover", path: RECOVER, summary: "Recover dead letters", params: { id: ID } },
    recover,
  ),
  page(
    {
      id: "console_recovery",
      path: `${PATH}/:id/recoveries/:recovery`,
      summary: "A recovery",
      params: { id: ID, recovery_id: pathId("Id of the recovery.") },
    },
    follow,
  ),
];
