/**
 * `GET /oauth/authorize`: where a client sends a person. The page names the client and leads to the
 * consent page of the console by a link of its own: the console's cookie is not sent by a
 * navigation that began on another site.
 */
import type { VNode } from "preact";
import { answeredAt, isOnThisDevice, placeOf } from "../../access/auth/redirect-uris.ts";
import type { OauthClient } from "../../access/control/oauth-clients.ts";
import type { PrivatePage } from "../../http/answer.ts";
import type { PublicCall } from "../../http/call.ts";
import { route } from "../../http/route.ts";
import { renderedPlain } from "../../page-parts/document.tsx";
import { PERSON_PAGE } from "../../page-parts/page-contract.ts";
import { Fact } from "../../page-parts/parts.tsx";
import { rootPath } from "../../pages/frame.ts";
import {
  type AuthorizationError,
  readAuthorization,
} from "../../protocols/oauth/authorization-request.ts";

/** The consent page. */
export const CONSENT_PATH = "/console/authorize";

/** Who asks and where it is answered; the name is what the client calls itself. */
export function Asking({ client, uri }: { readonly client: OauthClient; readonly uri: string }) {
  return (
    <dl>
      <Fact name="Calls itself (not verified)">
        <bdi>{client.name}</bdi>
      </Fact>
      <Fact name="Gets access at">
        <code>{placeOf(uri)}</code>
        {isOnThisDevice(uri) && ", a program on your own computer"}
      </Fact>
    </dl>
  );
}

async function shown(call: PublicCall, title: string, main: VNode): Promise<PrivatePage> {
  const html = await renderedPlain(rootPath(call.context.config), { title, main });
  return { ok: true, show: { html } };
}

/**
 * Why there is no connection; `back` is the client's answer, where it is known. It is a link:
 * anybody may register an address, and a redirect would lead there in the name of this service
 * (RFC 9700 §4.11.2).
 */
async function faultPage(
  call: PublicCall,
  problem: string,
  { status = 400, back }: { readonly status?: number; readonly back?: string } = {},
): Promise<PrivatePage> {
  const title = "This connection cannot be made";
  const main = (
    <>
      <h1>{title}</h1>
      <p class="problem" role="alert">
        {problem}
      </p>
      <p>
        Nothing was given to anybody. Begin again in the assistant; if it lasts, remove the
        connection there and add it anew.
      </p>
      {back !== undefined && (
        <p>
          <a class="button" href={back} rel="noreferrer">
            Back to {placeOf(back)}
          </a>
        </p>
      )}
    </>
  );
  return { ...(await shown(call, title, main)), status };
}

/** An error for the client; `iss` says who answers (RFC 9207). */
export function errorTo(
  { redirect_uri, state }: { readonly redirect_uri: string; readonly state: string | null },
  { error, problem, iss }: { error: AuthorizationError; problem: string; iss: string },
): string {
  const answer = { error, error_description: problem, ...(state !== null && { state }), iss };
  return answeredAt(redirect_uri, answer);
}

/** Keeps a valid request and shows who asks. */
async function authorize(call: PublicCall): Promise<PrivatePage> {
  const { accessTokens, config, oauth, now } = call.context;
  if (accessTokens === null || config.oauthIssuer === null) {
    return faultPage(call, "This service takes no connections: OAuth is not configured.", {
      status: 404,
    });
  }
  const query = new URL(call.request.url, "http://localhost").searchParams;
  const reading = readAuthorization(query, { clients: oauth.clients, accessTokens });
  if (reading.is === "unknown") return faultPage(call, reading.problem);
  if (reading.is === "refused") {
    const { error, problem } = reading;
    const back = errorTo(reading, { error, problem, iss: config.oauthIssuer });
    return faultPage(call, `The assistant asked wrongly: ${problem}.`, { back });
  }
  const { client, request } = reading;
  const id = oauth.requests.add(request, now());
  oauth.clients.noteUse(client.client_id, now());
  const to = `${rootPath(config)}${CONSENT_PATH}/${id}`;
  const main = (
    <>
      <h1>Connect an assistant</h1>
      <p class="lead">A program asks to act for you at this service.</p>
      <Asking client={client} uri={request.redirect_uri} />
      <p>
        Did you just begin this in that assistant? If not, close this page. On the next page, an
        operator decides what it may do; nothing is given before.
      </p>
      <p>
        <a class="button" href={to}>
          Continue
        </a>
      </p>
    </>
  );
  return shown(call, "Connect an assistant", main);
}

export const authorizeRoutes = [
  route({
    ...PERSON_PAGE,
    id: "get_authorize",
    tag: "Authentication",
    method: "GET",
    path: "/oauth/authorize",
    addressLimit: { name: "authorize" },
    summary: "Connect an assistant",
    handle: authorize,
  }),
];
