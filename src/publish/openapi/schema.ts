/**
 * TypeBox schemas as OpenAPI 3.0.3 schema objects. 3.0 is JSON Schema with some differences: null
 * is `nullable`, a constant is an `enum` of one, maps have no key patterns. A schema with an `$id`
 * becomes a component and a reference. So does every other object with members, named by its
 * position: generators make types only of components, and use names like `Response200Data` for
 * others.
 */
import type { TSchema } from "@sinclair/typebox";
import { documentation, shownOf } from "../../http/schema/annotations.ts";
import { Id } from "../../http/schema/answer-parts.ts";
import { meaningOf, meaningOfComponent } from "./meanings.ts";

export type Json = { [name: string]: unknown };

/** Keywords that mean the same in both. */
const COPIED = [
  ...["type", "format", "pattern", "enum", "minimum", "maximum", "minLength", "maxLength"],
  ...["minItems", "maxItems", "description"],
];

const INT32_MAX = 2 ** 31 - 1;

/** Named schemas of one document. */
export class Components {
  readonly #schemas = new Map<string, Json>();
  readonly #sources = new Map<string, string>();

  /** Names of components used as not nullable, and their nullable references. */
  readonly #required = new Set<string>();
  readonly #orNull = new Map<string, Json[]>();

  /** All referenced components in alphabetical order; call it after all schemas are converted. */
  get schemas(): Json {
    this.#settleNulls();
    return Object.fromEntries([...this.#schemas].sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  /**
   * 3.0 ignores members beside a reference, including `nullable`, so a component itself must be
   * nullable. A component that is not nullable everywhere gets a second, nullable one.
   */
  #settleNulls(): void {
    for (const [name, references] of this.#orNull) {
      const isAlways = !this.#required.has(name);
      const target = isAlways ? name : `${name}OrNull`;
      this.#schemas.set(target, nullable(this.#schemas.get(name)!));
      for (const each of references) each.$ref = `#/components/schemas/${target}`;
    }
    this.#orNull.clear();
  }

  /**
   * The schema object of a schema; a reference where it is named, or has members and `at` says what
   * to call it. What stands inside is called after `at`. Throws when the name is another's.
   */
  convert(schema: TSchema, at?: string): Json {
    const part = shownOf(schema) ?? schema;
    const name = nameOf(part, at);
    return name === undefined ? this.#converted(part, at) : this.#refer(name, part, false);
  }

  /** A reference to the component, which is added if missing. */
  #refer(name: string, { $id: _id, ...unnamed }: TSchema, orNull: boolean): Json {
    const source = JSON.stringify(unnamed);
    const known = this.#sources.get(name);
    if (known !== undefined && known !== source) throw new Error(`two schemas are named ${name}`);
    if (known === undefined) {
      this.#sources.set(name, source);
      const schema = this.#converted(unnamed as TSchema, name);
      const meaning = schema.description ?? meaningOfComponent(name);
      this.#schemas.set(name, meaning === undefined ? schema : { ...schema, description: meaning });
    }
    const reference = { $ref: `#/components/schemas/${name}` };
    if (orNull) this.#orNull.set(name, [...(this.#orNull.get(name) ?? []), reference]);
    else this.#required.add(name);
    return reference;
  }

  #converted(schema: TSchema, at: string | undefined): Json {
    if (schema.anyOf) return this.#union(schema, at);
    const found: Json = {};
    for (const name of COPIED) if (schema[name] !== undefined) found[name] = schema[name];
    // Strict languages default to 32 bits: 21 million euros in cents.
    if (schema.type === "integer" && !(schema.maximum <= INT32_MAX)) found.format ??= "int64";
    const more = documentation(schema);
    if (more !== undefined) found.description = more;
    if (schema.const !== undefined) {
      found.type = typeof schema.const;
      // Some languages cannot represent an enum of booleans.
      if (typeof schema.const !== "boolean") found.enum = [schema.const];
    }
    if (schema.type === "array") found.items = this.convert(schema.items, at && singular(at));
    if (schema.type === "object") Object.assign(found, this.#members(schema, at));
    return found;
  }

  #members(schema: TSchema, at: string | undefined): Json {
    const { properties = {}, required, patternProperties, additionalProperties } = schema;
    const entries = Object.entries<TSchema>(properties);
    const values = patternProperties && Object.values<TSchema>(patternProperties)[0];
    const rest = values ?? additionalProperties;
    const inside = (name: string) => at && `${at}${pascalCase(name)}`;
    const members = entries.map(([name, each]) => {
      const member = this.convert(each, inside(name));
      const meaning = meaningOf(at, name);
      // The member's name already says that it is an id.
      const { $ref, description = Id.description } = member;
      const isTold = $ref !== undefined || description !== Id.description;
      return [name, isTold || meaning === undefined ? member : { ...member, description: meaning }];
    });
    return {
      ...(entries.length > 0 ? { properties: Object.fromEntries(members) } : {}),
      ...(required?.length > 0 ? { required } : {}),
      ...(rest === undefined ? {} : { additionalProperties: this.#rest(rest, at) }),
    };
  }

  #rest(rest: boolean | TSchema, at: string | undefined): boolean | Json {
    if (typeof rest === "boolean") return rest;
    return rest.not === undefined && this.convert(rest, at && singular(at));
  }

  #union(schema: TSchema, at: string | undefined): Json {
    const description = documentation(schema) ?? schema.description;
    const described = description === undefined ? {} : { description };
    const variants = (schema.anyOf as TSchema[]).filter(({ type }) => type !== "null");
    const isNullable = variants.length < schema.anyOf.length;
    if (variants.every((each) => typeof each.const === "string")) {
      const words = variants.map((each) => each.const);
      return isNullable
        ? { type: "string", nullable: true, enum: [...words, null], ...described }
        : { type: "string", enum: words, ...described };
    }
    const last = variants.pop();
    const converted = variants.map((each) => this.convert(each, at));
    if (last) converted.push(isNullable ? this.#nullable(last, at) : this.convert(last, at));
    const { discriminator } = schema;
    if (discriminator)
      return { oneOf: converted, ...this.#discriminator(discriminator, schema), ...described };
    if (converted.length > 1) return { anyOf: converted, ...described };
    const [only = {}] = converted;
    return only.$ref === undefined ? { ...only, ...described } : only;
  }

  /** The discriminator of a union; every variant is named. */
  #discriminator({ propertyName }: { propertyName: string }, { anyOf }: TSchema): Json {
    const mapping = (anyOf as TSchema[]).map(({ $id, properties }) => {
      return [properties[propertyName].const, `#/components/schemas/${$id}`];
    });
    return { discriminator: { propertyName, mapping: Object.fromEntries(mapping) } };
  }

  #nullable(schema: TSchema, at: string | undefined): Json {
    const part = shownOf(schema) ?? schema;
    const name = nameOf(part, at);
    return name === undefined ? nullable(this.#converted(part, at)) : this.#refer(name, part, true);
  }
}

function nameOf(schema: TSchema, at: string | undefined): string | undefined {
  return schema.$id ?? (hasMembers(schema) ? at : undefined);
}

function nullable(schema: Json): Json {
  const values = schema.enum ? { enum: [...(schema.enum as unknown[]), null] } : {};
  return { ...schema, ...values, nullable: true };
}

function hasMembers({ type, properties = {} }: TSchema): boolean {
  return type === "object" && Object.keys(properties).length > 0;
}

/** `book_a_room` → `BookARoom`. */
export function pascalCase(words: string): string {
  return words.replace(/(?:^|[._])(\w)/g, (_, letter: string) => letter.toUpperCase());
}

/** The name of a list's item. */
function singular(list: string): string {
  return list.replace(/(?<=ch)es$|(?<=[^s])s$/, "").replace(/ie$/, "y");
}
