/** Webhook endpoints: how each stands, and a new one. */
import type { Static } from "@sinclair/typebox";
import type {
  WebhookEndpointList,
  WebhookEndpointWithSecret,
} from "../../api/webhooks/responses.ts";
import { type Answered, ask } from "../frame/api.ts";
import { form, page } from "../frame/console-route.ts";
import { type Form, keyHeader } from "../frame/form.ts";
import { notDone } from "../frame/not-done.tsx";
import { ActionForm, Live, Problem, Rows, State, wordsOf } from "../frame/parts.tsx";
import { secretPage } from "../frame/secret.tsx";
import type { Shown } from "../frame/shown.ts";
import type { Visit } from "../frame/visit.ts";
import { Latency, type Stats, Succeeded, statsOf } from "./endpoint-stats.tsx";

export type Endpoint = Static<typeof WebhookEndpointList>["items"][number];
type Counted = Endpoint & { readonly stats: Answered<Stats> };

const PATH = "/console/webhooks";

async function show(visit: Visit): Promise<Shown> {
  const found = await ask<Static<typeof WebhookEndpointList>>(visit, { id: "list_webhooks" });
  const items = found.ok ? found.data.items : [];
  const counted = await Promise.all(
    items.map(async (each) => ({ ...each, stats: await statsOf(visit, each.endpoint_id) })),
  );
  const main = (
    <>
      <h1>Webhooks</h1>
      <p class="crumbs">
        <a href={`${visit.root}/console/webhooks/dead-letters`}>Dead letters</a> ·{" "}
        <a href={`${visit.root}/console/deliveries`}>All deliveries</a>
      </p>
      {found.ok ? (
        <Live id="endpoints" kinds="*">
          {items.length === 0 && <p>No endpoint yet.</p>}
          {items.length > 0 && <Endpoints root={visit.root} endpoints={counted} />}
        </Live>
      ) : (
        <Problem error={found.error} />
      )}
      <NewEndpoint visit={visit} />
    </>
  );
  return { title: "Webhooks", place: "webhooks", main };
}

/** Why an endpoint does not receive: `ping failed`. */
export function Standing({ endpoint }: { readonly endpoint: Endpoint }) {
  const { state, paused_reason, disabled_reason, failing_since } = endpoint;
  const reason = paused_reason ?? disabled_reason;
  return (
    <>
      <State state={state} />
      {reason !== null && ` ${reason === "operator" ? "by an operator" : wordsOf(reason)}`}
      {failing_since !== null && (
        <>
          {" "}
          <span class="chip warn">failing</span>
        </>
      )}
    </>
  );
}

function Endpoints({ root, endpoints }: { root: string; readonly endpoints: readonly Counted[] }) {
  const letters = (id: string) => `${root}${PATH}/dead-letters?endpoint_id=${id}`;
  return (
    <Rows
      label="Endpoints"
      rows={endpoints}
      keyOf={({ endpoint_id }) => endpoint_id}
      columns={[
        {
          head: "Endpoint",
          cell: ({ endpoint_id, url, description }) => (
            <>
              <a href={`${root}${PATH}/${endpoint_id}`}>
                <bdi>{url}</bdi>
              </a>
              {description !== null && (
                <div class="faint">
                  <bdi>{description}</bdi>
                </div>
              )}
            </>
          ),
        },
        { head: "State", cell: (endpoint) => <Standing endpoint={endpoint} /> },
        { head: "Succeeded, last day", cell: ({ stats }) => <Succeeded stats={stats} /> },
        { head: "Response time", cell: ({ stats }) => <Latency stats={stats} /> },
        {
          head: "Waiting",
          isNumber: true,
          cell: ({ stats }) => (stats.ok ? stats.data.open : "—"),
        },
        {
          head: "Dead letters",
          isNumber: true,
          cell: ({ endpoint_id, stats }) =>
            stats.ok ? <a href={letters(endpoint_id)}>{stats.data.dead_letters}</a> : "—",
        },
      ]}
    />
  );
}

function NewEndpoint({ visit }: { readonly visit: Visit }) {
  return (
    <>
      <h2 id="new">New endpoint</h2>
      <ActionForm visit={visit} to={PATH} class="card">
        <label>
          Address, https
          <input type="url" name="url" required maxlength={2048} placeholder="https://" />
        </label>
        <label>
          Kinds of events, separated by commas; * for all
          <input name="events" value="*" required />
        </label>
        <label>
          Description
          <input name="description" maxlength={200} />
        </label>
        <label class="tick">
          <input type="checkbox" name="guests" value="yes" /> Events name the guests of bookings
        </label>
        <label class="tick">
          <input type="checkbox" name="in_order" value="yes" /> Events of one subject in their
          order: one waits until the one before was delivered
        </label>
        <p class="faint">
          A ping is sent to it, and must be answered within 5 seconds; otherwise it stays paused.
          Own headers, properties, limits and formats of partners are set by the API.
        </p>
        <button type="submit">Create</button>
      </ActionForm>
    </>
  );
}

function bodyOf(sent: Form) {
  const text = (name: string) => (sent.get(name) ?? "").trim();
  const events = text("events").split(/[\s,]+/);
  return {
    url: text("url"),
    events: events.filter((kind) => kind !== ""),
    description: text("description") || null,
    scopes: sent.get("guests") === "yes" ? ["bookings:read"] : [],
    ordering: sent.get("in_order") === "yes" ? "per_subject" : "none",
  };
}

async function create(visit: Visit, sent: Form): Promise<Shown> {
  const made = await ask<Static<typeof WebhookEndpointWithSecret>>(visit, {
    ...{ id: "create_webhook", body: bodyOf(sent), headers: keyHeader(sent) },
  });
  const origin = { place: "webhooks", back: PATH, backName: "Webhooks" } as const;
  if (!made.ok) return notDone(visit, origin, "New endpoint: not done", made.error);
  const { endpoint_id, url, secret } = made.data;
  return secretPage({
    ...{ title: "Endpoint created", place: "webhooks", of: url, secret },
    use: "The receiver verifies the signature of each delivery with it.",
    ...{ back: `${visit.root}${PATH}/${endpoint_id}`, backName: "To the endpoint" },
  });
}

export const webhookPageRoutes = [
  page({ id: "console_webhooks", path: PATH, summary: "Webhooks" }, show),
  form({ id: "console_create_webhook", path: PATH, summary: "Create an endpoint" }, create),
];
