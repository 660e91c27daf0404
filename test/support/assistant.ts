/**
 * A hosted assistant as the service meets it: it registers itself, sends a person to the page, and
 * gets a code and tokens. By hand, so that every step can be made wrong.
 */
import { randomHex } from "../../src/lib/trace.ts";
import { hiddenFields, type Person, type Seen } from "./console.ts";
import type { Service } from "./service.ts";

type Fields = Readonly<Record<string, string>>;

export interface Answered {
  readonly status: number;
  readonly json: Readonly<Record<string, unknown>>;
  readonly headers: Headers;
}

export interface Tokens {
  readonly access_token: string;
  readonly refresh_token: string;
  readonly scope: string;
}

export const CALLBACK = "https://assistant.example/callback";
/** Of RFC 7636, appendix B. */
export const VERIFIER = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
export const CHALLENGE = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";

let addresses = 0;

/** One request of an address of its own, where a proxy is trusted. */
export async function post(
  service: Service,
  path: string,
  body: Fields | object,
): Promise<Answered> {
  const isForm = !path.endsWith("/register");
  addresses += 1;
  const response = await fetch(service.baseUrl + path, {
    method: "POST",
    body: isForm ? new URLSearchParams(body as Record<string, string>) : JSON.stringify(body),
    headers: {
      "x-forwarded-for": `203.0.${Math.floor(addresses / 250)}.${addresses % 250}`,
      "content-type": isForm ? "application/x-www-form-urlencoded" : "application/json",
    },
  });
  const json = (await response.json()) as Record<string, unknown>;
  return { status: response.status, json, headers: response.headers };
}

export class Assistant {
  readonly service: Service;
  readonly client_id: string;
  readonly secret: string | undefined;
  readonly redirect_uri: string;

  private constructor(service: Service, client: Readonly<Record<string, unknown>>) {
    this.service = service;
    this.client_id = String(client.client_id);
    this.secret = client.client_secret as string | undefined;
    this.redirect_uri = (client.redirect_uris as string[])[0]!;
  }

  /** A client that has registered. */
  static async register(service: Service, metadata: object = {}): Promise<Assistant> {
    const about = { client_name: "Tripmate", redirect_uris: [CALLBACK] };
    const body = { ...about, token_endpoint_auth_method: "none", ...metadata };
    const { status, json } = await post(service, "/oauth/register", body);
    if (status !== 201) throw new Error(`not registered: ${JSON.stringify(json)}`);
    return new Assistant(service, json);
  }

  /** The page that it sends a person to; an empty parameter is left out. */
  page(parameters: Fields = {}): string {
    const { client_id, redirect_uri } = this;
    const all = {
      ...{ response_type: "code", client_id, redirect_uri, state: "s t&=å" },
      ...{ code_challenge: CHALLENGE, code_challenge_method: "S256", scope: "search quotes" },
      ...parameters,
    };
    const sent = Object.entries(all).filter(([, value]) => value !== "");
    return `/oauth/authorize?${new URLSearchParams(sent)}`;
  }

  /** The path of the consent page. */
  async asks(person: Person, parameters: Fields = {}): Promise<string> {
    const { html, status } = await person.get(this.page(parameters));
    const [, path] = /href="([^"]*\/console\/authorize\/\w+)"/.exec(html) ?? [];
    if (path === undefined) throw new Error(`no way to consent: ${status} ${html}`);
    return path;
  }

  /** The operator allows what was asked for; the answer that leads back. */
  async allowed(person: Person, parameters: Fields = {}, fields: Fields = {}): Promise<Seen> {
    const consent = await this.asks(person, parameters);
    const { html } = await person.get(consent);
    const ticked = [...html.matchAll(/name="(scope_[^"]+)" value="yes" checked/g)];
    const scopes = Object.fromEntries(ticked.map(([, name]) => [name!, "yes"]));
    const action = `${consent}/allow`;
    return person.send(action, { ...hiddenFields(html, action), ...scopes, ...fields });
  }

  /** A code, by an operator that allows. */
  async code(person: Person, parameters: Fields = {}, fields: Fields = {}): Promise<string> {
    const { location, status, html } = await this.allowed(person, parameters, fields);
    const code = location === null ? null : new URL(location).searchParams.get("code");
    if (code === null) throw new Error(`no code: ${status} ${location} ${html}`);
    return code;
  }

  /** What the token endpoint says; an empty parameter is left out. */
  token(parameters: Fields): Promise<Answered> {
    const { client_id, secret } = this;
    const all = { client_id, ...(secret && { client_secret: secret }), ...parameters };
    const sent = Object.entries(all).filter(([, value]) => value !== "");
    return post(this.service, "/oauth/token", Object.fromEntries(sent));
  }

  redeem(code: string, parameters: Fields = {}): Promise<Answered> {
    const { redirect_uri } = this;
    const grant = { grant_type: "authorization_code", code, redirect_uri };
    return this.token({ ...grant, code_verifier: VERIFIER, ...parameters });
  }

  refresh(refresh_token: string, parameters: Fields = {}): Promise<Answered> {
    return this.token({ grant_type: "refresh_token", refresh_token, ...parameters });
  }

  /** Tokens, by an operator that allows. */
  async connect(person: Person, parameters: Fields = {}, fields: Fields = {}): Promise<Tokens> {
    const { status, json } = await this.redeem(await this.code(person, parameters, fields));
    if (status !== 200) throw new Error(`no tokens: ${JSON.stringify(json)}`);
    return json as unknown as Tokens;
  }
}

/** The status of a list of tools with a token. */
export async function toolsStatus(service: Service, token: string): Promise<number> {
  const message = { jsonrpc: "2.0", id: randomHex(4), method: "tools/list", params: {} };
  const response = await fetch(`${service.baseUrl}/mcp`, {
    method: "POST",
    body: JSON.stringify(message),
    headers: {
      authorization: `Bearer ${token}`,
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
    },
  });
  await response.text();
  return response.status;
}
