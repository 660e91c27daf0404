/** Credentials of an agent: another one, a replacement with an overlap, and the end of one. */
import type { Static } from "@sinclair/typebox";
import type { CreatedCredential, RotatedCredential } from "../../api/agents/responses.ts";
import { pathId } from "../../api/parameters.ts";
import { type Answered, ask } from "../frame/api.ts";
import { askedPage } from "../frame/asked.tsx";
import { form, page } from "../frame/console-route.ts";
import { type Form, keyHeader } from "../frame/form.ts";
import { notDone } from "../frame/not-done.tsx";
import { OverlapField, overlapOf } from "../frame/overlap.tsx";
import { secretPage } from "../frame/secret.tsx";
import type { Gone, Shown } from "../frame/shown.ts";
import { proofPage } from "../frame/step-up.tsx";
import type { Visit } from "../frame/visit.ts";
import { agentOf, agentOrigin } from "./agent.tsx";

type AtAgent = Visit<"id">;
type AtCredential = Visit<"id" | "credential_id">;

const PATH = "/console/agents/:id/credentials";
const USE = "The agent sends it as a bearer token, or exchanges it for access tokens.";

type Issued = Answered<Static<typeof CreatedCredential>>;

function shown(visit: AtAgent, title: string, answer: Issued): Shown {
  const origin = agentOrigin(visit);
  if (!answer.ok) return notDone(visit, origin, `${title}: not done`, answer.error);
  const { agent_id, credential } = answer.data;
  return secretPage({
    ...{ title, place: "agents", of: agent_id, secret: credential.secret, use: USE },
    ...{ back: visit.root + origin.back, backName: "To the agent" },
  });
}

async function issue(visit: AtAgent, sent: Form): Promise<Shown> {
  const unproved = proofPage(visit, sent, null);
  if (unproved) return unproved;
  const { id } = visit.call.params;
  const answer: Issued = await ask(visit, {
    ...{ id: "create_credential", params: { id }, body: {}, headers: keyHeader(sent) },
  });
  return shown(visit, "New credential", answer);
}

interface Question {
  readonly name: "rotate" | "revoke";
  readonly title: string;
  readonly button: string;
}

const ROTATE: Question = {
  name: "rotate",
  title: "Replace this credential?",
  button: "Replace it",
};
const REVOKE: Question = { name: "revoke", title: "Revoke this credential?", button: "Revoke it" };

/** Shows of which agent and which secret it is. */
function asks({ name, title, button }: Question) {
  return async (visit: AtCredential): Promise<Shown> => {
    const origin = agentOrigin(visit);
    const found = await agentOf(visit);
    if (!found.ok) return notDone(visit, origin, title, found.error);
    const { credential_id } = visit.call.params;
    const known = found.data.credentials.find((each) => each.credential_id === credential_id);
    const hint = known ? `${known.prefix}…${known.last4}` : credential_id;
    return askedPage(visit, {
      ...{ ...origin, title, about: found.data.name, button },
      to: `${origin.back}/credentials/${credential_id}/${name}`,
      children: (
        <>
          <p>
            Its secret is <code>{hint}</code>.{" "}
            {name === "revoke"
              ? "It is refused from now on, with every access token that was issued for it."
              : "The new secret is shown once, on the next page."}
          </p>
          {name === "rotate" && <OverlapField label="The replaced secret works on for" />}
        </>
      ),
    });
  };
}

async function rotate(visit: AtCredential, sent: Form): Promise<Shown> {
  const unproved = proofPage(visit, sent, null);
  if (unproved) return unproved;
  const { id, credential_id } = visit.call.params;
  const answer = await ask<Static<typeof RotatedCredential>>(visit, {
    ...{ id: "rotate_credential", params: { id, credential_id } },
    ...{ body: { overlap_s: overlapOf(sent) }, headers: keyHeader(sent) },
  });
  return shown(visit, "Credential replaced", answer);
}

async function revoke(visit: AtCredential, sent: Form): Promise<Shown | Gone> {
  const unproved = proofPage(visit, sent, null);
  if (unproved) return unproved;
  const { id, credential_id } = visit.call.params;
  const answer = await ask(visit, {
    ...{ id: "revoke_credential", params: { id, credential_id }, body: {} },
    headers: keyHeader(sent),
  });
  const origin = agentOrigin(visit);
  if (!answer.ok) return notDone(visit, origin, "Revoke a credential: not done", answer.error);
  return { goTo: origin.back };
}

const AGENT_ID = pathId("Id of the agent.");
const AT = {
  params: { id: AGENT_ID, credential_id: pathId("Id of the credential.") },
} as const;
const ONE = `${PATH}/:credential_id` as const;

export const credentialPageRoutes = [
  form(
    {
      ...{ id: "console_new_credential", path: PATH, summary: "Issue another credential" },
      params: { id: AGENT_ID },
    },
    issue,
  ),
  page(
    {
      ...{ ...AT, id: "console_ask_rotate_credential", path: `${ONE}/rotate` },
      summary: "Replace a credential?",
    },
    asks(ROTATE),
  ),
  form(
    {
      ...{ ...AT, id: "console_rotate_credential", path: `${ONE}/rotate` },
      summary: "Replace a credential",
    },
    rotate,
  ),
  page(
    {
      ...{ ...AT, id: "console_ask_revoke_credential", path: `${ONE}/revoke` },
      summary: "Revoke a credential?",
    },
    asks(REVOKE),
  ),
  form(
    {
      ...{ ...AT, id: "console_revoke_credential", path: `${ONE}/revoke` },
      summary: "Revoke a credential",
    },
    revoke,
  ),
];
