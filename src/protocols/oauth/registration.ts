/**
 * `POST /oauth/register`: dynamic client registration (RFC 7591). Anybody may register; what a
 * client may do is decided by an operator on the consent page.
 */
import { type Static, Type } from "@sinclair/typebox";
import { isRedirectUri, placeOf } from "../../access/auth/redirect-uris.ts";
import { CLIENT_AUTH_METHODS, type ClientAuthMethod } from "../../access/control/oauth-clients.ts";
import type { OauthBody, OauthRefusal } from "../../http/answer.ts";
import { BODY_BYTES_MAX, readBody } from "../../http/body.ts";
import type { PublicCall } from "../../http/call.ts";
import { documented } from "../../http/schema/annotations.ts";
import { extensible } from "../../http/schema/answer-parts.ts";
import { nameOf } from "../../http/schema/text-formats.ts";
import { type FieldError, json } from "../../http/validate.ts";
import { badRequest, NOT_CONFIGURED } from "./endpoint.ts";

const REDIRECT_URIS_MAX = 10;
const NAME_CHARACTERS_MAX = 100;
/** What every client may use; a client cannot choose fewer. */
const GRANT_TYPES = ["authorization_code", "refresh_token"] as const;
const RESPONSE_TYPES = ["code"] as const;

const Texts = Type.Array(Type.String(), { maxItems: 50 });
const Registration = extensible("ClientRegistration", "RFC 7591; other members are ignored.", {
  redirect_uris: Type.Array(Type.String(), {
    ...{ minItems: 1, maxItems: REDIRECT_URIS_MAX },
    description:
      "https, http on the loopback interface, whose port does not count, or the scheme of an app.",
  }),
  client_name: Type.Optional(nameOf(NAME_CHARACTERS_MAX, "Shown to the operator as unverified.")),
  token_endpoint_auth_method: documented(
    Type.Optional(Type.String()),
    "`none` for a public client, `client_secret_basic` (the default) or `client_secret_post`.",
  ),
  grant_types: documented(Type.Optional(Texts), "`authorization_code` is one of them."),
  response_types: documented(Type.Optional(Texts), "`code` is one of them."),
});
export const REGISTRATION = json(Registration);

type Metadata = Static<typeof Registration>;

/** The client's id and, unless it is a public one, its secret. */
export async function register(call: PublicCall): Promise<OauthBody | OauthRefusal> {
  const { context, request } = call;
  if (context.accessTokens === null) return NOT_CONFIGURED;
  const sent = await readBody(request, BODY_BYTES_MAX);
  if (!sent.ok) return refusedBy(sent.errors);
  const reading = REGISTRATION.read(sent.body, 0);
  if (!reading.ok) return refusedBy(reading.errors);
  const metadata = reading.value;
  const fault = faultOf(metadata);
  if (fault !== null) return fault;
  const { redirect_uris, client_name = placeOf(redirect_uris[0]!).slice(0, NAME_CHARACTERS_MAX) } =
    metadata;
  const auth_method = (metadata.token_endpoint_auth_method ??
    "client_secret_basic") as ClientAuthMethod;
  const nowMs = context.now();
  const client = { name: client_name, redirect_uris, auth_method };
  const { client_id, secret } = context.oauth.clients.add(client, nowMs);
  const body = {
    ...{ client_id, client_id_issued_at: Math.floor(nowMs / 1000) },
    ...(secret !== null && { client_secret: secret, client_secret_expires_at: 0 }),
    ...{ client_name, redirect_uris, token_endpoint_auth_method: auth_method },
    ...{ grant_types: GRANT_TYPES, response_types: RESPONSE_TYPES },
  };
  return { ok: true, status: 201, body };
}

function faultOf(metadata: Metadata): OauthRefusal | null {
  const { redirect_uris, token_endpoint_auth_method: method = "client_secret_basic" } = metadata;
  const { grant_types = ["authorization_code"], response_types = ["code"] } = metadata;
  const invalid = (problem: string) => badRequest("invalid_client_metadata", problem);
  if (!redirect_uris.every(isRedirectUri)) {
    return badRequest("invalid_redirect_uri", "redirect_uris holds one that is not allowed");
  }
  if (!CLIENT_AUTH_METHODS.some((each) => each === method)) {
    return invalid("token_endpoint_auth_method is not supported");
  }
  if (!grant_types.includes("authorization_code")) {
    return invalid("grant_types does not hold authorization_code");
  }
  return response_types.includes("code") ? null : invalid("response_types does not hold code");
}

function refusedBy(errors: readonly FieldError[]): OauthRefusal {
  const isAboutUris = errors.every(({ path }) => path.startsWith("/redirect_uris"));
  const said = errors.map(({ path, message, expected }) => {
    return `${path.slice(1) || "the body"} ${message}; expected ${expected}`;
  });
  const code = isAboutUris ? "invalid_redirect_uri" : "invalid_client_metadata";
  return badRequest(code, said.join("; "));
}
