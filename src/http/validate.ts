/**
 * Validation of bodies: a compiled yes/no for valid ones, all faults at once for others. Nothing is
 * coerced, dropped or defaulted, and no fault repeats the caller's text.
 */
import { type Static, type TSchema, TypeGuard } from "@sinclair/typebox";
import { TypeCompiler, type ValueError, ValueErrorType } from "@sinclair/typebox/compiler";

/** One entry of `validation_failed.detail.field_errors`. */
export interface FieldError {
  /** JSON pointer in the body, `?name` of a query parameter, or the name of a header. */
  readonly path: string;
  readonly message: string;
  readonly expected: string;
}

/** A compiled schema: the faults of a value, and the schema itself for documents. */
export interface Check {
  (value: unknown): readonly FieldError[];
  readonly schema: TSchema;
}

export type Reading<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly errors: readonly FieldError[] };

/** A JSON body: its schema and its meaning. */
export interface Body<T> {
  readonly schema: TSchema;
  /** `nowMs`: engine time, to reject past dates. */
  read(value: unknown, nowMs: number): Reading<T>;
}

/** A body that is read unchanged. */
export function json<S extends TSchema>(schema: S): Body<Static<S>> {
  const check = compile(schema);
  return {
    schema,
    read(value) {
      const errors = check(value);
      return errors.length > 0 ? { ok: false, errors } : { ok: true, value: value as Static<S> };
    },
  };
}

/** Errors collected per body: a hostile body can have one every two bytes. */
const ERRORS_MAX = 1000;
const NONE: readonly FieldError[] = Object.freeze([]);
/** Keys with a meaning in JavaScript; never accepted as additional properties. */
const RESERVED_KEYS = ["__proto__", "constructor", "prototype"];

/**
 * Compiles a schema whose objects are all closed, except perhaps the root. The check answers an
 * empty list for a valid value; otherwise each offending path once, at most 1,000 of them. It
 * never throws on JSON.
 */
export function compile(schema: TSchema): Check {
  const checker = TypeCompiler.Compile(schema);
  const isOpen = TypeGuard.IsObject(schema) && schema.additionalProperties !== false;
  const check = (value: unknown) => {
    const reserved = isOpen ? reservedKeys(value) : NONE;
    if (reserved.length === 0 && checker.Check(value)) return NONE;
    return explain(checker.Errors(value), reserved);
  };
  return Object.assign(check, { schema });
}

function explain(errors: Iterable<ValueError>, reserved: readonly FieldError[]): FieldError[] {
  const found = new Map(reserved.map((error) => [error.path, error]));
  const seen = new Set(found.keys());
  for (const error of leaves(errors)) {
    if (found.size >= ERRORS_MAX) break;
    // The first error of a path is the most basic one: missing before its type before its range.
    if (seen.has(error.path)) continue;
    seen.add(error.path);
    for (const fault of faultsOf(error)) found.set(fault.path, fault);
  }
  return [...found.values()];
}

/** The errors; for a missing object those of all its required members. */
function faultsOf(error: ValueError): FieldError[] {
  if (error.type !== ValueErrorType.ObjectRequiredProperty) return [fieldError(error)];
  return missing(error.path, error.schema);
}

function missing(path: string, schema: TSchema): FieldError[] {
  const required: readonly string[] = (TypeGuard.IsObject(schema) && schema.required) || [];
  if (required.length > 0) {
    return required.flatMap((name) => missing(`${path}/${name}`, schema.properties[name]));
  }
  return [{ path, message: "is missing", expected: describe(schema) }];
}

/**
 * Expands a failed union: if the value has a variant's shape, the errors inside it are reported;
 * otherwise the union as a whole.
 */
function* leaves(errors: Iterable<ValueError>): Generator<ValueError> {
  for (const error of errors) {
    const inside = error.errors
      .map((variant) => [...leaves(variant)])
      .find((found) => found.every((each) => each.path.length > error.path.length));
    if (inside) yield* inside;
    else yield error;
  }
}

function fieldError({ type, path, schema }: ValueError): FieldError {
  switch (type) {
    case ValueErrorType.ObjectAdditionalProperties:
      return unknownProperty(path, Object.keys(schema.properties));
    case ValueErrorType.Never:
      return unknownProperty(path, []);
    default: {
      const expected = describe(schema);
      return { path, message: `must be ${expected}`, expected };
    }
  }
}

function unknownProperty(path: string, known: readonly string[]): FieldError {
  const expected = known.length > 0 ? `only ${known.join(", ")}` : "no such property";
  return { path, message: "is not a known property", expected };
}

function reservedKeys(value: unknown): readonly FieldError[] {
  if (typeof value !== "object" || value === null) return NONE;
  const present = RESERVED_KEYS.filter((key) => Object.hasOwn(value, key));
  return present.map((key) => unknownProperty(`/${key}`, []));
}

/** The expected value of a schema, in words: its `description` if it has one. */
export function describe(schema: TSchema): string {
  if (schema.description !== undefined) return schema.description;
  if (TypeGuard.IsUnion(schema)) return schema.anyOf.map(describe).join(" or ");
  if (TypeGuard.IsNull(schema)) return "null";
  if (TypeGuard.IsLiteral(schema)) return JSON.stringify(schema.const);
  if (TypeGuard.IsBoolean(schema)) return "true or false";
  if (TypeGuard.IsInteger(schema)) return `an integer${range(schema.minimum, schema.maximum)}`;
  if (TypeGuard.IsNumber(schema)) return `a number${range(schema.minimum, schema.maximum)}`;
  if (TypeGuard.IsArray(schema)) return `a list${count(schema.minItems, schema.maxItems, "items")}`;
  if (TypeGuard.IsString(schema)) {
    return `text${count(schema.minLength, schema.maxLength, "characters")}`;
  }
  return "an object";
}

function range(low: number | undefined, high: number | undefined): string {
  if (low !== undefined && high !== undefined) return ` from ${low} to ${high}`;
  if (low !== undefined) return ` of at least ${low}`;
  return high === undefined ? "" : ` of at most ${high}`;
}

function count(low: number | undefined, high: number | undefined, noun: string): string {
  if (low !== undefined && high !== undefined) return ` of ${low} to ${high} ${noun}`;
  if (low !== undefined) return ` of at least ${low} ${noun}`;
  return high === undefined ? "" : ` of at most ${high} ${noun}`;
}

/** True when objects and lists nest deeper than `max` levels; a scalar has none. */
export function depthExceeds(value: unknown, max: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (max === 0) return true;
  for (const item of Array.isArray(value) ? value : Object.values(value)) {
    if (typeof item === "object" && depthExceeds(item, max - 1)) return true;
  }
  return false;
}
