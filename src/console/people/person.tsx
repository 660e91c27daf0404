/** A person: rights, a link to sign in, and what can be done. */
import type { Static } from "@sinclair/typebox";
import { pathId } from "../../api/parameters.ts";
import type { Person, PersonLink } from "../../api/people/responses.ts";
import { type Answered, ask } from "../frame/api.ts";
import { form, page } from "../frame/console-route.ts";
import { type Form, keyHeader } from "../frame/form.ts";
import { notDone } from "../frame/not-done.tsx";
import { ActionForm, At, Crumbs, Fact, State } from "../frame/parts.tsx";
import { secretPage } from "../frame/secret.tsx";
import type { Gone, Origin, Shown } from "../frame/shown.ts";
import { DeedLinks, stateDeedRoutes } from "../frame/state-deeds.tsx";
import { proofPage } from "../frame/step-up.tsx";
import type { Visit } from "../frame/visit.ts";
import { PEOPLE } from "./people.tsx";
import { PersonForm, personIn } from "./person-form.tsx";

type Item = Static<typeof Person>;
type AtPerson = Visit<"id">;

function originOf({ call }: AtPerson): Origin {
  return { place: "people", back: `${PEOPLE}/${call.params.id}`, backName: "Back to the person" };
}

function personOf(visit: AtPerson): Promise<Answered<Item>> {
  return ask(visit, { id: "get_person", params: { id: visit.call.params.id } });
}

async function show(visit: AtPerson): Promise<Shown> {
  const found = await personOf(visit);
  const origin = { place: "people", back: PEOPLE, backName: "People" } as const;
  if (!found.ok) return notDone(visit, origin, "Person", found.error);
  const person = found.data;
  const path = `${PEOPLE}/${person.person_id}`;
  const main = (
    <>
      <Crumbs to={visit.root + PEOPLE}>People</Crumbs>
      <h1>
        <bdi>{person.name}</bdi> <State state={person.state} />
      </h1>
      <Deeds visit={visit} person={person} />
      <Facts person={person} />
      {person.state !== "revoked" && (
        <>
          <h2>Change</h2>
          <PersonForm visit={visit} to={path} button="Save" person={person} />
        </>
      )}
    </>
  );
  return { title: "Person", place: "people", main };
}

function Facts({ person }: { readonly person: Item }) {
  const { person_id, email, scopes, property_ids, created_at } = person;
  return (
    <dl>
      <Fact name="Id">
        <code>{person_id}</code>
      </Fact>
      {email !== null && (
        <Fact name="E-mail">
          <bdi>{email}</bdi>
        </Fact>
      )}
      <Fact name="Rights">{scopes.join(", ") || "none"}</Fact>
      <Fact name="Hotels">
        {property_ids === null ? "all of the operator" : property_ids.join(", ") || "none"}
      </Fact>
      <Fact name="Added (UTC)">
        <At instant={created_at} zone="UTC" />
      </Fact>
    </dl>
  );
}

const DEEDS = {
  suspend: {
    label: "Suspend",
    from: ["active"],
    effect: "The person is signed out now, and cannot sign in until resumed.",
    call: { id: "update_person", body: { state: "suspended" } },
  },
  resume: {
    label: "Resume",
    from: ["suspended"],
    effect: "The person can sign in again, with the rights from before.",
    call: { id: "update_person", body: { state: "active" } },
  },
  revoke: {
    label: "Remove",
    from: ["active", "suspended"],
    effect:
      "The person is signed out for good and the e-mail address is deleted. This cannot be " +
      "undone; the name stays where events and audits show it.",
    call: { id: "update_person", body: { state: "revoked" } },
  },
} as const;

function Deeds({ visit, person }: { readonly visit: AtPerson; readonly person: Item }) {
  const path = `${PEOPLE}/${person.person_id}`;
  return (
    <div class="deeds">
      {person.state === "active" && (
        <ActionForm visit={visit} to={`${path}/link`}>
          <button type="submit">Get a link to sign in</button>
        </ActionForm>
      )}
      <DeedLinks at={visit.root + path} deeds={DEEDS} state={person.state} />
    </div>
  );
}

async function change(visit: AtPerson, sent: Form): Promise<Shown | Gone> {
  const unproved = proofPage(visit, sent, null);
  if (unproved) return unproved;
  const { id } = visit.call.params;
  const answer = await ask(visit, {
    ...{ id: "update_person", params: { id }, body: personIn(sent), headers: keyHeader(sent) },
  });
  const origin = originOf(visit);
  if (!answer.ok) return notDone(visit, origin, "Change a person: not done", answer.error);
  return { goTo: origin.back };
}

async function link(visit: AtPerson, sent: Form): Promise<Shown> {
  const unproved = proofPage(visit, sent, null);
  if (unproved) return unproved;
  const { id } = visit.call.params;
  const [found, made] = [
    await personOf(visit),
    await ask<Static<typeof PersonLink>>(visit, { id: "create_person_link", params: { id } }),
  ];
  const origin = originOf(visit);
  if (!made.ok) return notDone(visit, origin, "Link to sign in: not done", made.error);
  return secretPage({
    ...{ title: "Link to sign in", place: "people", of: found.ok ? found.data.name : id },
    ...{ secret: made.data.url, back: visit.root + origin.back, backName: "To the person" },
    use: "Give it to this person alone: whoever opens it works under this name. It works once, within ten minutes.",
  });
}

const AT = { params: { id: pathId("Id of the person.") } } as const;

const ONE = `${PEOPLE}/:id` as const;

export const personRoutes = [
  page({ ...AT, id: "console_person", path: ONE, summary: "A person" }, show),
  form({ ...AT, id: "console_change_person", path: ONE, summary: "Change a person" }, change),
  form(
    {
      ...{ ...AT, id: "console_person_link", path: `${ONE}/link` },
      summary: "Get a link that signs a person in",
    },
    link,
  ),
  ...stateDeedRoutes({
    ...{ ...AT, noun: "person", one: "a person", path: ONE, deeds: DEEDS },
    ...{ find: personOf, originOf },
  }),
];
