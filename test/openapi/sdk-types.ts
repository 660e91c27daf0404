/**
 * The SDK's calls and types, made of the OpenAPI document: each operation that needs a credential
 * and answers an envelope, and each component that one of them reaches.
 */

type Schema = Readonly<Record<string, unknown>> & {
  readonly $ref?: string;
  readonly type?: string;
  readonly nullable?: boolean;
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
};

type Schemas = Readonly<Record<string, Schema>>;
type Content = Readonly<Record<string, { readonly schema: Schema }>>;

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required: boolean;
  readonly description: string;
  readonly schema: Schema;
}

interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly security: readonly unknown[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly required: boolean; readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>;
}

type Paths = Readonly<Record<string, Readonly<Record<string, Operation>>>>;

/** What is made of the document. */
export interface OpenApi {
  readonly paths: Paths;
  readonly components: { readonly schemas: Schemas };
}

/** One call of the SDK. */
interface Call {
  readonly id: string;
  /** Method and path. */
  readonly at: string;
  readonly operation: Operation;
  /** `data` of its answers. */
  readonly data: readonly Schema[];
}

/** Needs no credential, and is called all the same. */
const OPEN = "verify_receipt";
/** What is read without a call of its own: errors, webhooks, the parts of an envelope. */
const ROOTS = ["NextAction", "ErrorEnvelope", "Event", "Receipt"];
const JSON_TYPE = "application/json";
const COLUMNS_MAX = 100;

function nameOf($ref: string): string {
  return $ref.split("/").at(-1)!;
}

function callsOf({ paths, components: { schemas } }: OpenApi): Call[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, operation]) => {
      const { operationId: id, security } = operation;
      const data = dataOf(operation, schemas);
      const isOpen = security.length === 0 && id !== OPEN;
      // A guest is no agent.
      const isGuests = JSON.stringify(security).includes("guest_session");
      if (data.length === 0 || isOpen || isGuests) return [];
      return [{ id, at: `${method.toUpperCase()} ${path}`, operation, data }];
    }),
  );
}

/** `data` of the envelopes that an operation answers with, each once. */
function dataOf({ responses }: Operation, schemas: Schemas): Schema[] {
  const found = new Map<string, Schema>();
  for (const [status, { content }] of Object.entries(responses)) {
    const { $ref } = content?.[JSON_TYPE]?.schema ?? {};
    const { data, trace_id } = ($ref && schemas[nameOf($ref)]?.properties) || {};
    if (status.startsWith("2") && data && trace_id) found.set(typeOf(data), data);
  }
  return [...found.values()];
}

/** Names of components that a schema refers to. */
function* referred(schema: unknown): Generator<string> {
  if (typeof schema !== "object" || schema === null) return;
  for (const [key, value] of Object.entries(schema)) {
    if (key === "$ref") yield nameOf(value as string);
    else if (key !== "mapping") yield* referred(value);
  }
}

function reach(schemas: Schemas, calls: readonly Call[]): string[] {
  const found = new Set<string>();
  const visit = (name: string) => {
    if (found.has(name)) return;
    found.add(name);
    for (const each of referred(schemas[name])) visit(each);
  };
  const taken = calls.map(({ operation, data }) => [data, bodyOf(operation)?.schema]);
  for (const name of [...ROOTS, ...referred(taken)]) visit(name);
  return [...found].sort();
}

function typeOf(schema: Schema): string {
  const { $ref, nullable, anyOf, oneOf } = schema;
  if ($ref !== undefined) return nameOf($ref);
  const variants = anyOf ?? oneOf;
  if (variants) return variants.map(typeOf).join(" | ");
  const type = schema.enum
    ? schema.enum.map((each) => JSON.stringify(each)).join(" | ")
    : plain(schema);
  return nullable && !schema.enum ? `${type} | null` : type;
}

function plain({ type, items, properties, additionalProperties }: Schema): string {
  if (type === "integer" || type === "number") return "number";
  if (type === "string" || type === "boolean") return type;
  if (type === "array") {
    const item = items ? typeOf(items) : "unknown";
    return / \| /.test(item) ? `readonly (${item})[]` : `readonly ${item}[]`;
  }
  if (properties) throw new Error("an object with members is no component");
  const values =
    typeof additionalProperties === "object" ? typeOf(additionalProperties) : "unknown";
  return `Readonly<Record<string, ${values}>>`;
}

function comment(text: string | undefined, indent: string): string {
  if (text === undefined) return "";
  const words = text.replaceAll("*/", "* /").split(/\s+/);
  const lines = [""];
  for (const word of words) {
    const line = lines.at(-1)!;
    if (`${indent} * ${line} ${word}`.length > 97) lines.push(word);
    else lines[lines.length - 1] = line === "" ? word : `${line} ${word}`;
  }
  const single = `${indent}/** ${lines[0]} */\n`;
  if (lines.length === 1 && single.length <= COLUMNS_MAX + 1) return single;
  return `${indent}/**\n${lines.map((line) => `${indent} * ${line}\n`).join("")}${indent} */\n`;
}

/** A member of an interface, described. */
function member(
  name: string,
  type: string,
  about: { readonly indent: string; readonly isRequired: boolean; readonly description?: string },
): string {
  const { indent, isRequired, description } = about;
  const [mark, or] = isRequired ? ["", ""] : ["?", " | undefined"];
  const key = /^\w+$/.test(name) ? name : JSON.stringify(name);
  return `${comment(description, indent)}${indent}readonly ${key}${mark}: ${type}${or};\n`;
}

function declaration(name: string, schema: Schema): string {
  const head = comment(schema.description, "");
  const { properties, required = [] } = schema;
  if (!properties) return `${head}export type ${name} = ${typeOf(schema)};\n`;
  const members = Object.entries(properties).map(([key, each]) => {
    const { description } = each;
    const isRequired = required.includes(key);
    return member(key, typeOf(each), {
      indent: "  ",
      isRequired,
      ...(description && { description }),
    });
  });
  const body = `{\n${members.join("")}}`;
  if (!schema.nullable) return `${head}export interface ${name} ${body}\n`;
  return `${head}export type ${name} = ${body} | null;\n`;
}

/** The body of a request, and the type of its content where that is to be said. */
function bodyOf({ requestBody }: Operation): { schema: Schema; types: readonly string[] } | null {
  if (!requestBody) return null;
  const { [JSON_TYPE]: json, ...others } = requestBody.content;
  if (json) return { schema: json.schema, types: [] };
  return { schema: { type: "string" }, types: Object.keys(others) };
}

function parametersIn(place: string, { parameters = [] }: Operation): string {
  // The SDK reads JSON.
  const own = parameters.filter((each) => each.in === place && each.name !== "format");
  if (own.length === 0) return "";
  const isRequired = own.some(({ required }) => required);
  // The formatter indents a variant of a union more.
  const indent = " ".repeat(isRequired ? 6 : 10);
  const members = own.map(({ name, schema, required, description }) =>
    member(name, typeOf(schema), { indent, isRequired: required, description }),
  );
  const name = place === "path" ? "params" : place;
  return member(name, `{\n${members.join("")}    }`, { indent: "    ", isRequired });
}

function callMember({ id, operation, data }: Call): string {
  const body = bodyOf(operation);
  const indent = "    ";
  const members = [parametersIn("path", operation), parametersIn("query", operation)];
  if (body && body.types.length > 0) {
    const types = body.types.map((type) => JSON.stringify(type)).join(" | ");
    members.push(member("contentType", types, { indent, isRequired: true }));
  }
  if (body) {
    const isRequired = operation.requestBody!.required;
    members.push(member("body", typeOf(body.schema), { indent, isRequired }));
  }
  members.push(member("data", data.map(typeOf).join(" | "), { indent, isRequired: true }));
  const type = `{\n${members.join("")}  }`;
  return member(id, type, { indent: "  ", isRequired: true, description: `${operation.summary}.` });
}

const HEAD =
  "/** What calls take and give. Made of the OpenAPI document, and held equal by a test. */";

/** The text of the SDK's types, before it is formatted. */
export function sdkTypes(document: OpenApi): string {
  const { schemas } = document.components;
  const calls = callsOf(document);
  const all = reach(schemas, calls).map((name) => declaration(name, schemas[name]!));
  const about = comment(
    "Every call by its operation id: what it takes, and `data` of its answer.",
    "",
  );
  const operations = `${about}export interface Operations {\n${calls.map(callMember).join("")}}\n`;
  return `${HEAD}\n\n${operations}\n${all.join("\n")}`;
}

/** The text of the SDK's table of calls, before it is formatted. */
export function sdkOperations(document: OpenApi): string {
  const rows = callsOf(document).map(({ id, at }) => `  ${id}: ${JSON.stringify(at)},\n`);
  return `/** Where calls are made. Made of the OpenAPI document, and held equal by a test. */
import type { Operations } from "./types.ts";

/** Method and path of every call. */
export const OPERATIONS: Readonly<Record<keyof Operations, string>> = {
${rows.join("")}};
`;
}
