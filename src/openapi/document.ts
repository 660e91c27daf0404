/**
 * The OpenAPI 3.0.3 document, made from the table of routes: the schemas are those that check the
 * requests, so the document cannot differ from what the service accepts.
 */

import { TITLE } from "../about/about.ts";
import type { Config } from "../config.ts";
import { operationOf } from "../contract/operations.ts";
import { contactEmail } from "../discovery/manifests.ts";
import type { Route } from "../http/call.ts";
import { type Operation, type Parameter, TAGS } from "../http/contract.ts";
import { errorCodesOf } from "../http/error-codes.ts";
import { docsUrl, ERROR_CODES } from "../refusals/catalogue.ts";
import { answersOf } from "./answers.ts";
import { EXAMPLES } from "./examples.ts";
import { Components, type Json } from "./schema.ts";
import {
  headerComponents,
  headersOf,
  parameterComponents,
  securityOf,
  securitySchemes,
} from "./shared.ts";

const DESCRIPTION = `A booking backbone for hotel supply, made for autonomous agents.

**The flow:** \`search\` → \`quote\` → \`hold\` → \`book\`. A quote freezes price and cancellation
terms, a hold takes the room out of sale for a short time, a booking takes payment and returns a
signed receipt.

**Every answer** is \`{data, trace_id, next_actions}\` or \`{error}\`. \`next_actions\` are calls
that can be made next, with ready bodies. Match on \`error.code\`, never on status or text.

**Amounts** are integers in minor units of the currency (ISO 4217). **Lists** are complete; there is
no paging. **Retries** of writes carry the same \`Idempotency-Key\`.`;

/** Makes the document. It depends on the routes and on the configuration alone. */
export function openApiDocument(routes: readonly Route[], config: Config): Json {
  const components = new Components();
  const paths = pathsOf(routes, config, components);
  return {
    openapi: "3.0.3",
    info: {
      title: `${TITLE} API`,
      version: "0.0.0",
      description: DESCRIPTION,
      license: { name: "Apache-2.0", url: "https://www.apache.org/licenses/LICENSE-2.0.html" },
      contact: { name: TITLE, url: config.siteUrl, email: contactEmail(config) },
    },
    externalDocs: { description: "All error codes", url: `${config.docsUrl}/errors` },
    servers: [{ url: config.baseUrl }],
    tags: tagsOf(routes),
    paths,
    components: {
      securitySchemes: securitySchemes(routes, config),
      parameters: parameterComponents(),
      headers: headerComponents(),
      schemas: components.schemas,
      examples: errorExamples(),
    },
  };
}

/** Path as OpenAPI writes it, with the parameter names that the contract gives. */
export function documentedPath(route: Pick<Route, "path">, operation: Operation): string {
  const names = Object.keys(operation.params ?? {});
  return route.path.replace(/:(\w+)/g, (_, own: string) => `{${names.shift() ?? own}}`);
}

function tagsOf(routes: readonly Route[]): Json[] {
  const used = new Set(routes.map((route) => operationOf(route).tag));
  return Object.entries(TAGS)
    .filter(([name]) => used.has(name as keyof typeof TAGS))
    .map(([name, description]) => ({ name, description }));
}

function pathsOf(routes: readonly Route[], config: Config, components: Components): Json {
  const paths: Record<string, Json> = {};
  for (const route of routes) {
    const operation = operationOf(route);
    const path = documentedPath(route, operation);
    paths[path] ??= {};
    paths[path][route.method.toLowerCase()] = operationObject(route, operation, {
      config,
      components,
    });
  }
  return paths;
}

interface Making {
  readonly config: Config;
  readonly components: Components;
}

function operationObject(route: Route, operation: Operation, making: Making): Json {
  const { config, components } = making;
  const { id, tag, summary, description, params = {}, query = {} } = operation;
  const parameters = [
    ...parametersIn("path", params, components),
    ...parametersIn("query", query, components),
    ...headersOf(route, operation),
  ];
  const requestBody = requestBodyOf(route, operation, components);
  return {
    operationId: id,
    tags: [tag],
    summary,
    description: `${description}${ownErrorsOf(operation, config)}`,
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(requestBody ? { requestBody } : {}),
    responses: answersOf(route, operation, components),
    security: securityOf(route, config),
    "x-error-codes": errorCodesOf(route, operation),
  };
}

/** The refusals that are the operation's own, each with the way to its page. */
function ownErrorsOf({ errors }: Operation, { docsUrl: docs }: Config): string {
  if (errors.length === 0) return "";
  const links = errors.map((code) => `[\`${code}\`](${docsUrl(docs, code)})`);
  return `\n\nErrors of its own: ${links.join(", ")}.`;
}

function parametersIn(
  place: "path" | "query",
  parameters: Readonly<Record<string, Parameter>>,
  components: Components,
): Json[] {
  return Object.entries(parameters).map(([name, { schema, description }]) => {
    const required = place === "path";
    return { name, in: place, required, description, schema: components.convert(schema) };
  });
}

function requestBodyOf(route: Route, operation: Operation, components: Components) {
  const { id, accepts = {} } = operation;
  const content: Json = {};
  for (const [type, schema] of Object.entries(accepts)) {
    content[type] = { schema: components.convert(schema) };
  }
  const schema = (route.access === "public" ? undefined : route.check?.schema) ?? route.body;
  if (schema) {
    const request = EXAMPLES.operations[id]?.request;
    const example = request === undefined ? {} : { example: request };
    const reference = components.add(`${pascalCase(id)}Request`, schema);
    content["application/json"] = { schema: reference, ...example };
  }
  if (Object.keys(content).length === 0) return null;
  const isRequired = route.access === "public" || route.isBodyOptional !== true;
  return { required: isRequired, content };
}

function pascalCase(id: string): string {
  return id.replace(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase());
}

function errorExamples(): Json {
  const entries = ERROR_CODES.flatMap((code) => {
    const failure = EXAMPLES.errors[code];
    if (!failure) return [];
    const summary = `${failure.method} ${failure.path}`;
    return [[code, { summary, value: failure.response }]];
  });
  return Object.fromEntries(entries);
}
