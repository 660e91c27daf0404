/**
 * What a host can put before a model without a tool call: every property as a document, the errors
 * with their remedies, and the flows.
 */
import {
  type CompleteRequest,
  type CompleteResult,
  type ListResourcesResult,
  ProtocolError,
  ProtocolErrorCode,
  type ReadResourceRequest,
  type ReadResourceResult,
  type Resource,
  ResourceNotFoundError,
  type ResourceTemplateType,
} from "@modelcontextprotocol/server";
import type { Call } from "../http/call.ts";
import { callRoute, type InProcessAnswer } from "../http/in-process.ts";
import { catalogueDocument } from "../refusals/published.ts";
import { FLOWS } from "../tools/flows.ts";

const JSON_TYPE = "application/json";
const PROPERTIES = "hotel://properties/";
const PROPERTY = /^hotel:\/\/properties\/([a-z0-9-]{1,120})$/;
const ERRORS = "innkeep://errors";
const GUIDE = "innkeep://flows";
/** MCP: a completion has at most this many values. */
const COMPLETIONS_MAX = 100;

const DOCUMENTS: readonly Resource[] = [
  {
    uri: ERRORS,
    name: "errors",
    title: "Error catalogue",
    description: "Every error code with its remediation and recovery calls.",
    mimeType: JSON_TYPE,
  },
  {
    uri: GUIDE,
    name: "flows",
    title: "Flows",
    description: "Sequences of tools that reach a traveler's goal.",
    mimeType: JSON_TYPE,
  },
];

/** The templates of resources that are not listed one by one. */
export const RESOURCE_TEMPLATES: ResourceTemplateType[] = [
  {
    uriTemplate: `${PROPERTIES}{slug}`,
    name: "property",
    title: "Property",
    description: "A hotel with rooms, rate plans, amenities and cancellation policies.",
    mimeType: JSON_TYPE,
  },
];

interface ListedProperty {
  readonly slug: string;
  readonly name: string;
  readonly address: { readonly city: string; readonly country: string };
}

/** The live properties that the caller may read; none without the scope. */
async function propertiesOf(call: Call): Promise<readonly ListedProperty[]> {
  const { status, body } = await callRoute(call, { id: "list_properties" });
  return status === 200 ? (body.data as { items: readonly ListedProperty[] }).items : [];
}

/** The documents, and one resource for each live property. */
export async function listResources(call: Call): Promise<ListResourcesResult> {
  const properties = await propertiesOf(call);
  const listed = properties.map(({ slug, name, address }) => ({
    uri: PROPERTIES + slug,
    name: slug,
    title: name,
    description: `Hotel in ${address.city}, ${address.country}`,
    mimeType: JSON_TYPE,
  }));
  return { resources: [...DOCUMENTS, ...listed] };
}

/** One resource as JSON. Throws `ResourceNotFoundError` for a URI that the caller has none at. */
export async function readResource(
  call: Call,
  { params: { uri } }: ReadResourceRequest,
): Promise<ReadResourceResult> {
  const value = await valueAt(call, uri);
  return { contents: [{ uri, mimeType: JSON_TYPE, text: JSON.stringify(value) }] };
}

async function valueAt(call: Call, uri: string): Promise<unknown> {
  const { config, routes } = call.context;
  if (uri === ERRORS) return catalogueDocument(config.docsUrl, routes.all);
  if (uri === GUIDE) return { flows: FLOWS };
  const [, slug] = PROPERTY.exec(uri) ?? [];
  if (slug === undefined) throw new ResourceNotFoundError(uri);
  const { status, body } = await callRoute(call, { id: "get_property_full", params: { id: slug } });
  if (status === 404) throw new ResourceNotFoundError(uri);
  if (status !== 200) throw refusalOf(body);
  return body.data;
}

/** A refusal as a protocol error whose data is the envelope: there is no result to put it in. */
function refusalOf(body: InProcessAnswer["body"]): ProtocolError {
  const { message } = body.error as { readonly message: string };
  return new ProtocolError(ProtocolErrorCode.InvalidRequest, message, body);
}

/** Completes the slug of a property; nothing else here has values to complete. */
export async function complete(call: Call, { params }: CompleteRequest): Promise<CompleteResult> {
  const { ref, argument } = params;
  const isSlug = ref.type === "ref/resource" && argument.name === "slug";
  const properties = isSlug ? await propertiesOf(call) : [];
  const values = properties
    .map(({ slug }) => slug)
    .filter((slug) => slug.startsWith(argument.value));
  return {
    completion: {
      values: values.slice(0, COMPLETIONS_MAX),
      total: values.length,
      hasMore: values.length > COMPLETIONS_MAX,
    },
  };
}
