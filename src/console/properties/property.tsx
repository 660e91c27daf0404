/** A hotel: what it offers, and whether it can be on sale. */
import type { Static } from "@sinclair/typebox";
import type { AdminProperty, Promotion } from "../../api/properties/admin-responses.ts";
import { PROPERTY_ID } from "../../api/properties/parameters.ts";
import { type Answered, ask } from "../frame/api.ts";
import { form, page } from "../frame/console-route.ts";
import { type Form, keyHeader } from "../frame/form.ts";
import { ActionForm, Crumbs, Problem, plural, State } from "../frame/parts.tsx";
import type { Gone, Shown } from "../frame/shown.ts";
import type { Visit } from "../frame/visit.ts";
import { PATH } from "./list.tsx";
import { Reasons, reasonsBesideFields, reasonsOf } from "./reasons.tsx";

type Property = Static<typeof AdminProperty>;
type AtProperty = Visit<"id">;

async function show(visit: AtProperty): Promise<Shown> {
  const params = { id: visit.call.params.id };
  const found = await ask<Property>(visit, { id: "admin_get_property", params });
  if (!found.ok) return refused(visit, found);
  const property = found.data;
  const canGoOnSale = property.state === "draft" || property.state === "suspended";
  const trial = canGoOnSale
    ? await ask<Static<typeof Promotion>>(visit, {
        ...{ id: "admin_promote_property", params, body: { dry_run: true } },
      })
    : null;
  const { name, slug, state, version, room_types } = property;
  const calendar = new URLSearchParams({ property_id: property.id });
  const main = (
    <>
      <Crumbs to={visit.root + PATH}>Properties</Crumbs>
      <h1>
        <bdi>{name}</bdi> <State state={state} />
      </h1>
      <p class="lead">
        <code>{slug}</code> · version {version} · {property.timezone} · {property.default_currency}
      </p>
      {trial && <Sale visit={visit} trial={trial} />}
      {state === "live" && (
        <div class="deeds">
          <a class="button" href={`${visit.root}/console/calendar?${calendar}`}>
            Rates and availability
          </a>
          <a class="button" href={`${visit.root}/book/${property.id}`}>
            Its public page
          </a>
          <a class="button" href={`${visit.root}${PATH}/${property.id}/suspend`}>
            Take off sale…
          </a>
        </div>
      )}
      <h2>Rooms and plans</h2>
      {room_types.map((room) => (
        <details>
          <summary>
            <bdi>{room.name}</bdi>{" "}
            <span class="faint">
              {room.code} · {plural(room.default_inventory, "room")} · up to{" "}
              {plural(room.max_occupancy, "guest")}
            </span>
          </summary>
          <ul>
            {room.rate_plans.map((plan) => (
              <li>
                <bdi>{plan.name}</bdi> <span class="faint">{plan.code}</span>
              </li>
            ))}
          </ul>
        </details>
      ))}
      <details>
        <summary>All data, as JSON</summary>
        <pre>
          <code>{JSON.stringify(property, null, 2)}</code>
        </pre>
      </details>
    </>
  );
  return { title: "Property", place: "properties", main };
}

function Sale({
  visit,
  trial,
}: {
  readonly visit: AtProperty;
  readonly trial: Answered<Static<typeof Promotion>>;
}) {
  const to = `${PATH}/${visit.call.params.id}/promote`;
  const reasons = trial.ok ? trial.data.warnings : reasonsOf(trial.error.detail);
  return (
    <>
      <h2>On sale</h2>
      {trial.ok ? (
        <p>✓ Everything that a sale needs is there.</p>
      ) : (
        reasons.length === 0 && <Problem error={trial.error} />
      )}
      <Reasons reasons={reasons} />
      {trial.ok && (
        <ActionForm visit={visit} to={to}>
          <button type="submit">Put on sale</button>
        </ActionForm>
      )}
    </>
  );
}

function refused(
  { root }: Visit,
  { error }: Answered<unknown> & { readonly ok: false },
  status = 404,
): Shown {
  const main = (
    <>
      <Crumbs to={root + PATH}>Properties</Crumbs>
      <h1>Property</h1>
      <Problem error={error} />
      <Reasons reasons={reasonsBesideFields(error.detail)} />
    </>
  );
  return { title: "Property", place: "properties", main, status };
}

/** What a suspension does, before it is done. */
async function askSuspend(visit: AtProperty): Promise<Shown> {
  const to = `${PATH}/${visit.call.params.id}/suspend`;
  const main = (
    <>
      <h1>Take the hotel off sale?</h1>
      <ActionForm visit={visit} to={to} class="card">
        <p>
          No search and no feed shows it until it is put on sale again. Holds can still be booked,
          and bookings stay valid.
        </p>
        <button type="submit" class="danger">
          Take off sale
        </button>
      </ActionForm>
    </>
  );
  return { title: "Take off sale", place: "properties", main };
}

function deed(id: "admin_promote_property" | "admin_suspend_property") {
  return async (visit: AtProperty, sent: Form): Promise<Shown | Gone> => {
    const params = { id: visit.call.params.id };
    const headers = keyHeader(sent);
    const done = await ask(visit, { id, params, body: {}, headers });
    return done.ok ? { goTo: `${PATH}/${params.id}` } : refused(visit, done, 409);
  };
}

const AT = { params: { id: PROPERTY_ID } } as const;

export const propertyRoutes = [
  page({ ...AT, id: "console_property", path: `${PATH}/:id`, summary: "A property" }, show),
  form(
    { ...AT, id: "console_promote", path: `${PATH}/:id/promote`, summary: "Put on sale" },
    deed("admin_promote_property"),
  ),
  page(
    { ...AT, id: "console_ask_suspend", path: `${PATH}/:id/suspend`, summary: "Take off sale?" },
    askSuspend,
  ),
  form(
    { ...AT, id: "console_suspend", path: `${PATH}/:id/suspend`, summary: "Take off sale" },
    deed("admin_suspend_property"),
  ),
];
