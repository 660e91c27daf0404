/** Lists of deliveries: a page of the API's list, and the addresses of its endpoints. */
import type { Static } from "@sinclair/typebox";
import type { DeliveryList } from "../../api/deliveries/responses.ts";
import type { WebhookEndpointList } from "../../api/webhooks/responses.ts";
import { type Answered, ask } from "../frame/api.ts";
import { textQuery } from "../frame/console-route.ts";
import type { Visit } from "../frame/visit.ts";

/** Of a page. A form of them has a field each, and forms have a bound. */
export const SHOWN = 100;

/** What the forms of lists ask for; the API checks the values. */
export const FILTER = {
  endpoint_id: textQuery("The endpoint."),
  kinds: textQuery("Kinds of events."),
  states: textQuery("States."),
  reason: textQuery("Why the last attempt failed."),
  subject: textQuery("What the events are about."),
  since: textQuery("Made at this instant or later."),
  after: textQuery("The last delivery of the previous page."),
} as const;

type Values = Readonly<Record<string, string>>;

/** Fields of the address that have a value. */
export function filterOf({ call: { query } }: Visit): Values {
  const named = Object.keys(FILTER).map((name) => [name, query.get(name)?.trim() ?? ""] as const);
  return Object.fromEntries(named.filter(([, value]) => value !== ""));
}

/** A page of deliveries, newest first. */
export function deliveriesBy(
  visit: Visit,
  query: Values,
): Promise<Answered<Static<typeof DeliveryList>>> {
  return ask(visit, { id: "list_webhook_deliveries", query: { limit: String(SHOWN), ...query } });
}

/** The query of the next page; null at the end. */
export function nextPage(found: Answered<unknown>, filter: Values): string | null {
  const [next] = found.ok ? found.actions : [];
  const after = next && new URL(next.href, "http://localhost").searchParams.get("after");
  return after ? `?${new URLSearchParams({ ...filter, after })}` : null;
}

/** Addresses of the endpoints that may be read, by id. */
export async function addressesOf(visit: Visit): Promise<ReadonlyMap<string, string>> {
  const found = await ask<Static<typeof WebhookEndpointList>>(visit, { id: "list_webhooks" });
  const items = found.ok ? found.data.items : [];
  return new Map(items.map(({ endpoint_id, url }) => [endpoint_id, url]));
}
