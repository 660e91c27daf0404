/** The `responses` of an operation: its success, and every refusal grouped by status. */

import type { RefusalCode } from "../../../engine/core/refusals.ts";
import { type Contract, isDocument } from "../../http/contract.ts";
import { refusalCodesOf } from "../../http/refusal-codes.ts";
import { bodyOf, ErrorEnvelope } from "../../http/schema/envelope.ts";
import { REFUSALS } from "../../refusals/catalogue.ts";
import { EXAMPLES, lean } from "./examples.ts";
import type { Components, Json } from "./schema.ts";
import { headerRefs, type ResponseHeader } from "./shared.ts";

/** Such a request can only have a wrong method. */
const ANY = "All other refusals are `validation_failed`.";

/** `responses` of a route. */
export function answersOf(route: Contract, components: Components): Json {
  const answers: Json = {
    [route.success.status]: successOf(route, components),
  };
  if (isDocument(route)) {
    const description = "Not modified: the caller's `ETag` is current.";
    answers[304] = { description, headers: headerRefs(["ETag", "Cache-Control"]) };
  }
  if (route.etag) {
    const what = route.etag === "content" ? "current" : "the current version";
    const description = `Not modified: the caller's \`ETag\` is ${what}.`;
    answers[304] = { description, headers: headerRefs(["ETag", "X-Trace-Id", "traceresponse"]) };
  }
  if (route.hasDryRun) {
    const success = { ...route.success, status: 200, description: "The preview." } as const;
    answers[200] = successOf({ ...route, success }, components);
  }
  if (route.success.later) {
    const description = "Not ready yet: repeat the call.";
    const success = { status: 202, description, data: route.success.later } as const;
    answers[202] = successOf({ ...route, success }, components, null);
  }
  for (const [status, own] of Object.entries(route.ownErrors ?? {})) {
    const { contentType = "application/json" } = own;
    const content = { [contentType]: { schema: components.convert(own.body) } };
    const headers = status === "429" ? { headers: headerRefs(["Retry-After"]) } : {};
    answers[status] = { description: own.description, ...headers, content };
  }
  for (const [status, codes] of byStatus(refusalCodesOf(route))) {
    if (!answers[status]) answers[status] = refusal(status, codes, route, components);
  }
  if (route.hasUnlistedIds && !answers[404]) {
    answers[404] = refusal(404, ["validation_failed"], route, components);
  } else if (route.hasUnlistedIds) {
    const known = answers[404] as { description: string };
    known.description += " An unknown sub-resource is `validation_failed`.";
  }
  if (!Object.keys(answers).some((status) => status.startsWith("4"))) {
    answers["4XX"] = {
      ...refusal(400, ["validation_failed"], route, components),
      description: ANY,
    };
  }
  return answers;
}

/** `shown` is the recorded answer; null for none. */
function successOf(
  route: Contract,
  components: Components,
  shown = EXAMPLES.operations[route.id]?.response,
): Json {
  const { success, access, key } = route;
  const { description, contentType = "application/json", alternatives = {} } = success;
  const own = Object.entries(success.headers ?? {}).map(([name, meaning]) => {
    return [name, { description: meaning, schema: { type: "string" } }];
  });
  const headers: ResponseHeader[] = [];
  if (success.data) headers.push("X-Trace-Id", "traceresponse");
  if (route.etag) headers.push("ETag");
  if (isDocument(route)) headers.push("ETag", "Cache-Control");
  if (access !== "public") {
    headers.push("RateLimit", "RateLimit-Policy");
  }
  if (key && (access !== "public" || route.isForGuests)) headers.push("Idempotent-Replayed");
  const body = bodyOf(success);
  const example = shown === undefined || shown === null ? {} : { example: lean(shown) };
  const content: Json = {};
  if (body) content[contentType] = { schema: components.convert(body), ...example };
  for (const [type, schema] of Object.entries(alternatives)) {
    content[type] = { schema: components.convert(schema) };
  }
  return { description, headers: { ...headerRefs(headers), ...Object.fromEntries(own) }, content };
}

function byStatus(codes: readonly RefusalCode[]): Map<number, RefusalCode[]> {
  return Map.groupBy(codes, (code) => REFUSALS[code].status);
}

function refusal(
  status: number,
  codes: readonly RefusalCode[],
  route: Contract,
  components: Components,
): Json {
  const headers: ResponseHeader[] = ["X-Trace-Id", "traceresponse"];
  if (status === 429 || status >= 500) headers.push("Retry-After");
  if (status === 401 || status === 403) headers.push("WWW-Authenticate");
  if (route.access !== "public" && status !== 401) headers.push("RateLimit", "RateLimit-Policy");
  const isKeyed = route.key !== undefined && (route.access !== "public" || route.isForGuests);
  if (isKeyed && status < 500) headers.push("Idempotent-Replayed");
  const shown = codes.filter((code) => EXAMPLES.errors[code]);
  const examples = Object.fromEntries(
    shown.map((code) => [code, { $ref: `#/components/examples/${code}` }]),
  );
  const schema = components.convert(ErrorEnvelope);
  return {
    description: codes.map((code) => `\`${code}\`: ${REFUSALS[code].message}`).join("\n\n"),
    headers: headerRefs(headers),
    content: {
      "application/json": { schema, ...(shown.length > 0 ? { examples } : {}) },
    },
  };
}
