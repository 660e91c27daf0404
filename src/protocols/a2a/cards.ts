/**
 * The agent cards: the card of A2A 1.0, and the discovery card with the older shape plus the fields
 * of 1.0. Both are signed (A2A §8.4) with a key of `jwks.json`; unsigned without OAuth.
 */
import { A2A_PROTOCOL_VERSION, type AgentCard, generateAgentCardSignature } from "@a2a-js/sdk";
import { A2A_LEGACY_PROTOCOL_VERSION } from "@a2a-js/sdk/compat/v0_3";
import { DESCRIPTION, PRODUCT_VERSION, TITLE } from "../../about/about.ts";
import { linksOf } from "../../about/links.ts";
import type { KeyRing, Signer } from "../../access/auth/key-ring.ts";
import { DEFAULT_SCOPES } from "../../access/control/agents.ts";
import type { Context } from "../../http/context.ts";
import type { Routes } from "../../http/route-table.ts";
import { toolsOf } from "../tools/catalogue.ts";

type Card = Readonly<Record<string, unknown>>;

export interface PublicCard {
  readonly card: Card;
  /** Source of the ETag, because ECDSA signatures differ each time and per process. */
  readonly etagOf: string;
}

interface PublicCards {
  /** The signing key; null for unsigned cards. */
  readonly kid: string | null;
  readonly a2a: PublicCard;
  readonly discovery: PublicCard;
}

/** Protocol versions of `POST /a2a`, the preferred one first. */
export const VERSIONS = [A2A_PROTOCOL_VERSION, A2A_LEGACY_PROTOCOL_VERSION] as const;

const BEARER = "The agent's secret, or an OAuth access token.";
const CLIENT_CREDENTIALS =
  "Client credentials: client_id is the agent's id, client_secret its secret.";

type Source = Pick<Context, "config" | "routes">;

/** Each scope with the tools that need it. */
function scopesOf(routes: Routes): Readonly<Record<string, string>> {
  const titles = (scope: string) =>
    toolsOf(routes).flatMap(({ route: { access }, title }) => {
      return access !== "public" && access.scope === scope ? [title] : [];
    });
  return Object.fromEntries(DEFAULT_SCOPES.map((scope) => [scope, titles(scope).join(", ")]));
}

/** Common part of both cards. */
function commonOf({ config, routes }: Source) {
  const { a2a: url, docs, logo } = linksOf(config);
  return {
    name: TITLE,
    description:
      `${DESCRIPTION} Send one data part {"skill": id, "input": {...}} per message; the answer is ` +
      "a data part with the envelope, whose next_actions name the next skill and its input as " +
      "tool and arguments.",
    version: PRODUCT_VERSION,
    provider: { organization: TITLE, url: config.siteUrl },
    documentationUrl: docs,
    iconUrl: logo,
    supportedInterfaces: VERSIONS.map((protocolVersion) => {
      return { url, protocolBinding: "JSONRPC", protocolVersion };
    }),
    defaultInputModes: ["application/json"],
    defaultOutputModes: ["application/json", "text/plain"],
    skills: skillsOf(routes),
  };
}

/** Authentication schemes by name, independent of A2A versions. */
function schemesOf({ config, routes }: Source) {
  const { baseUrl, oauthIssuer } = config;
  const bearer = { description: BEARER, scheme: "Bearer", bearerFormat: "opaque or JWT" };
  if (oauthIssuer === null) return { bearer };
  const oauth2 = {
    description: CLIENT_CREDENTIALS,
    flows: { clientCredentials: { tokenUrl: `${baseUrl}/oauth/token`, scopes: scopesOf(routes) } },
    oauth2MetadataUrl: linksOf(config).oauth_authorization_server,
  };
  return { bearer, oauth2 };
}

/** The unsigned card of A2A 1.0. */
function a2aCardOf(source: Source): Card {
  const { bearer, oauth2 } = schemesOf(source);
  const securitySchemes = {
    bearer: { httpAuthSecurityScheme: bearer },
    ...(oauth2 ? { oauth2: { oauth2SecurityScheme: oauth2 } } : {}),
  };
  return {
    ...commonOf(source),
    capabilities: { streaming: false, pushNotifications: false, extendedAgentCard: false },
    securitySchemes,
    securityRequirements: Object.keys(securitySchemes).map((name) => {
      return { schemes: { [name]: { list: [] } } };
    }),
  };
}

/** The unsigned discovery card. */
function discoveryCardOf(source: Source): Card {
  const { bearer, oauth2 } = schemesOf(source);
  const securitySchemes = {
    bearer: { type: "http", ...bearer },
    ...(oauth2 ? { oauth2: { type: "oauth2", ...oauth2 } } : {}),
  };
  return {
    ...commonOf(source),
    url: linksOf(source.config).a2a,
    capabilities: { streaming: false, pushNotifications: false, stateTransitionHistory: false },
    authentication: { schemes: ["Bearer"] },
    securitySchemes,
    security: Object.keys(securitySchemes).map((name) => ({ [name]: [] })),
  };
}

/**
 * JWS over the canonical form (RFC 8785) of each reading of a card. Covers only fields of A2A 1.0:
 * verifiers drop the rest first.
 */
async function signaturesOf(readings: readonly Card[], { kid, alg, key }: Signer, jku: string) {
  const sign = generateAgentCardSignature(key, { alg, kid, typ: "JOSE", jku });
  const signed = readings.map(async (card) => {
    const { signatures } = await sign(card as unknown as AgentCard);
    return signatures.map((each) => ({ protected: each.protected, signature: each.signature }));
  });
  return (await Promise.all(signed)).flat();
}

const lastOf = new WeakMap<KeyRing, PublicCards>();

/** Both cards, made once per key. */
async function publicCards(context: Context): Promise<PublicCards> {
  const { config, keyRing, now } = context;
  const signer = config.oauthIssuer === null ? null : await keyRing.signer("agent_card", now());
  const kid = signer?.kid ?? null;
  const last = lastOf.get(keyRing);
  if (last?.kid === kid) return last;
  const publicCard = async (card: Card, readings: readonly Card[]): Promise<PublicCard> => {
    const etagOf = JSON.stringify([card, kid]);
    if (signer === null) return { card, etagOf };
    const signatures = await signaturesOf(readings, signer, linksOf(config).jwks);
    return { card: { ...card, signatures }, etagOf };
  };
  const a2a = a2aCardOf(context);
  const discovery = discoveryCardOf(context);
  // Clients read the older security schemes in two ways; one signature for each.
  const translated = { ...discovery, securitySchemes: a2a.securitySchemes };
  const made = {
    kid,
    a2a: await publicCard(a2a, [a2a]),
    discovery: await publicCard(discovery, [discovery, translated]),
  };
  lastOf.set(keyRing, made);
  return made;
}

/** The card of A2A 1.0 (A2A §4.4.1): for `/.well-known/agent-card.json` with `A2A-Version`. */
export async function a2aCard(context: Context): Promise<PublicCard> {
  return (await publicCards(context)).a2a;
}

/** The discovery card, for `/.well-known/agent.json`. */
export async function discoveryCard(context: Context): Promise<PublicCard> {
  return (await publicCards(context)).discovery;
}

/** An A2A `AgentSkill` (A2A §4.4.5). */
interface Skill {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly examples: readonly string[];
}

/**
 * Every tool as a skill, in the order of the tools. A skill is called with one data part
 * `{"skill": id, "input": {…}}`; the examples are such parts.
 */
export function skillsOf(routes: Routes): Skill[] {
  return toolsOf(routes).map(({ id, title: name, description, tags, example: input }) => {
    return { id, name, description, tags, examples: [JSON.stringify({ skill: id, input })] };
  });
}
