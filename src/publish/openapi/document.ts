/**
 * The OpenAPI 3.0.3 document, made from the table of routes: the schemas are those that check the
 * requests, so the document cannot differ from what the service accepts.
 */
import { REFUSAL_CODES } from "../../../engine/core/refusals.ts";
import { PRODUCT_VERSION, TITLE } from "../../about/about.ts";
import { contactEmail } from "../../about/links.ts";
import type { Config } from "../../config.ts";
import {
  type Contract,
  documentedPath,
  type Parameter,
  type QueryParameter,
  TAGS,
} from "../../http/contract.ts";
import { refusalCodesOf } from "../../http/refusal-codes.ts";
import { docsUrl } from "../../refusals/catalogue.ts";
import { EXAMPLES, lean } from "./examples.ts";
import { answersOf } from "./responses.ts";
import { Components, type Json, pascalCase } from "./schema.ts";
import {
  headerComponents,
  headersOf,
  parameterComponents,
  securityOf,
  securitySchemes,
} from "./shared.ts";
import { shareAnswers } from "./shared-answers.ts";
import { webhookParameters, webhooksOf } from "./webhooks.ts";

const DESCRIPTION = `A booking backbone for hotel supply, made for autonomous agents.

**The flow:** \`search\` → \`quote\` → \`hold\` → \`book\`. A quote freezes price and cancellation
terms, a hold takes the room out of sale for a short time, a booking takes payment and returns a
signed receipt.

**Every answer** is \`{data, trace_id, next_actions}\` or \`{error}\`. \`next_actions\` are calls
that can be made next, with ready bodies. Match on \`error.code\`, never on status or text.

**Amounts** are integers in minor units of the currency (ISO 4217). **Lists** are complete, or say
in \`next_actions\` how to go on. **Retries** of writes carry the same \`Idempotency-Key\`.

**Examples** are calls and answers of a real run; of longer lists they show the first two.

**Parts:** with \`?tag=Bookings\` this document holds the operations of that tag alone, with all
that they refer to.`;

/**
 * Makes the document of some routes with their components and, for the routes of events, the
 * webhooks. It depends only on routes and configuration.
 */
export function openApiDocument(routes: readonly Contract[], config: Config): Json {
  const components = new Components();
  const paths = pathsOf(routes, config, components);
  const hasEvents = routes.some(({ tag }) => tag === "Events");
  const webhooks = hasEvents ? webhooksOf(config, components) : {};
  const operations = [paths, webhooks].flatMap((each) =>
    Object.values(each).flatMap(Object.values),
  );
  const responses = shareAnswers(operations as { responses: Json }[]);
  const referring = JSON.stringify([operations, responses]);
  const used = (section: string, all: Json) => {
    const isUsed = ([name]: [string, unknown]) =>
      referring.includes(`"#/components/${section}/${name}"`);
    return Object.fromEntries(Object.entries(all).filter(isUsed));
  };
  return {
    openapi: "3.0.3",
    info: {
      title: `${TITLE} API`,
      version: "0.0.0",
      "x-service-version": PRODUCT_VERSION,
      description: DESCRIPTION,
      license: { name: "Apache-2.0", url: "https://www.apache.org/licenses/LICENSE-2.0.html" },
      contact: { name: TITLE, url: config.siteUrl, email: contactEmail(config) },
    },
    externalDocs: { description: "All error codes", url: `${config.docsUrl}/errors` },
    servers: [{ url: config.baseUrl }],
    tags: tagsOf(routes),
    paths,
    ...(hasEvents && { "x-webhooks": webhooks }),
    components: {
      securitySchemes: securitySchemes(routes, config),
      parameters: used("parameters", { ...parameterComponents(), ...webhookParameters() }),
      headers: used("headers", headerComponents()),
      responses,
      schemas: components.schemas,
      examples: used("examples", errorExamples()),
    },
  };
}

function tagsOf(routes: readonly Contract[]): Json[] {
  const used = new Set(routes.map(({ tag }) => tag));
  return Object.entries(TAGS)
    .filter(([name]) => used.has(name as keyof typeof TAGS))
    .map(([name, description]) => ({ name, description }));
}

function pathsOf(
  routes: readonly Contract[],
  config: Config,
  components: Components,
): Record<string, Json> {
  const paths: Record<string, Json> = {};
  for (const route of routes) {
    const path = documentedPath(route);
    paths[path] ??= {};
    paths[path][route.method.toLowerCase()] = operationObject(route, { config, components });
  }
  return paths;
}

interface Making {
  readonly config: Config;
  readonly components: Components;
}

function operationObject(route: Contract, making: Making): Json {
  const { config, components } = making;
  const { id, tag, summary, description, params = {}, query = {} } = route;
  const parameters = [
    ...parametersIn("path", params, components),
    ...parametersIn("query", query, components),
    ...headersOf(route),
  ];
  const requestBody = requestBodyOf(route, components);
  return {
    operationId: id,
    tags: [tag],
    summary,
    description: `${description}${concernOf(route)}${ownErrorsOf(route, config)}`,
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(requestBody ? { requestBody } : {}),
    responses: answersOf(route, components),
    security: securityOf(route, config),
    "x-error-codes": refusalCodesOf(route),
  };
}

/** Note for credentials of some properties. */
function concernOf({ access }: Contract): string {
  if (access === "public" || access.touches !== "tenant") return "";
  return "\n\nNot available to credentials of some properties.";
}

/** The operation's own refusals, with links to their pages. */
function ownErrorsOf({ errors }: Contract, { docsUrl: docs }: Config): string {
  if (errors.length === 0) return "";
  const links = errors.map((code) => `[\`${code}\`](${docsUrl(docs, code)})`);
  return `\n\nSpecific errors: ${links.join(", ")}.`;
}

function parametersIn(
  place: "path" | "query",
  parameters: Readonly<Record<string, Parameter & Pick<Partial<QueryParameter>, "isRequired">>>,
  components: Components,
): Json[] {
  return Object.entries(parameters).map(([name, { schema, description, isRequired }]) => {
    const required = place === "path" || isRequired === true;
    return { name, in: place, required, description, schema: components.convert(schema) };
  });
}

function requestBodyOf(route: Contract, components: Components) {
  const { id, accepts = {}, body, method } = route;
  // OpenAPI 3.0 knows no body of a DELETE, and no client needs to send one.
  if (method === "DELETE") return null;
  const content: Json = {};
  for (const [type, schema] of Object.entries(accepts)) {
    content[type] = { schema: components.convert(schema) };
  }
  if (body) {
    const request = EXAMPLES.operations[id]?.request;
    const example = request === undefined ? {} : { example: lean(request) };
    const reference = components.convert(body.schema, `${pascalCase(id)}Request`);
    content["application/json"] = { schema: reference, ...example };
  }
  if (Object.keys(content).length === 0) return null;
  return { required: route.isBodyOptional !== true, content };
}

function errorExamples(): Json {
  const entries = REFUSAL_CODES.flatMap((code) => {
    const failure = EXAMPLES.errors[code];
    if (!failure) return [];
    const summary = `${failure.method} ${failure.path}`;
    return [[code, { summary, value: lean(failure.response) }]];
  });
  return Object.fromEntries(entries);
}
