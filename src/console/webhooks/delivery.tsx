/** A delivery: its attempts with the receiver's answers, and what is sent. */
import type { Static } from "@sinclair/typebox";
import { REASONS } from "../../../jobs/webhooks/store/delivery.ts";
import type { DeliveryDetail } from "../../api/deliveries/responses.ts";
import { ActionForm, At, Fact, Live, plural, State } from "../frame/parts.tsx";
import type { Visit } from "../frame/visit.ts";
import { failureOf, isOpen } from "./delivery-table.tsx";

type Detail = Static<typeof DeliveryDetail>;
type Attempt = Detail["attempts"][number];
type Headers = Readonly<Record<string, string>>;

interface ViewOf {
  readonly visit: Visit<"id">;
  readonly delivery: Detail;
  /** Of the endpoint; null when it cannot be read. */
  readonly address: string | null;
}

/** The whole of a delivery; it renews itself while attempts are to come. */
export function DeliveryView({ visit, delivery, address }: ViewOf) {
  const { root } = visit;
  const { kind, state, delivery_id, endpoint_id, subject, webhook_id } = delivery;
  const events = `${root}/console/events?${new URLSearchParams({ subject })}`;
  return (
    <>
      <p class="crumbs">
        <a href={`${root}/console/webhooks`}>Webhooks</a> ·{" "}
        <a href={`${root}/console/webhooks/dead-letters`}>Dead letters</a>
      </p>
      <Live id="delivery" kinds="webhook." isWaiting={isOpen(delivery)}>
        <h1>
          <code>{kind}</code> <State state={state} />
        </h1>
        <p class="lead">
          to{" "}
          <a href={`${root}/console/webhooks/${endpoint_id}`}>
            <bdi>{address ?? endpoint_id}</bdi>
          </a>{" "}
          · about{" "}
          <a href={events}>
            <code>{subject}</code>
          </a>
        </p>
        <Outcome root={root} delivery={delivery} />
        <Deeds visit={visit} delivery={delivery} />
        <dl>
          <Fact name="Event">
            <code>{webhook_id}</code>
          </Fact>
          <Fact name="Delivery">
            <code>{delivery_id}</code>
          </Fact>
          <Fact name="Happened (UTC)">
            <At instant={delivery.event_at} zone="UTC" />
          </Fact>
          {delivery.next_attempt_at !== null && (
            <Fact name="Next attempt (UTC)">
              <At instant={delivery.next_attempt_at} zone="UTC" />
            </Fact>
          )}
        </dl>
        <Attempts attempts={delivery.attempts} />
        <Request request={delivery.request} />
      </Live>
    </>
  );
}

/** What became of it, in words. */
function Outcome({ root, delivery }: { readonly root: string; readonly delivery: Detail }) {
  const { state, reason, replay_of, replayed_as, discard_reason } = delivery;
  const to = (id: string) => `${root}/console/deliveries/${id}`;
  const meaning = reason !== null && Object.entries(REASONS).find(([name]) => name === reason)?.[1];
  return (
    <>
      {meaning && state !== "succeeded" && (
        <p>
          <b>{failureOf(delivery)}:</b> {meaning}
        </p>
      )}
      {discard_reason !== null && (
        <p>
          <b>Discarded:</b> <bdi>{discard_reason}</bdi>
        </p>
      )}
      {replay_of !== null && (
        <p>
          Repeats an <a href={to(replay_of)}>earlier delivery</a>.
        </p>
      )}
      {replayed_as !== null && (
        <p>
          Repeated by a <a href={to(replayed_as)}>later delivery</a>.
        </p>
      )}
    </>
  );
}

/** Replays are offered once attempts have ended; a discarded delivery stays readable. */
function Deeds({ visit, delivery }: { readonly visit: Visit<"id">; readonly delivery: Detail }) {
  const path = `/console/deliveries/${delivery.delivery_id}`;
  const mayDiscard = delivery.state !== "succeeded" && delivery.state !== "cancelled";
  return (
    <div class="deeds">
      {!isOpen(delivery) && (
        <ActionForm visit={visit} to={`${path}/replay`}>
          <button type="submit">Replay</button>
        </ActionForm>
      )}
      {mayDiscard && (
        <details>
          <summary>Discard…</summary>
          <ActionForm visit={visit} to={`${path}/discard`} class="card">
            <label>
              Why it is no longer needed
              <input name="reason" required maxlength={200} />
            </label>
            <button type="submit" class="danger">
              Discard
            </button>
          </ActionForm>
        </details>
      )}
    </div>
  );
}

function Attempts({ attempts }: { readonly attempts: readonly Attempt[] }) {
  return (
    <>
      <h2>
        Attempts <span class="faint">{attempts.length}</span>
      </h2>
      {attempts.length === 0 && <p class="faint">None yet.</p>}
      <ol class="attempts">
        {attempts.toReversed().map((attempt) => (
          <li id={`attempt-${attempt.nth}`} value={attempt.nth}>
            <At instant={attempt.at} zone="UTC" /> ·{" "}
            <b>{attempt.reason === null ? `taken (${attempt.status})` : failureOf(attempt)}</b> ·{" "}
            {attempt.latency_ms} ms
            {attempt.address !== null && (
              <>
                {" "}
                · <code>{attempt.address}</code>
              </>
            )}
            <details>
              <summary>Request and answer of attempt {attempt.nth}</summary>
              <p class="faint">
                For the receiver's log: <code>{attempt.request_id}</code>
              </p>
              <Lines name="Request headers" text={linesOf(attempt.request_headers)} />
              <Lines name="Answer's headers" text={linesOf(attempt.response_headers)} />
              <Lines name="Answer, its first KiB" text={attempt.excerpt} />
            </details>
          </li>
        ))}
      </ol>
    </>
  );
}

function linesOf(headers: Headers): string {
  return Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join("\n");
}

function Lines({ name, text }: { readonly name: string; readonly text: string }) {
  return (
    <>
      <h3>{name}</h3>
      {text === "" ? (
        <p class="faint">None shown.</p>
      ) : (
        <pre>
          <code>{text}</code>
        </pre>
      )}
    </>
  );
}

function Request({ request }: { readonly request: Detail["request"] }) {
  if (request === null) {
    return (
      <>
        <h2>What is sent</h2>
        <p class="faint">
          Not shown: the endpoint is deleted, the event is gone, or it may name a guest and your
          rights do not include bookings.
        </p>
      </>
    );
  }
  const { url, headers, body, curl } = request;
  return (
    <>
      <h2>What the next attempt would send</h2>
      <p>
        POST <bdi>{url}</bdi> <span class="faint">{plural(body.length, "character")}</span>
      </p>
      <Lines name="Body" text={body} />
      <details>
        <summary>Headers, and the same as a command</summary>
        <Lines name="Headers" text={linesOf(headers)} />
        <Lines name="Command" text={curl} />
      </details>
    </>
  );
}
