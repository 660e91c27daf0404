/** Deliveries of the tenant, newest first, and as they proceed. */
import type { Static } from "@sinclair/typebox";
import type { DeliveryDetail } from "../../api/deliveries/responses.ts";
import { pathId } from "../../api/parameters.ts";
import { ask } from "../frame/api.ts";
import { Choice, optionsOf } from "../frame/choice.tsx";
import { form, page } from "../frame/console-route.ts";
import { type Form, keyHeader } from "../frame/form.ts";
import { notDone } from "../frame/not-done.tsx";
import { Next } from "../frame/pages.tsx";
import { Crumbs, Live, Problem } from "../frame/parts.tsx";
import type { Gone, Origin, Shown } from "../frame/shown.ts";
import type { Visit } from "../frame/visit.ts";
import { DeliveryView } from "./delivery.tsx";
import { addressesOf, deliveriesBy, FILTER, filterOf, nextPage } from "./delivery-list.ts";
import { type Delivery, DeliveryTable, isOpen } from "./delivery-table.tsx";

const PATH = "/console/deliveries";
const STATES = ["due", "scheduled", "in_flight", "succeeded", "dead_lettered", "cancelled"];
const ORIGIN: Origin = { place: "webhooks", back: PATH, backName: "Deliveries" };

type AtDelivery = Visit<"id">;

async function show(visit: Visit): Promise<Shown> {
  const { root, call } = visit;
  const filter = filterOf(visit);
  const [found, addresses] = await Promise.all([deliveriesBy(visit, filter), addressesOf(visit)]);
  const items = found.ok ? found.data.items : [];
  const next = nextPage(found, filter);
  const main = (
    <>
      <Crumbs to={`${root}/console/webhooks`}>Webhooks</Crumbs>
      <h1>Deliveries</h1>
      <Filter visit={visit} addresses={addresses} />
      {!found.ok && <Problem error={found.error} />}
      {found.ok && (
        <Live
          id="deliveries"
          kinds={call.query.has("after") ? "webhook." : "*"}
          isWaiting={items.some(isOpen)}
        >
          {items.length === 0 && <p>No delivery on this page.</p>}
          {items.length > 0 && (
            <DeliveryTable
              root={root}
              label="Deliveries"
              deliveries={items}
              addresses={addresses}
            />
          )}
        </Live>
      )}
      <Next path={root + PATH} next={next} />
    </>
  );
  return { title: "Deliveries", place: "webhooks", main };
}

interface FilterOf {
  readonly visit: Visit;
  readonly addresses: ReadonlyMap<string, string>;
}

function Filter({ visit: { root, call }, addresses }: FilterOf) {
  const value = (name: string) => call.query.get(name) ?? "";
  return (
    <form method="get" action={root + PATH} class="filter">
      <Choice
        {...{ label: "Endpoint", name: "endpoint_id", any: "Any", options: [...addresses] }}
        chosen={value("endpoint_id")}
      />
      <Choice
        {...{ label: "State", name: "states", any: "Any", options: optionsOf(STATES) }}
        chosen={value("states")}
      />
      <label>
        Kinds, separated by commas
        <input name="kinds" value={value("kinds")} placeholder="booking.confirmed" />
      </label>
      <label>
        Subject
        <input name="subject" value={value("subject")} placeholder="booking:bkg_…" />
      </label>
      <label>
        Since (UTC)
        <input name="since" value={value("since")} placeholder="2026-12-04T10:00:00Z" />
      </label>
      <button type="submit">Show</button>
    </form>
  );
}

async function showOne(visit: AtDelivery): Promise<Shown> {
  const { id } = visit.call.params;
  const found = await ask<Static<typeof DeliveryDetail>>(visit, {
    id: "get_webhook_delivery",
    params: { id },
  });
  if (!found.ok) return notDone(visit, ORIGIN, "Delivery", found.error);
  const addresses = await addressesOf(visit);
  const main = (
    <DeliveryView
      visit={visit}
      delivery={found.data}
      address={addresses.get(found.data.endpoint_id) ?? null}
    />
  );
  return { title: "Delivery", place: "webhooks", main };
}

function originOf({ call }: AtDelivery): Origin {
  return { ...ORIGIN, back: `${PATH}/${call.params.id}`, backName: "Back to the delivery" };
}

/** Leads to the new delivery, which shows what becomes of it. */
async function replay(visit: AtDelivery, sent: Form): Promise<Shown | Gone> {
  const { id } = visit.call.params;
  const answer = await ask<Delivery>(visit, {
    ...{ id: "replay_webhook_delivery", params: { id }, body: {}, headers: keyHeader(sent) },
  });
  if (!answer.ok) return notDone(visit, originOf(visit), "Replay: not done", answer.error);
  return { goTo: `${PATH}/${answer.data.delivery_id}` };
}

async function discard(visit: AtDelivery, sent: Form): Promise<Shown | Gone> {
  const { id } = visit.call.params;
  const body = { reason: sent.get("reason") ?? "" };
  const answer = await ask(visit, {
    ...{ id: "discard_webhook_delivery", params: { id }, body, headers: keyHeader(sent) },
  });
  if (!answer.ok) return notDone(visit, originOf(visit), "Discard: not done", answer.error);
  return { goTo: `${PATH}/${id}` };
}

const AT = { params: { id: pathId("Id of the delivery.") } } as const;

export const deliveryPageRoutes = [
  page({ id: "console_deliveries", path: PATH, summary: "Deliveries", query: FILTER }, show),
  page({ ...AT, id: "console_delivery", path: `${PATH}/:id`, summary: "A delivery" }, showOne),
  form(
    { ...AT, id: "console_replay", path: `${PATH}/:id/replay`, summary: "Replay a delivery" },
    replay,
  ),
  form(
    { ...AT, id: "console_discard", path: `${PATH}/:id/discard`, summary: "Discard a delivery" },
    discard,
  ),
];
