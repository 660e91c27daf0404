/**
 * The types of the SDK, made of the components of the OpenAPI document: one for each that a call of
 * the SDK reaches.
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

/** What calls take and give; the rest follows from it. */
const ROOTS = [
  ...["NextAction", "ErrorEnvelope", "SearchRequest", "Search", "QuoteRequest", "Quote"],
  ...[
    "HoldRequest",
    "Hold",
    "HoldDetail",
    "ExtendedHold",
    "ReleasedHold",
    "BookRequest",
    "Booking",
  ],
  ...["BookingDetail", "CancelRequest", "CancellationQuote", "Cancellation", "Audit", "Receipt"],
  ...["PlaceList", "PropertyOffers", "VerifiedReceipt", "Event", "Refund"],
];

function nameOf($ref: string): string {
  return $ref.split("/").at(-1)!;
}

/** Names of components that a schema refers to. */
function* referred(schema: unknown): Generator<string> {
  if (typeof schema !== "object" || schema === null) return;
  for (const [key, value] of Object.entries(schema)) {
    if (key === "$ref") yield nameOf(value as string);
    else if (key !== "mapping") yield* referred(value);
  }
}

function reach(schemas: Schemas): string[] {
  const found = new Set<string>();
  const visit = (name: string) => {
    if (found.has(name)) return;
    found.add(name);
    for (const each of referred(schemas[name])) visit(each);
  };
  for (const name of ROOTS) visit(name);
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
  if (lines.length === 1) return `${indent}/** ${lines[0]} */\n`;
  return `${indent}/**\n${lines.map((line) => `${indent} * ${line}\n`).join("")}${indent} */\n`;
}

function declaration(name: string, schema: Schema): string {
  const head = comment(schema.description, "");
  const { properties, required = [] } = schema;
  if (!properties) return `${head}export type ${name} = ${typeOf(schema)};\n`;
  const members = Object.entries(properties).map(([key, each]) => {
    const optional = required.includes(key) ? "" : "?";
    const or = optional === "" ? "" : " | undefined";
    return `${comment(each.description, "  ")}  readonly ${key}${optional}: ${typeOf(each)}${or};\n`;
  });
  const body = `{\n${members.join("")}}`;
  if (!schema.nullable) return `${head}export interface ${name} ${body}\n`;
  return `${head}export type ${name} = ${body} | null;\n`;
}

const HEAD =
  "/** What calls take and give. Made of the OpenAPI document, and held equal by a test. */";

/** The text of the SDK's types, before it is formatted. */
export function sdkTypes(schemas: Schemas): string {
  const all = reach(schemas).map((name) => declaration(name, schemas[name]!));
  return `${HEAD}\n\n${all.join("\n")}`;
}
