/** `/openapi.json` and `/openapi.yaml`. */
import { Type } from "@sinclair/typebox";
import type { Document } from "../../http/answer.ts";
import type { PublicCall } from "../../http/call.ts";
import type { Context } from "../../http/context.ts";
import { TAGS, type Tag } from "../../http/contract.ts";
import { fixed } from "../../http/render-document.ts";
import { route } from "../../http/route.ts";
import { extensible, freeForm } from "../../http/schema/answer-parts.ts";
import { openApiDocument } from "./document.ts";

const OpenApiDocument = extensible("OpenApiDocument", "An OpenAPI 3.0.3 document.", {
  openapi: Type.String({ description: "Version of OpenAPI." }),
  info: freeForm("Name and version."),
  paths: freeForm("Operations."),
});

/** The document, or the part of one tag. */
function jsonOf({ routes, config }: Context, tag?: Tag): string {
  const all =
    tag === undefined ? routes.published : routes.published.filter((each) => each.tag === tag);
  return JSON.stringify(openApiDocument(all, config));
}

/** Through JSON, so that objects which occur twice are no YAML anchors. */
function yamlTextOf(context: Context, tag?: Tag): string {
  return yamlOf(JSON.parse(jsonOf(context, tag)));
}

/** A handler of the whole and of each part, each made once per process. */
function inParts(
  build: (context: Context, tag?: Tag) => string,
  about: Parameters<typeof fixed>[1] = {},
): (call: PublicCall) => Promise<Document> {
  const whole = fixed((context) => build(context), about);
  const parts = new Map(NAMES.map((tag) => [tag, fixed((context) => build(context, tag), about)]));
  return (call) => (parts.get(call.query.get("tag") as Tag) ?? whole)(call);
}

const NAMES = Object.keys(TAGS) as Tag[];

const QUERY = {
  tag: {
    schema: Type.Unsafe<Tag>({ type: "string", enum: NAMES }),
    description: "Only the operations of this tag, with their components.",
    isValid: (value: string) => NAMES.some((name) => name === value),
    fault: { message: "is not a tag of the document", expected: `one of ${NAMES.join(", ")}` },
  },
};

const GET = {
  tag: "Documentation",
  method: "GET",
  access: "public",
  renderer: "document",
  query: QUERY,
  errors: [],
} as const;

export const openApiRoutes = [
  route({
    ...GET,
    id: "get_openapi_json",
    path: "/openapi.json",
    summary: "This document as JSON",
    description: "Generated from the schemas that check requests.",
    success: { status: 200, description: "The document.", body: OpenApiDocument },
    handle: inParts(jsonOf),
  }),
  route({
    ...GET,
    id: "get_openapi_yaml",
    path: "/openapi.yaml",
    summary: "This document as YAML",
    description: "The same as `/openapi.json`.",
    success: {
      status: 200,
      description: "The document.",
      body: Type.String(),
      contentType: "application/yaml",
    },
    handle: inParts(yamlTextOf, { type: "application/yaml" }),
  }),
];

/**
 * A JSON value as YAML with one meaning in all readers, including YAML 1.1: all texts are quoted,
 * so that none becomes a time (`15:00`), a boolean (`no`), an octal number or a date.
 */
export function yamlOf(value: unknown): string {
  return `${linesOf(value).join("\n")}\n`;
}

function linesOf(value: unknown): string[] {
  if (Array.isArray(value) && value.length > 0) {
    return value.flatMap((item) => hanging("- ", linesOf(item)));
  }
  const entries = typeof value === "object" && value !== null ? Object.entries(value) : [];
  if (entries.length === 0 || Array.isArray(value)) return [scalar(value)];
  return entries.flatMap(([name, member]) => {
    const [first = "", ...rest] = linesOf(member);
    const isBlock = typeof member === "object" && member !== null && Object.keys(member).length > 0;
    const key = `${scalar(name)}:`;
    return isBlock ? [key, ...[first, ...rest].map((line) => `  ${line}`)] : [`${key} ${first}`];
  });
}

function hanging(mark: string, [first = "", ...rest]: string[]): string[] {
  return [mark + first, ...rest.map((line) => `  ${line}`)];
}

/** JSON scalars are valid YAML; YAML's line separators are escaped. */
function scalar(value: unknown): string {
  return JSON.stringify(value).replace(/[\u007f-\u009f\u2028\u2029\ufeff]/g, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
  });
}
