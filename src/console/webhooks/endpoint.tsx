/** A webhook endpoint: how it stands, its deliveries, and what can be done with it. */
import type { Static } from "@sinclair/typebox";
import { pathId } from "../../api/parameters.ts";
import type { WebhookEndpoint } from "../../api/webhooks/responses.ts";
import { type Answered, ask } from "../frame/api.ts";
import { form, page } from "../frame/console-route.ts";
import { type Form, keyHeader } from "../frame/form.ts";
import { notDone } from "../frame/not-done.tsx";
import { ActionForm, At, Crumbs, Fact, Live, Problem, wordsOf } from "../frame/parts.tsx";
import type { Gone, Origin, Shown } from "../frame/shown.ts";
import type { Visit } from "../frame/visit.ts";
import { deliveriesBy } from "./delivery-list.ts";
import { DeliveryTable, isOpen } from "./delivery-table.tsx";
import { Latency, type Stats, Succeeded, statsOf } from "./endpoint-stats.tsx";
import { type Endpoint, Standing } from "./webhooks.tsx";

const PATH = "/console/webhooks";
const SHOWN = "20";

type AtEndpoint = Visit<"id">;

/** The way back from a deed at an endpoint. */
export function endpointOrigin({ call }: AtEndpoint): Origin {
  const back = `${PATH}/${call.params.id}`;
  return { place: "webhooks", back, backName: "Back to the endpoint" };
}

/** The endpoint of the path. */
export function endpointOf(visit: AtEndpoint): Promise<Answered<Endpoint>> {
  const { id } = visit.call.params;
  return ask<Static<typeof WebhookEndpoint>>(visit, { id: "get_webhook", params: { id } });
}

async function show(visit: AtEndpoint): Promise<Shown> {
  const found = await endpointOf(visit);
  const origin = { place: "webhooks", back: PATH, backName: "Webhooks" } as const;
  if (!found.ok) return notDone(visit, origin, "Endpoint", found.error);
  const { endpoint_id } = found.data;
  const [stats, recent] = await Promise.all([
    statsOf(visit, endpoint_id),
    deliveriesBy(visit, { endpoint_id, limit: SHOWN }),
  ]);
  const items = recent.ok ? recent.data.items : [];
  const main = (
    <>
      <Crumbs to={visit.root + PATH}>Webhooks</Crumbs>
      <Live id="endpoint" kinds="*" isWaiting={items.some(isOpen)}>
        <EndpointHead visit={visit} endpoint={found.data} stats={stats} />
        <h2>
          Deliveries <span class="faint">the last {SHOWN}</span>
        </h2>
        {!recent.ok && <Problem error={recent.error} />}
        {recent.ok && items.length === 0 && <p class="faint">None yet.</p>}
        {items.length > 0 && (
          <DeliveryTable root={visit.root} label="Deliveries" deliveries={items} />
        )}
        <p>
          <a href={`${visit.root}/console/deliveries?endpoint_id=${endpoint_id}`}>All of them</a>
        </p>
      </Live>
    </>
  );
  return { title: "Endpoint", place: "webhooks", main };
}

interface HeadOf {
  readonly visit: AtEndpoint;
  readonly endpoint: Endpoint;
  readonly stats: Answered<Stats>;
}

function EndpointHead({ visit, endpoint, stats }: HeadOf) {
  const { url, description, events, ordering, scopes, secret_hint } = endpoint;
  return (
    <>
      <h1>
        <bdi>{url}</bdi>
      </h1>
      <p class="lead">
        <Standing endpoint={endpoint} />
        {description !== null && (
          <>
            {" "}
            · <bdi>{description}</bdi>
          </>
        )}
      </p>
      <Deeds visit={visit} endpoint={endpoint} stats={stats} />
      {!stats.ok && <Problem error={stats.error} />}
      <dl>
        <Fact name="Succeeded, last day">
          <Succeeded stats={stats} />
        </Fact>
        <Fact name="Response time">
          <Latency stats={stats} />
        </Fact>
        {stats.ok && <Fact name="Waiting">{stats.data.open}</Fact>}
        <Fact name="Last ping">
          <Ping endpoint={endpoint} />
        </Fact>
        <Fact name="Events">{events.join(", ")}</Fact>
        <Fact name="Order">{wordsOf(ordering)}</Fact>
        <Fact name="Guests">{scopes.includes("bookings:read") ? "named" : "not named"}</Fact>
        <Fact name="Secret">
          <code>{secret_hint}</code>
        </Fact>
        <Limits endpoint={endpoint} />
      </dl>
    </>
  );
}

function Ping({ endpoint: { ping, format } }: { readonly endpoint: Endpoint }) {
  if (ping === null) return <>{format === "json" ? "none yet" : "none: partners take no ping"}</>;
  const failure = `failed: ${wordsOf(ping.reason ?? "")} ${ping.status ?? ""}`.trimEnd();
  return (
    <>
      {ping.ok ? "answered" : failure} <At instant={ping.at} zone="UTC" />
    </>
  );
}

function Limits({ endpoint }: { readonly endpoint: Endpoint }) {
  const { property_ids, max_in_flight, max_per_s, retiring_secrets, headers, format } = endpoint;
  const own = Object.keys(headers);
  return (
    <>
      {format !== "json" && <Fact name="Format">{format}</Fact>}
      <Fact name="Properties">{property_ids === null ? "all" : property_ids.length}</Fact>
      <Fact name="At once">{max_in_flight}</Fact>
      {max_per_s !== null && <Fact name="Each second">{max_per_s}</Fact>}
      {own.length > 0 && <Fact name="Own headers">{own.join(", ")}</Fact>}
      {retiring_secrets.map(({ secret_hint, retire_at }) => (
        <Fact name="Replaced secret">
          <code>{secret_hint}</code> signs until <At instant={retire_at} zone="UTC" />
        </Fact>
      ))}
    </>
  );
}

function Deeds({ visit, endpoint, stats }: HeadOf) {
  const { endpoint_id, state } = endpoint;
  const path = `${PATH}/${endpoint_id}`;
  const dead = stats.ok ? stats.data.dead_letters : 0;
  return (
    <div class="deeds">
      <ActionForm visit={visit} to={`${path}/test`}>
        <button type="submit">Send a test</button>
      </ActionForm>
      {state === "active" ? (
        <ActionForm visit={visit} to={`${path}/pause`}>
          <button type="submit" class="quiet">
            Pause
          </button>
        </ActionForm>
      ) : (
        <ActionForm visit={visit} to={`${path}/resume`}>
          <button type="submit">Resume</button>
        </ActionForm>
      )}
      <a class="button" href={`${visit.root}${path}/rotate-secret`}>
        Replace the secret…
      </a>
      {dead > 0 && (
        <>
          <a class="button" href={`${visit.root}${PATH}/dead-letters?endpoint_id=${endpoint_id}`}>
            Dead letters: {dead}
          </a>
          <a class="button" href={`${visit.root}${path}/recover`}>
            Recover since…
          </a>
        </>
      )}
    </div>
  );
}

/** A state that the API sets by itself; a resumed endpoint may stay paused, as its ping says. */
function become(name: "pause" | "resume") {
  return async (visit: AtEndpoint, sent: Form): Promise<Shown | Gone> => {
    const { id } = visit.call.params;
    const answer = await ask(visit, {
      ...{ id: `${name}_webhook`, params: { id }, body: {}, headers: keyHeader(sent) },
    });
    const title = name === "pause" ? "Pause" : "Resume";
    if (!answer.ok)
      return notDone(visit, endpointOrigin(visit), `${title}: not done`, answer.error);
    return { goTo: `${PATH}/${id}` };
  };
}

const AT = { params: { id: pathId("Id of the endpoint.") } } as const;

export const endpointRoutes = [
  page({ ...AT, id: "console_webhook", path: `${PATH}/:id`, summary: "An endpoint" }, show),
  form(
    { ...AT, id: "console_pause_webhook", path: `${PATH}/:id/pause`, summary: "Pause" },
    become("pause"),
  ),
  form(
    { ...AT, id: "console_resume_webhook", path: `${PATH}/:id/resume`, summary: "Resume" },
    become("resume"),
  ),
];
