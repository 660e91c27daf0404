/**
 * Holds real answers against the schemas of the OpenAPI document: nothing may be missing and, where
 * a schema lists its fields, nothing may be there that it does not list.
 */
import { FormatRegistry, type TSchema } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import type { RefusalCode } from "../../engine/core/refusals.ts";
import { isDocument } from "../../src/http/contract.ts";
import { refusalCodesOf } from "../../src/http/refusal-codes.ts";
import { bodyOf, ErrorEnvelope } from "../../src/http/schema/envelope.ts";
import { REFUSALS } from "../../src/refusals/catalogue.ts";
import type { Recorded } from "./recorder.ts";

const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{3})?(Z|[+-]\d{2}:\d{2})$/;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

FormatRegistry.Set("date-time", (text) => INSTANT.test(text));
FormatRegistry.Set("date", (text) => /^\d{4}-\d{2}-\d{2}$/.test(text));
FormatRegistry.Set("uuid", (text) => UUID.test(text));
FormatRegistry.Set("uri", (text) => URL.parse(text) !== null);

/** The schema with every object closed that lists its fields and is not open on purpose. */
function closed(schema: TSchema): TSchema {
  const copy: TSchema = { ...schema };
  if (schema.anyOf) copy.anyOf = schema.anyOf.map(closed);
  if (schema.items) copy.items = closed(schema.items);
  if (schema.properties) {
    const entries = Object.entries<TSchema>(schema.properties);
    copy.properties = Object.fromEntries(entries.map(([name, each]) => [name, closed(each)]));
    if (schema.additionalProperties === undefined) copy.additionalProperties = false;
  }
  return copy;
}

/** Faults of a value against a schema, each with its place. */
export function schemaFaults(schema: TSchema, value: unknown): string[] {
  return [...Value.Errors(closed(schema), value)].map(({ path, message }) => `${path} ${message}`);
}

/** What is wrong with an answer by the document; empty when it is as published. */
export function contractFaults(recorded: Recorded): string[] {
  const { route, answer, response, code } = recorded;
  const { success, ownErrors = {}, hasUnlistedIds } = route;
  if (code !== null) {
    const expected = hasUnlistedIds && answer.status === 404 ? 404 : REFUSALS[asCode(code)].status;
    const isListed = refusalCodesOf(route).includes(asCode(code)) || expected === 404;
    return [
      ...schemaFaults(ErrorEnvelope, response),
      ...(answer.status === expected ? [] : [`status ${answer.status} for ${code}`]),
      ...(isListed ? [] : [`${code} is not listed`]),
      ...detailFaults(asCode(code), response),
    ];
  }
  const own = ownErrors[answer.status];
  if (own) return schemaFaults(own.body, response);
  if (answer.status !== success.status) return [`status ${answer.status}`];
  const type = answer.headers.get("content-type") ?? "";
  const faults: string[] = [];
  const { contentType = "application/json", alternatives = {} } = success;
  const other = Object.keys(alternatives).find((each) => type.startsWith(each));
  if (other) return schemaFaults(alternatives[other]!, response);
  if (contentType !== "*/*" && !type.startsWith(contentType)) faults.push(`content type ${type}`);
  if (isDocument(route)) {
    const cache = answer.headers.get("cache-control");
    if (!/^(public|private), max-age=\d+(, must-revalidate)?$/.test(cache ?? ""))
      faults.push(`cache-control ${cache}`);
    if (!answer.headers.has("etag")) faults.push("no etag");
  }
  const body = bodyOf(success);
  return body ? [...faults, ...schemaFaults(body, response)] : faults;
}

function asCode(code: string): RefusalCode {
  if (!Object.hasOwn(REFUSALS, code)) throw new Error(`${code} is no code of the catalogue`);
  return code as RefusalCode;
}

/** Fields of `detail` that its page does not list, and listed ones that are missing. */
function detailFaults(code: RefusalCode, response: unknown): string[] {
  const { detail } = (response as { error: { detail: object } }).error;
  const names = REFUSALS[code].detail.map(([name]) => name);
  const known = new Set(names.map((name) => name.replace("?", "")));
  const isKnown = (name: string) => known.has(name) || (known.has("…_id") && name.endsWith("_id"));
  const present = Object.keys(detail);
  return [
    ...present.filter((name) => !isKnown(name)).map((name) => `detail.${name} of ${code} unlisted`),
    ...names
      .filter((name) => !name.endsWith("?") && !present.includes(name))
      .map((name) => `detail.${name} of ${code} is missing`),
  ];
}
