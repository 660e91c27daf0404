/** Dead letters of the tenant: found, read and replayed, one or several. */
import { REASONS } from "../../../jobs/webhooks/store/delivery.ts";
import { type ApiError, ask } from "../frame/api.ts";
import { Choice, optionsOf } from "../frame/choice.tsx";
import { form, page } from "../frame/console-route.ts";
import { type Form, keyHeader } from "../frame/form.ts";
import { notTaken } from "../frame/not-taken.tsx";
import { Next } from "../frame/pages.tsx";
import { ActionForm, Crumbs, Problem, plural } from "../frame/parts.tsx";
import type { Gone, Shown } from "../frame/shown.ts";
import type { Visit } from "../frame/visit.ts";
import { addressesOf, deliveriesBy, FILTER, filterOf, nextPage, SHOWN } from "./delivery-list.ts";
import { type Delivery, DeliveryTable } from "./delivery-table.tsx";

const PATH = "/console/webhooks/dead-letters";
/** Beginning of a checkbox's name; the delivery's id follows. */
const PICKED = "pick_";

type Addresses = ReadonlyMap<string, string>;

/** Not renewed by itself: that would take back what has been selected. */
async function show(visit: Visit): Promise<Shown> {
  const { root } = visit;
  const filter = filterOf(visit);
  const [found, addresses] = await Promise.all([
    deliveriesBy(visit, { ...filter, unhandled: "true" }),
    addressesOf(visit),
  ]);
  const next = nextPage(found, filter);
  const main = (
    <>
      <Crumbs to={`${root}/console/webhooks`}>Webhooks</Crumbs>
      <h1>Dead letters</h1>
      <p class="lead">Deliveries that failed at every attempt, newest first.</p>
      <Filter visit={visit} addresses={addresses} />
      {!found.ok && <Problem error={found.error} />}
      {found.ok && (
        <Letters
          visit={visit}
          letters={found.data.items}
          addresses={addresses}
          endpointId={filter.endpoint_id ?? null}
        />
      )}
      <Next path={root + PATH} next={next} />
    </>
  );
  return { title: "Dead letters", place: "webhooks", main };
}

function Filter({ visit, addresses }: { readonly visit: Visit; readonly addresses: Addresses }) {
  const { root, call } = visit;
  const value = (name: string) => call.query.get(name) ?? "";
  return (
    <form method="get" action={root + PATH} class="filter">
      <Choice
        {...{ label: "Endpoint", name: "endpoint_id", any: "Any", options: [...addresses] }}
        chosen={value("endpoint_id")}
      />
      <Choice
        {...{ label: "Failed because", name: "reason", any: "Any", chosen: value("reason") }}
        options={optionsOf(Object.keys(REASONS))}
      />
      <label>
        Kinds, separated by commas
        <input name="kinds" value={value("kinds")} placeholder="booking.confirmed" />
      </label>
      <button type="submit">Show</button>
    </form>
  );
}

interface LettersOf {
  readonly visit: Visit;
  readonly letters: readonly Delivery[];
  readonly addresses: Addresses;
  readonly endpointId: string | null;
}

function Letters({ visit, letters, addresses, endpointId }: LettersOf) {
  if (letters.length === 0) return <p>No dead letter here.</p>;
  const of = endpointId ?? (addresses.size === 1 ? [...addresses.keys()][0]! : null);
  const first = {
    head: "Select",
    cell: ({ delivery_id, kind, subject }: Delivery) => (
      <input
        type="checkbox"
        name={PICKED + delivery_id}
        value="yes"
        aria-label={`Select ${kind} about ${subject}`}
      />
    ),
  };
  return (
    <ActionForm visit={visit} to={`${PATH}/replay`}>
      <div class="deeds">
        <button type="submit">Replay the selected</button>
        {of !== null && (
          <a class="button" href={`${visit.root}/console/webhooks/${of}/recover`}>
            Recover since…
          </a>
        )}
      </div>
      <DeliveryTable
        root={visit.root}
        label="Dead letters"
        deliveries={letters}
        addresses={addresses}
        first={first}
      />
    </ActionForm>
  );
}

interface Refused {
  readonly deliveryId: string;
  readonly error: ApiError;
}

/** Replays each, and leads to the new deliveries. Sent twice, each is still replayed once. */
async function replaySelected(visit: Visit, sent: Form): Promise<Shown | Gone> {
  const ids = [...sent.keys()].filter((name) => name.startsWith(PICKED));
  // More than a page has: each is a call of the API, but the visit is charged once.
  if (ids.length > SHOWN) return notTaken();
  if (ids.length === 0) return nothingSelected(visit);
  const made: Delivery[] = [];
  const refused: Refused[] = [];
  for (const deliveryId of ids.map((name) => name.slice(PICKED.length))) {
    const answer = await ask<Delivery>(visit, {
      id: "replay_webhook_delivery",
      params: { id: deliveryId },
      ...{ body: {}, headers: keyHeader(sent, `-${deliveryId}`) },
    });
    if (answer.ok) made.push(answer.data);
    else refused.push({ deliveryId, error: answer.error });
  }
  const since = made.map(({ created_at }) => created_at).sort()[0];
  const list = since === undefined ? null : `/console/deliveries?${new URLSearchParams({ since })}`;
  if (refused.length === 0 && list !== null) return { goTo: list };
  return partly(visit, { list, count: made.length, refused });
}

function nothingSelected({ root }: Visit): Shown {
  const main = (
    <>
      <p class="crumbs">
        <a href={root + PATH} data-goes-back>
          Dead letters
        </a>
      </p>
      <h1>Nothing was replayed</h1>
      <p>No dead letter was selected.</p>
    </>
  );
  return { title: "Nothing was replayed", place: "webhooks", main, status: 409 };
}

interface Partly {
  readonly list: string | null;
  readonly count: number;
  readonly refused: readonly Refused[];
}

function partly({ root }: Visit, { list, count, refused }: Partly): Shown {
  const main = (
    <>
      <Crumbs to={root + PATH}>Dead letters</Crumbs>
      <h1>{plural(refused.length, "dead letter")} not replayed</h1>
      {list !== null && (
        <p>
          Replayed: <a href={root + list}>{plural(count, "delivery", "deliveries")}</a>
        </p>
      )}
      {refused.map(({ deliveryId, error }) => (
        <>
          <h2>
            <a href={`${root}/console/deliveries/${deliveryId}`}>
              <code>{deliveryId}</code>
            </a>
          </h2>
          <Problem error={error} />
        </>
      ))}
    </>
  );
  return { title: "Not all replayed", place: "webhooks", main, status: 409 };
}

const { endpoint_id, kinds, reason, after } = FILTER;

export const deadLetterRoutes = [
  page(
    {
      id: "console_dead_letters",
      path: PATH,
      summary: "Dead letters",
      query: { endpoint_id, kinds, reason, after },
    },
    show,
  ),
  form(
    { id: "console_replay_selected", path: `${PATH}/replay`, summary: "Replay dead letters" },
    replaySelected,
  ),
];
