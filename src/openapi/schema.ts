/**
 * TypeBox schemas as OpenAPI 3.0.3 schema objects. 3.0 is JSON Schema with another word here and
 * there: null is `nullable`, a constant is an `enum` of one, maps have no key patterns. A schema
 * with an `$id` becomes a component and a reference to it.
 */
import type { TSchema } from "@sinclair/typebox";
import { atLength } from "../http/schema/request-parts.ts";

export type Json = { [name: string]: unknown };

/** Keywords that mean the same in both. */
const COPIED = [
  ...["type", "format", "pattern", "enum", "minimum", "maximum", "minLength", "maxLength"],
  ...["minItems", "maxItems", "description"],
];

/** Named schemas of one document. */
export class Components {
  readonly #schemas = new Map<string, Json>();
  readonly #sources = new Map<string, string>();

  /** All that were referred to, by name in alphabetical order. */
  get schemas(): Json {
    return Object.fromEntries([...this.#schemas].sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  /** Adds a schema under a name and returns the reference. Throws when the name is another's. */
  add(name: string, schema: TSchema): Json {
    const { $id: _id, ...unnamed } = schema;
    const source = JSON.stringify(unnamed);
    const known = this.#sources.get(name);
    if (known !== undefined && known !== source) throw new Error(`two schemas are named ${name}`);
    if (known === undefined) {
      this.#sources.set(name, source);
      this.#schemas.set(name, this.convert(unnamed as TSchema));
    }
    return { $ref: `#/components/schemas/${name}` };
  }

  /** The schema object of a schema; a reference where it is named. */
  convert(schema: TSchema): Json {
    if (schema.$id !== undefined) return this.add(schema.$id, schema);
    if (schema.anyOf) return this.#union(schema);
    const found: Json = {};
    for (const name of COPIED) if (schema[name] !== undefined) found[name] = schema[name];
    const more = atLength(schema);
    if (more !== undefined) found.description = more;
    if (schema.const !== undefined) {
      found.type = typeof schema.const;
      found.enum = [schema.const];
    }
    if (schema.type === "array") found.items = this.convert(schema.items);
    if (schema.type === "object") Object.assign(found, this.#members(schema));
    return found;
  }

  #members(schema: TSchema): Json {
    const { properties = {}, required, patternProperties, additionalProperties } = schema;
    const entries = Object.entries<TSchema>(properties);
    const values = patternProperties && Object.values<TSchema>(patternProperties)[0];
    const rest = values ?? additionalProperties;
    return {
      ...(entries.length > 0
        ? { properties: Object.fromEntries(entries.map(([k, v]) => [k, this.convert(v)])) }
        : {}),
      ...(required?.length > 0 ? { required } : {}),
      ...(rest === undefined ? {} : { additionalProperties: this.#rest(rest) }),
    };
  }

  #rest(rest: boolean | TSchema): boolean | Json {
    if (typeof rest === "boolean") return rest;
    return rest.not === undefined && this.convert(rest);
  }

  #union(schema: TSchema): Json {
    const described = schema.description === undefined ? {} : { description: schema.description };
    const variants = (schema.anyOf as TSchema[]).filter(({ type }) => type !== "null");
    const isNullable = variants.length < schema.anyOf.length;
    if (variants.every((each) => typeof each.const === "string")) {
      const words = variants.map((each) => each.const);
      return isNullable
        ? { type: "string", nullable: true, enum: [...words, null], ...described }
        : { type: "string", enum: words, ...described };
    }
    const last = variants.pop();
    const converted = variants.map((each) => this.convert(each));
    if (last) converted.push(isNullable ? this.#nullable(last) : this.convert(last));
    const { discriminator } = schema;
    if (discriminator)
      return { oneOf: converted, ...this.#told(discriminator, schema), ...described };
    if (converted.length > 1) return { anyOf: converted, ...described };
    return { ...converted[0], ...described };
  }

  /** Which variant it is by the value of one member; every variant is named. */
  #told({ propertyName }: { propertyName: string }, { anyOf }: TSchema): Json {
    const mapping = (anyOf as TSchema[]).map(({ $id, properties }) => {
      return [properties[propertyName].const, `#/components/schemas/${$id}`];
    });
    return { discriminator: { propertyName, mapping: Object.fromEntries(mapping) } };
  }

  /** `nullable` counts only beside a `type`, never beside a reference: a named one is unfolded. */
  #nullable({ $id: _id, ...schema }: TSchema): Json {
    const found = this.convert(schema as TSchema);
    const values = found.enum ? { enum: [...(found.enum as unknown[]), null] } : {};
    return { ...found, ...values, nullable: true };
  }
}
