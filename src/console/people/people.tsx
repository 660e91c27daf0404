/** The people of the operators, and a new one. */
import type { Static } from "@sinclair/typebox";
import type { Person, PersonList } from "../../api/people/responses.ts";
import { ask } from "../frame/api.ts";
import { form, page, textQuery } from "../frame/console-route.ts";
import { type Form, keyHeader } from "../frame/form.ts";
import { notDone } from "../frame/not-done.tsx";
import { At, Problem, plural, Rows, State } from "../frame/parts.tsx";
import type { Gone, Shown } from "../frame/shown.ts";
import { proofPage } from "../frame/step-up.tsx";
import type { Visit } from "../frame/visit.ts";
import { PersonForm, personIn } from "./person-form.tsx";

/** Address of the list. */
export const PEOPLE = "/console/people";
/** Of a page; the API lists all. */
const SHOWN = 200;

type Item = Static<typeof Person>;

async function show(visit: Visit): Promise<Shown> {
  const found = await ask<Static<typeof PersonList>>(visit, { id: "list_people" });
  const main = (
    <>
      <h1>People</h1>
      <p>
        A person works at the console under a name of their own, which events and audits keep. They
        sign in by a link that you get for them, or by a passkey.
      </p>
      {found.ok ? (
        <List visit={visit} people={found.data.items} />
      ) : (
        <Problem error={found.error} />
      )}
      <h2 id="new">New person</h2>
      <PersonForm visit={visit} to={PEOPLE} button="Add" person={null} />
    </>
  );
  return { title: "People", place: "people", main };
}

function List({ visit, people }: { readonly visit: Visit; readonly people: readonly Item[] }) {
  const asked = Math.trunc(Number(visit.call.query.get("from") ?? 0));
  const from = asked > 0 && asked < people.length ? asked : 0;
  const shown = people.slice(from, from + SHOWN);
  const next = from + SHOWN;
  return (
    <>
      <p class="outcome">
        {people.length === 1 ? "1 person" : `${people.length} people`}
        {shown.length < people.length && `, of which ${from + 1} to ${from + shown.length}`}
      </p>
      {shown.length > 0 && <PeopleTable root={visit.root} people={shown} />}
      {next < people.length && (
        <p>
          <a href={`${visit.root}${PEOPLE}?from=${next}`}>Older</a>
        </p>
      )}
    </>
  );
}

function PeopleTable({
  root,
  people,
}: {
  readonly root: string;
  readonly people: readonly Item[];
}) {
  return (
    <Rows
      label="People"
      rows={people}
      keyOf={({ person_id }) => person_id}
      columns={[
        {
          head: "Person",
          cell: ({ person_id, name }) => (
            <a href={`${root}${PEOPLE}/${person_id}`}>
              <bdi>{name}</bdi>
            </a>
          ),
        },
        { head: "State", cell: ({ state }) => <State state={state} /> },
        { head: "Rights", cell: ({ scopes }) => plural(scopes.length, "right") },
        {
          head: "Properties",
          isNumber: true,
          cell: ({ property_ids }) => (property_ids === null ? "all" : property_ids.length),
        },
        {
          head: "Added (UTC)",
          cell: ({ created_at }) => <At instant={created_at} zone="UTC" />,
        },
      ]}
    />
  );
}

async function create(visit: Visit, sent: Form): Promise<Shown | Gone> {
  const unproved = proofPage(visit, sent, null);
  if (unproved) return unproved;
  const made = await ask<Item>(visit, {
    ...{ id: "create_person", body: personIn(sent), headers: keyHeader(sent) },
  });
  const origin = { place: "people", back: PEOPLE, backName: "People" } as const;
  if (!made.ok) return notDone(visit, origin, "New person: not done", made.error);
  return { goTo: `${PEOPLE}/${made.data.person_id}` };
}

export const peoplePageRoutes = [
  page(
    {
      ...{ id: "console_people", path: PEOPLE, summary: "People" },
      query: { from: textQuery("How many are left out before the first.") },
    },
    show,
  ),
  form({ id: "console_create_person", path: PEOPLE, summary: "Add a person" }, create),
];
