/** Issuers of travelers' tokens: who is trusted, and the end of that. */
import type { Static } from "@sinclair/typebox";
import type { Issuer as IssuerAnswer, IssuerList } from "../../api/issuers/responses.ts";
import { pathId } from "../../api/parameters.ts";
import { type Answered, ask } from "../frame/api.ts";
import { askedPage } from "../frame/asked.tsx";
import { form, page } from "../frame/console-route.ts";
import { type Form, keyHeader } from "../frame/form.ts";
import { notDone } from "../frame/not-done.tsx";
import { ActionForm, Problem, Rows, State } from "../frame/parts.tsx";
import type { Gone, Origin, Shown } from "../frame/shown.ts";
import { proofPage } from "../frame/step-up.tsx";
import type { Visit } from "../frame/visit.ts";

type Issuer = Static<typeof IssuerAnswer>;
type Found = Answered<Static<typeof IssuerList>>;
type AtIssuer = Visit<"id">;

const PATH = "/console/issuers";
const ORIGIN: Origin = { place: "agents", back: "/console/agents", backName: "Agents" };

/** All of the tenant and mode. */
export function issuersOf(visit: Visit): Promise<Found> {
  return ask(visit, { id: "list_issuers" });
}

/** A part of the page of agents. */
export function Issuers({ visit, found }: { readonly visit: Visit; readonly found: Found }) {
  return (
    <>
      <h2 id="issuers">Delegation issuers</h2>
      <p class="faint">Tokens of travelers are accepted when one of these has signed them.</p>
      {!found.ok && <Problem error={found.error} />}
      {found.ok && found.data.items.length === 0 && <p>None yet; the API registers one.</p>}
      {found.ok && found.data.items.length > 0 && (
        <Table visit={visit} issuers={found.data.items} />
      )}
    </>
  );
}

function Table({ visit, issuers }: { readonly visit: Visit; readonly issuers: readonly Issuer[] }) {
  return (
    <Rows
      label="Delegation issuers"
      rows={issuers}
      keyOf={({ issuer_id }) => issuer_id}
      columns={[
        { head: "Issuer", cell: ({ name }) => <bdi>{name}</bdi> },
        { head: "Signs as", cell: ({ iss }) => <bdi>{iss}</bdi> },
        { head: "State", cell: ({ status }) => <State state={status} /> },
        {
          head: "Keys",
          cell: ({ jwks_url }) => (jwks_url === null ? "registered" : <bdi>{jwks_url}</bdi>),
        },
        { head: "Do", cell: (issuer) => <Deeds visit={visit} issuer={issuer} /> },
      ]}
    />
  );
}

function Deeds({ visit, issuer }: { readonly visit: Visit; readonly issuer: Issuer }) {
  const { issuer_id, status } = issuer;
  if (status === "revoked") return <>—</>;
  const path = `${PATH}/${issuer_id}`;
  return (
    <>
      {status === "active" ? (
        <a class="button" href={`${visit.root}${path}/suspend`}>
          Suspend…
        </a>
      ) : (
        <ActionForm visit={visit} to={`${path}/activate`}>
          <button type="submit">Activate</button>
        </ActionForm>
      )}{" "}
      <a class="button" href={`${visit.root}${path}/revoke`}>
        Revoke…
      </a>
    </>
  );
}

const LABELS = { suspend: "Suspend", activate: "Activate", revoke: "Revoke" } as const;
const EFFECTS = {
  suspend: "Its tokens are refused from now on, until it is activated again.",
  revoke: "Its tokens are refused permanently. Its name can be registered again, with other keys.",
} as const;

function asks(name: keyof typeof EFFECTS) {
  const label = LABELS[name];
  return async (visit: AtIssuer): Promise<Shown> => {
    const { id } = visit.call.params;
    const found = await ask<Issuer>(visit, { id: "get_issuer", params: { id } });
    if (!found.ok) return notDone(visit, ORIGIN, label, found.error);
    return askedPage(visit, {
      ...{ ...ORIGIN, title: `${label} this issuer?`, about: found.data.name, button: label },
      ...{ to: `${PATH}/${id}/${name}`, children: <p>{EFFECTS[name]}</p> },
    });
  };
}

function does(name: keyof typeof LABELS) {
  return async (visit: AtIssuer, sent: Form): Promise<Shown | Gone> => {
    const unproved = name === "suspend" ? null : proofPage(visit, sent, null);
    if (unproved) return unproved;
    const { id } = visit.call.params;
    const answer = await ask(visit, {
      ...{ id: `${name}_issuer`, params: { id }, body: {}, headers: keyHeader(sent) },
    });
    if (!answer.ok) return notDone(visit, ORIGIN, `${LABELS[name]}: not done`, answer.error);
    return { goTo: ORIGIN.back };
  };
}

function aboutOf(name: keyof typeof LABELS) {
  return {
    path: `${PATH}/:id/${name}`,
    params: { id: pathId("Id of the issuer.") },
    summary: `${LABELS[name]} a delegation issuer`,
  } as const;
}

export const issuerPageRoutes = [
  page({ ...aboutOf("suspend"), id: "console_ask_suspend_issuer" }, asks("suspend")),
  form({ ...aboutOf("suspend"), id: "console_suspend_issuer" }, does("suspend")),
  form({ ...aboutOf("activate"), id: "console_activate_issuer" }, does("activate")),
  page({ ...aboutOf("revoke"), id: "console_ask_revoke_issuer" }, asks("revoke")),
  form({ ...aboutOf("revoke"), id: "console_revoke_issuer" }, does("revoke")),
];
