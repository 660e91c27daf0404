/** What the routes of all pages for people have in common. */
import { Type } from "@sinclair/typebox";
import type { Verbatim } from "../http/answer.ts";
import type { QueryParameter } from "../http/contract.ts";
import { JSON_TYPE } from "../http/headers.ts";

/** Members of such a route. Programs find none of them in the API's documents. */
export const PERSON_PAGE = {
  access: "public",
  renderer: "private-page",
  isPage: true,
  description: "A page for people.",
  success: {
    status: 200,
    description: "The page.",
    body: Type.String(),
    contentType: "text/html",
  },
  errors: [],
} as const;

/** A field of a GET form: any text, also none. */
export function textQuery(description: string): QueryParameter {
  const fault = { message: "is malformed", expected: "text" };
  return { schema: Type.String(), description, isValid: () => true, fault };
}

/** Header of a page without script. `formsLeadTo`: where forms lead besides this service. */
export function policyWithoutScript(formsLeadTo: string | null = null) {
  const targets = formsLeadTo === null ? "'self'" : `'self' ${formsLeadTo}`;
  return {
    "content-security-policy":
      `default-src 'none'; style-src 'self'; img-src 'self'; form-action ${targets}; ` +
      "base-uri 'none'; frame-ancestors 'none'",
  };
}

export const NO_SCRIPT = policyWithoutScript();

/** Something as a JSON file, which no cache keeps. */
export function jsonFile(content: object, headers: Readonly<Record<string, string>>): Verbatim {
  const own = { "content-type": JSON_TYPE, "cache-control": "no-store" };
  const body = JSON.stringify(content, null, 2);
  return { ok: true, status: 200, headers: { ...headers, ...own }, body };
}
