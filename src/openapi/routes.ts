/** `/openapi.json` and `/openapi.yaml` (spec 4.2, part 9). */
import { Type } from "@sinclair/typebox";
import type { Context } from "../http/context.ts";
import { fixed } from "../http/fixed-document.ts";
import { route } from "../http/route.ts";
import { extensible, freeForm } from "../http/schema/answer-parts.ts";
import { openApiDocument } from "./document.ts";
import { yamlOf } from "./yaml.ts";

const OpenApiDocument = extensible("OpenApiDocument", "An OpenAPI 3.0.3 document.", {
  openapi: Type.String({ description: "Version of OpenAPI." }),
  info: freeForm("Name and version."),
  paths: freeForm("Operations."),
});

function jsonOf({ routes, config }: Context): string {
  return JSON.stringify(openApiDocument(routes.all, config));
}

const GET = {
  tag: "Documentation",
  method: "GET",
  access: "public",
  renderer: "document",
  errors: [],
} as const;

export const openApiRoutes = [
  route({
    ...GET,
    id: "get_openapi_json",
    path: "/openapi.json",
    summary: "This document as JSON",
    description: "Made from the very schemas that check the requests.",
    success: { status: 200, description: "The document.", body: OpenApiDocument },
    handle: fixed(jsonOf),
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
    // Through JSON, so that objects which occur twice are no YAML anchors.
    handle: fixed((context) => yamlOf(JSON.parse(jsonOf(context))), {
      type: "application/yaml",
    }),
  }),
];
