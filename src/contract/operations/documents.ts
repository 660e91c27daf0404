/** The OpenAPI document and the reference pages. */
import { Type } from "@sinclair/typebox";
import type { Operation, OperationTable, Parameter } from "../../http/contract.ts";
import { freeForm, words } from "../../http/schema/answer-parts.ts";
import { ERROR_CODES } from "../../refusals/catalogue.ts";

const OpenApiDocument = Type.Object(
  { openapi: Type.String(), info: freeForm("Name and version."), paths: freeForm("Operations.") },
  { description: "An OpenAPI 3.0.3 document.", additionalProperties: true },
);

const CODE: Parameter = { schema: words(ERROR_CODES), description: "The error code." };

function page(id: string, summary: string, contentType: string): Operation {
  const success = {
    status: 200,
    description: "The page.",
    body: Type.String(),
    contentType,
  } as const;
  return { id, tag: "Documentation", summary, description: "For readers.", success, errors: [] };
}

const HTML = "text/html";

export const documentOperations: OperationTable = {
  "GET /openapi.json": {
    id: "get_openapi_json",
    tag: "Documentation",
    summary: "This document as JSON",
    description: "Made from the very schemas that check the requests.",
    success: { status: 200, description: "The document.", body: OpenApiDocument, maxAgeS: 300 },
    errors: [],
  },
  "GET /openapi.yaml": {
    ...page("get_openapi_yaml", "This document as YAML", "application/yaml"),
    description: "The same as `/openapi.json`.",
  },
  "GET /docs": page("get_docs", "The API reference", HTML),
  "GET /docs/errors": page("get_error_index", "All error codes", HTML),
  "GET /docs/errors/:code": {
    ...page("get_error_page", "What an error code means", HTML),
    description:
      "Where `docs_url` of an error leads: meaning, recovery, fields of `detail`, an example. " +
      "`/docs/errors/{code}.md` is the same as Markdown.",
    params: { code: CODE },
    hasUnlistedIds: true,
  },
  "GET /docs/assets/:file": {
    ...page("get_docs_asset", "Style and script of the reference", "*/*"),
    description: "A closed list of files; addresses change with the content.",
    success: {
      status: 200,
      description: "The file.",
      body: Type.String(),
      contentType: "*/*",
      maxAgeS: 31_536_000,
    },
    params: { file: { schema: Type.String(), description: "Name of the file." } },
    hasUnlistedIds: true,
  },
};
