/**
 * The consent page: an operator decides whether an assistant that registered itself may act as an
 * agent, and with which rights. The agent is made by the API, with the operator's own rights as the
 * bound; its secret is shown to nobody and kept nowhere.
 */
import type { Static } from "@sinclair/typebox";
import { answeredAt, policySource } from "../../access/auth/redirect-uris.ts";
import type { OauthClient } from "../../access/control/oauth-clients.ts";
import type { OauthRequest } from "../../access/control/oauth-requests.ts";
import type { AgentDetail, CreatedAgent, CreatedCredential } from "../../api/agents/responses.ts";
import { pathId } from "../../api/parameters.ts";
import type { PublicCall } from "../../http/call.ts";
import { type ApiError, ask } from "../frame/api.ts";
import { form, page } from "../frame/console-route.ts";
import { type Form, keyHeader } from "../frame/form.ts";
import { ActionForm, Fault, Problem } from "../frame/parts.tsx";
import { hotelsToChoose } from "../frame/property-picker.tsx";
import type { Left, Shown } from "../frame/shown.ts";
import { proofPage } from "../frame/step-up.tsx";
import type { Visit } from "../frame/visit.ts";
import { Asking, CONSENT_PATH, errorTo } from "./authorize.tsx";
import {
  AGENT_FIELD,
  ConsentFields,
  type FormerAgent,
  offeredScopes,
  termsOf,
} from "./consent-form.tsx";

type AtRequest = Visit<"id">;

interface Asked {
  readonly request: OauthRequest;
  readonly client: OauthClient;
}

const TITLE = "Connect an assistant";
/** Of connections of one client, the newest first. */
const FORMER_MAX = 5;

function askedOf({ context, params }: PublicCall<unknown, "id">): Asked | null {
  const { requests, clients } = context.oauth;
  const request = requests.find(params.id, context.now());
  const client = request && clients.find(request.client_id);
  return request && client && { request, client };
}

/** For the policy of the page: the answer to its form leads to the client. */
function formsLeadTo(call: PublicCall<unknown, "id">): string | null {
  const asked = askedOf(call);
  return asked && policySource(asked.request.redirect_uri);
}

function gone(): Shown {
  const main = (
    <>
      <h1>{TITLE}</h1>
      <p>
        This request is answered already, or too old: it can be answered for ten minutes. Begin
        again in the assistant.
      </p>
    </>
  );
  return { title: TITLE, place: "agents", main, status: 404 };
}

/** The agents of the operator's realm as which the client is connected, as the API shows them. */
async function formerOf(visit: AtRequest, { client }: Asked): Promise<readonly FormerAgent[]> {
  const { tenant_id, mode } = visit.call.principal;
  const grants = visit.call.context.oauth.grants.ofClient(client.client_id);
  const own = grants.filter((each) => each.tenant_id === tenant_id && each.mode === mode);
  const ids = [...new Set(own.map(({ agent_id }) => agent_id))].slice(0, FORMER_MAX);
  const found = await Promise.all(
    ids.map((id) => ask<Static<typeof AgentDetail>>(visit, { id: "get_agent", params: { id } })),
  );
  return found.flatMap((each) => (each.ok && each.data.state === "active" ? [each.data] : []));
}

interface View {
  readonly asked: Asked;
  readonly former: readonly FormerAgent[];
  /** What was sent before, and why it was not taken. */
  readonly sent?: Form;
  readonly problem?: string | ApiError;
}

async function view(visit: AtRequest, { asked, former, sent, problem }: View): Promise<Shown> {
  const { request, client } = asked;
  const { call, root } = visit;
  const to = `${CONSENT_PATH}/${request.request_id}`;
  const offered = offeredScopes(request.scopes, call.principal);
  const mayAllow = call.may?.("POST", "", "create_agent") === true && offered.length > 0;
  const hotels = mayAllow ? await hotelsToChoose(visit) : [];
  const main = (
    <>
      <h1>{TITLE}</h1>
      {typeof problem === "string" && <Fault>{problem}</Fault>}
      {typeof problem === "object" && <Problem error={problem} />}
      <p class="lead">
        A program asks to act as an agent of this service, in {call.principal.mode} mode.
      </p>
      <Asking client={client} uri={request.redirect_uri} />
      {mayAllow ? (
        <ActionForm visit={visit} to={`${to}/allow`} class="card">
          <ConsentFields offered={offered} former={former} hotels={hotels} sent={sent ?? null} />
          <p>
            It acts until you disconnect it, on the page of its agent in{" "}
            <a href={`${root}/console/agents`}>Agents</a>. What it books is real in live mode.
          </p>
          <button type="submit">Allow</button>
        </ActionForm>
      ) : (
        <Fault>You cannot allow this: you may not create agents, or lack what it asks for.</Fault>
      )}
      <ActionForm visit={visit} to={`${to}/refuse`}>
        <button type="submit" class="quiet">
          Refuse
        </button>
      </ActionForm>
    </>
  );
  return { title: TITLE, place: "agents", main, status: problem === undefined ? 200 : 409 };
}

async function show(visit: AtRequest): Promise<Shown> {
  const asked = askedOf(visit.call);
  if (asked === null) return gone();
  return view(visit, { asked, former: await formerOf(visit, asked) });
}

type Terms = ReturnType<typeof termsOf>;
type Made =
  | { readonly ok: true; readonly agent_id: string; readonly credential_id: string }
  | { readonly ok: false; readonly error: ApiError };

/** A new agent of the client's name. Its secret is not looked at. */
async function created(visit: AtRequest, sent: Form, name: string, terms: Terms): Promise<Made> {
  const isOperator = terms.scopes.some((scope) => scope.startsWith("admin:"));
  const body = { name, kind: isOperator ? "operator" : "agent", ...terms };
  const headers = keyHeader(sent, "-agent");
  const made = await ask<Static<typeof CreatedAgent>>(visit, { id: "create_agent", body, headers });
  if (!made.ok) return made;
  const { agent_id, credential } = made.data;
  return { ok: true, agent_id, credential_id: credential.credential_id };
}

/** The agent that the client was before, with these rights and another credential. */
async function changed(visit: AtRequest, sent: Form, id: string, terms: Terms): Promise<Made> {
  const params = { id };
  const change = { id: "update_agent", params, body: terms, headers: keyHeader(sent, "-change") };
  const updated = await ask(visit, change);
  if (!updated.ok) return updated;
  const headers = keyHeader(sent, "-credential");
  const issue = { id: "create_credential", params, headers };
  const made = await ask<Static<typeof CreatedCredential>>(visit, issue);
  if (!made.ok) return made;
  return { ok: true, agent_id: id, credential_id: made.data.credential.credential_id };
}

/** Ends the connections that this one replaces. */
async function endFormer(visit: AtRequest, { client }: Asked, made: Made & { ok: true }) {
  const { grants } = visit.call.context.oauth;
  for (const grant of grants.ofAgent(made.agent_id)) {
    const { grant_id, client_id, agent_id: id, credential_id } = grant;
    if (client_id !== client.client_id || credential_id === made.credential_id) continue;
    grants.end(grant_id);
    await ask(visit, { id: "revoke_credential", params: { id, credential_id } });
  }
}

async function allow(visit: AtRequest, sent: Form): Promise<Shown | Left> {
  const { call } = visit;
  const asked = askedOf(call);
  if (asked === null) return gone();
  const unproved = proofPage(visit, sent, null);
  if (unproved) return unproved;
  const { request, client } = asked;
  const { oauth, config, now } = call.context;
  const former = await formerOf(visit, asked);
  const offered = offeredScopes(request.scopes, call.principal);
  const terms = termsOf(sent, offered, call.principal);
  const again = (problem: string | ApiError) => view(visit, { asked, former, sent, problem });
  if (terms.scopes.length === 0) return again("Choose at least one right, or refuse.");
  if (terms.property_ids?.length === 0) return again("Choose at least one hotel, or all.");
  const chosen = former.find(({ agent_id }) => agent_id === sent.get(AGENT_FIELD));
  const made = chosen
    ? await changed(visit, sent, chosen.agent_id, terms)
    : await created(visit, sent, client.name, terms);
  if (!made.ok) return again(made.error);
  const { tenant_id, mode } = call.principal;
  const { agent_id, credential_id } = made;
  const granted = { tenant_id, mode, agent_id, credential_id, scopes: terms.scopes };
  const code = oauth.grants.open(request, granted, now());
  if (code === null) return gone();
  oauth.clients.noteConnected(client.client_id, now());
  await endFormer(visit, asked, made);
  const { redirect_uri, state } = request;
  const answer = { code, ...(state !== null && { state }), iss: config.oauthIssuer ?? "" };
  return { leaveFor: answeredAt(redirect_uri, answer) };
}

async function refuse({ call }: AtRequest): Promise<Shown | Left> {
  const asked = askedOf(call);
  const { oauth, config } = call.context;
  if (asked === null || !oauth.requests.end(asked.request.request_id)) return gone();
  const { grant_id } = asked.request;
  if (grant_id !== null) oauth.grants.end(grant_id);
  const error = { error: "access_denied", problem: "the operator refused" } as const;
  return { leaveFor: errorTo(asked.request, { ...error, iss: config.oauthIssuer ?? "" }) };
}

const AT = { params: { id: pathId("Id of the request.") }, formsLeadTo } as const;
const PATH = `${CONSENT_PATH}/:id` as const;

export const consentRoutes = [
  page({ ...AT, id: "console_authorize", path: PATH, summary: TITLE }, show),
  form(
    { ...AT, id: "console_allow_client", path: `${PATH}/allow`, summary: "Let an assistant in" },
    allow,
  ),
  form(
    { ...AT, id: "console_refuse_client", path: `${PATH}/refuse`, summary: "Refuse an assistant" },
    refuse,
  ),
];
