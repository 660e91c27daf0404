/**
 * Resources that a host can add without a tool call: errors with remedies, flows, and any property
 * through templates, so that the list stays short.
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
import type { Call } from "../../http/call.ts";
import { callRoute, type InProcessAnswer } from "../../http/in-process.ts";
import { catalogueDocument } from "../../refusals/published.ts";
import { TOOL_TERMS } from "../../refusals/record.ts";
import { FLOWS } from "../tools/flows.ts";
import { found, placesBegun, propertiesOf } from "./property-finder.ts";

const JSON_TYPE = "application/json";
const PROPERTIES = "hotel://properties/";
const PROPERTY = /^hotel:\/\/properties\/([a-z0-9-]{1,120})$/;
const SEARCH = "hotel://search";
const SEARCHED = /^hotel:\/\/search(?:\?q=([^&#]{0,300}))?$/;
/** Limit of a search. */
const FOUND_MAX = 50;
const ERRORS = "innkeep://errors";
const GUIDE = "innkeep://flows";
/** Limit of MCP. */
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

/** Templates for properties: a tenant may have thousands. */
export const RESOURCE_TEMPLATES: ResourceTemplateType[] = [
  {
    uriTemplate: `${PROPERTIES}{slug}`,
    name: "property",
    title: "Property",
    description: "A hotel with rooms, rate plans, amenities and cancellation policies.",
    mimeType: JSON_TYPE,
  },
  {
    uriTemplate: `${SEARCH}{?q}`,
    name: "search",
    title: "Find a property",
    description: "Hotels by the first letters of name, city or slug, with the address of each.",
    mimeType: JSON_TYPE,
  },
];

/** The documents; hotels are found through the templates. */
export function listResources(): ListResourcesResult {
  return { resources: [...DOCUMENTS] };
}

/** One resource as JSON. Throws `ResourceNotFoundError` for a URI unknown to the caller. */
export async function readResource(
  call: Call,
  { params: { uri } }: ReadResourceRequest,
): Promise<ReadResourceResult> {
  const value = await valueAt(call, uri);
  return { contents: [{ uri, mimeType: JSON_TYPE, text: JSON.stringify(value) }] };
}

async function valueAt(call: Call, uri: string): Promise<unknown> {
  const { config, routes } = call.context;
  if (uri === ERRORS) return catalogueDocument(config.docsUrl, routes.published, TOOL_TERMS);
  if (uri === GUIDE) return { flows: FLOWS };
  if (SEARCHED.test(uri)) return search(call, uri);
  const [, slug] = PROPERTY.exec(uri) ?? [];
  if (slug === undefined) throw new ResourceNotFoundError(uri);
  const { status, body } = await callRoute(call, { id: "get_property_full", params: { id: slug } });
  if (status === 404) throw new ResourceNotFoundError(uri);
  if (status !== 200) throw refusalOf(body);
  return body.data;
}

/** A refusal as a protocol error with the envelope as data. */
function refusalOf(body: InProcessAnswer["body"]): ProtocolError {
  const { message } = body.error as { readonly message: string };
  return new ProtocolError(ProtocolErrorCode.InvalidRequest, message, body);
}

async function search(call: Call, uri: string): Promise<object> {
  const q = new URL(uri).searchParams.get("q") ?? "";
  const all = await propertiesOf(call);
  if (all.items === null) throw refusalOf(all.refused);
  const properties = found(all.items, q);
  const listed = properties.slice(0, FOUND_MAX).map(({ slug, name, address }) => {
    return { uri: PROPERTIES + slug, slug, name, city: address.city, country: address.country };
  });
  return { q, total: properties.length, properties: listed };
}

/** Completes property arguments; others have no values to complete. */
export async function complete(call: Call, { params }: CompleteRequest): Promise<CompleteResult> {
  const { ref, argument } = params;
  const values = ref.type === "ref/resource" ? await valuesOf(call, argument) : [];
  return {
    completion: {
      values: values.slice(0, COMPLETIONS_MAX),
      total: values.length,
      hasMore: values.length > COMPLETIONS_MAX,
    },
  };
}

async function valuesOf(
  call: Call,
  { name, value }: CompleteRequest["params"]["argument"],
): Promise<string[]> {
  if (name !== "slug" && name !== "q") return [];
  const items = (await propertiesOf(call)).items ?? [];
  return name === "q" ? placesBegun(items, value) : found(items, value).map(({ slug }) => slug);
}
