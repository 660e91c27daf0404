/** The operator's hotels, and putting drafts on sale. */
import type { Static } from "@sinclair/typebox";
import type { AdminPropertyList, Promotions } from "../../api/properties/admin-responses.ts";
import { ask } from "../frame/api.ts";
import { form, page, textQuery } from "../frame/console-route.ts";
import { type Form, keyHeader } from "../frame/form.ts";
import { ActionForm, Crumbs, Live, Problem, plural, Rows, State } from "../frame/parts.tsx";
import type { Shown } from "../frame/shown.ts";
import type { Visit } from "../frame/visit.ts";
import { Reasons, reasonsOf } from "./reasons.tsx";

export const PATH = "/console/properties";

/** Of a page; others are found by name. */
const SHOWN_MAX = 500;

type Property = Static<typeof AdminPropertyList>["items"][number];

async function show(visit: Visit): Promise<Shown> {
  const found = await ask<Static<typeof AdminPropertyList>>(visit, { id: "admin_list_properties" });
  const sought = (visit.call.query.get("name") ?? "").trim();
  const main = (
    <>
      <h1>Properties</h1>
      <form method="get" action={visit.root + PATH} class="filter">
        <label>
          Name or slug contains
          <input type="search" name="name" id="search" value={sought} />
        </label>
        <button type="submit">Show</button>
        <a class="button" href={`${visit.root}${PATH}/import`}>
          Import…
        </a>
      </form>
      {found.ok ? (
        <List visit={visit} all={found.data.items} sought={sought} />
      ) : (
        <Problem error={found.error} />
      )}
    </>
  );
  return { title: "Properties", place: "properties", main };
}

/** Drafts wait for somebody; the others are looked for. */
function draftsThenByName(a: Property, b: Property): number {
  const drafts = Number(b.state === "draft") - Number(a.state === "draft");
  return drafts === 0 ? a.name.localeCompare(b.name) : drafts;
}

interface ListOf {
  readonly visit: Visit;
  readonly all: readonly Property[];
  readonly sought: string;
}

function List({ visit, all, sought }: ListOf) {
  const low = sought.toLowerCase();
  const meant = all
    .filter(({ name, slug }) => `${name} ${slug}`.toLowerCase().includes(low))
    .toSorted(draftsThenByName);
  const counts = [...Map.groupBy(all, ({ state }) => state)].map(([state, of]) => {
    return `${of.length} ${state}`;
  });
  const drafts = all.filter(({ state }) => state === "draft").length;
  return (
    <Live id="hotels" kinds="property.">
      <p class="lead">{counts.join(" · ") || "None yet: import some."}</p>
      {drafts > 0 && (
        <ActionForm visit={visit} to={`${PATH}/promote`} class="deeds">
          <button type="submit">Put {plural(drafts, "draft")} on sale</button>
        </ActionForm>
      )}
      {meant.length > 0 && (
        <Rows
          label="Properties"
          rows={meant.slice(0, SHOWN_MAX)}
          keyOf={({ property_id }) => property_id}
          columns={[
            {
              head: "Name",
              cell: ({ property_id, name }) => (
                <a href={`${visit.root}${PATH}/${property_id}`}>
                  <bdi>{name}</bdi>
                </a>
              ),
            },
            { head: "Slug", cell: ({ slug }) => <code>{slug}</code> },
            { head: "State", cell: ({ state }) => <State state={state} /> },
            { head: "Version", isNumber: true, cell: ({ version }) => version },
          ]}
        />
      )}
      {meant.length > SHOWN_MAX && (
        <p class="faint">
          The first {SHOWN_MAX} of {meant.length}: find the others by name.
        </p>
      )}
    </Live>
  );
}

/** Every draft, each by itself; what prevents one is shown with it. */
async function promoteAll(visit: Visit, sent: Form): Promise<Shown> {
  const headers = keyHeader(sent);
  const call = { id: "admin_promote_properties", body: {}, headers };
  const done = await ask<Static<typeof Promotions>>(visit, call);
  const failed = done.ok ? done.data.items.filter(({ error }) => error !== undefined) : [];
  const main = (
    <>
      <Crumbs to={visit.root + PATH}>Properties</Crumbs>
      <h1>Drafts put on sale</h1>
      {!done.ok && <Problem error={done.error} />}
      {done.ok && <p class="lead">{plural(done.data.promoted, "hotel")} now on sale.</p>}
      {failed.slice(0, SHOWN_MAX).map(({ property_id, slug, error }) => (
        <>
          <h2>
            <a href={`${visit.root}${PATH}/${property_id}`}>{slug}</a> cannot be yet
          </h2>
          <Reasons reasons={reasonsOf(error?.detail)} />
        </>
      ))}
    </>
  );
  return { title: "Drafts put on sale", place: "properties", main };
}

export const propertyListRoutes = [
  page(
    {
      id: "console_properties",
      path: PATH,
      summary: "Properties",
      query: { name: textQuery("Part of a name or slug.") },
    },
    show,
  ),
  form(
    { id: "console_promote_drafts", path: `${PATH}/promote`, summary: "Put all drafts on sale" },
    promoteAll,
  ),
];
