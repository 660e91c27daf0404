/**
 * The worst bodies of a route, made of its schema: whatever it lists as many as fit, whatever is
 * text as long as fits, and what no schema knows. A new route has them by being in the table.
 */
import { type TSchema, TypeGuard } from "@sinclair/typebox";

/** A kind of body that can be made in any size. */
export interface WorstBody {
  readonly name: string;
  readonly make: (bytes: number) => string;
}

type Path = readonly string[];

/** Of texts with a pattern; the first that fits stands for all. */
const TEXTS = [
  ...["00000000-0000-4000-8000-000000000001", "2027-03-01", "15:00", "EUR", "ES", "mon", "a"],
  ...["A1", "https://a.example", "a@b.example", "2027-03-01T00:00:00Z", "1.08", "+34600000000"],
];

/** A value of the schema, as small as one can be; `example` where it has one. */
function sample(schema: TSchema, example?: unknown): unknown {
  if (example !== undefined) return example;
  if (TypeGuard.IsUnion(schema)) return sample(schema.anyOf[0]!);
  if (TypeGuard.IsLiteral(schema)) return schema.const;
  if (TypeGuard.IsObject(schema)) {
    const required = Object.entries(schema.properties).filter(([name]) =>
      schema.required?.includes(name),
    );
    return Object.fromEntries(required.map(([name, each]) => [name, sample(each)]));
  }
  if (TypeGuard.IsArray(schema)) return [sample(schema.items)];
  if (TypeGuard.IsInteger(schema) || TypeGuard.IsNumber(schema)) return schema.minimum ?? 1;
  if (TypeGuard.IsBoolean(schema)) return true;
  if (TypeGuard.IsString(schema)) {
    const { pattern, minLength = 1 } = schema;
    const fits = pattern && TEXTS.find((text) => new RegExp(pattern, "u").test(text));
    return fits || "x".repeat(Math.max(1, minLength));
  }
  return null;
}

/** The value with another one at a place in it; what is missing on the way there is made. */
function withAt(value: unknown, schema: TSchema, path: Path, put: unknown): unknown {
  const [first, ...rest] = path;
  if (first === undefined) return put;
  if (TypeGuard.IsArray(schema)) {
    const [item, ...others] = Array.isArray(value) ? value : [];
    const inner = item ?? sample(schema.items);
    return [withAt(inner, schema.items, rest, put), ...others];
  }
  const whole = { ...((value ?? {}) as Record<string, unknown>) };
  const inner = propertiesOf(schema)[first]!;
  whole[first] = withAt(whole[first] ?? sample(inner), inner, rest, put);
  return whole;
}

function propertiesOf(schema: TSchema): Readonly<Record<string, TSchema>> {
  if (TypeGuard.IsObject(schema)) return schema.properties;
  if (!TypeGuard.IsUnion(schema)) return {};
  return Object.assign({}, ...schema.anyOf.map(propertiesOf));
}

interface Place {
  readonly path: Path;
  readonly schema: TSchema;
}

/** Every place of the schema, its own first; `0` stands for any item of a list. */
function* placesIn(schema: TSchema, path: Path = []): Generator<Place> {
  yield { path, schema };
  if (TypeGuard.IsArray(schema)) yield* placesIn(schema.items, [...path, "0"]);
  for (const [name, each] of Object.entries(propertiesOf(schema))) {
    yield* placesIn(each, [...path, name]);
  }
  if (TypeGuard.IsUnion(schema)) {
    for (const each of schema.anyOf.filter(TypeGuard.IsArray)) yield* placesIn(each, path);
  }
}

/** As many of `piece(i)` as fit, and at most `countMax`, between `start` and `end`. */
function filled(
  start: string,
  piece: (i: number) => string,
  end: string,
  bytes: number,
  countMax = Number.POSITIVE_INFINITY,
): string {
  const pieces: string[] = [];
  let left = bytes - start.length - end.length;
  for (let i = 0; i < countMax; i++) {
    const next = piece(i);
    left -= next.length + 1;
    if (left < 0) break;
    pieces.push(next);
  }
  return `${start}${pieces.join(",")}${end}`;
}

const HOLE = "\u0007hole\u0007";

/** A body with a hole at a place, as the texts before and behind it. */
function around(schema: TSchema, example: unknown, path: Path): readonly [string, string] {
  const text = JSON.stringify(withAt(example ?? sample(schema), schema, path, HOLE));
  const [before = "", behind = ""] = text.split(JSON.stringify(HOLE));
  return [before, behind];
}

const UUID = /"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"/g;
/** Members that name a thing among its like. */
const NAMES = /"(code|slug|kid|version)":"[^"]*"/g;

function hex12(i: number): string {
  return i.toString(16).padStart(12, "0");
}

/** The item as one of many that all differ. */
function another(item: string, i: number): string {
  let ids = 0;
  const id = () => `"${(ids++).toString(16).padStart(8, "0")}-0000-4000-8000-${hex12(i)}"`;
  return item.replace(UUID, id).replace(NAMES, (_, name) => `"${name}":"${i}"`);
}

function worstAt(whole: TSchema, example: unknown, { path, schema }: Place): WorstBody[] {
  const at = `/${path.join("/")}`;
  const [before, behind] = around(whole, example, path);
  const fill = (name: string, start: string, piece: (i: number) => string, end: string) => ({
    name: `${name} at ${at}`,
    make: (bytes: number) => filled(before + start, piece, end + behind, bytes),
  });
  if (TypeGuard.IsArray(schema)) {
    const items = path.reduce<unknown>(
      (value, name) => (value as Record<string, unknown> | undefined)?.[name],
      example,
    );
    const item = JSON.stringify(sample(schema.items, Array.isArray(items) ? items[0] : undefined));
    return [
      fill("the same item", "[", () => item, "]"),
      fill("items that differ", "[", (i) => another(item, i), "]"),
      {
        name: `as many as are allowed at ${at}`,
        make: (bytes) => {
          const piece = (i: number) => another(item, i);
          return filled(`${before}[`, piece, `]${behind}`, bytes, schema.maxItems);
        },
      },
      fill("empty items", "[", () => "{}", "]"),
      fill("wrong items", "[", () => "0", "]"),
    ];
  }
  if (TypeGuard.IsString(schema)) {
    return ["a", " ", "é", "\\ud83d\\ude00", "a ", "--", "I\u0307"].map((unit) => ({
      name: `text of ${JSON.stringify(unit)} at ${at}`,
      make: (bytes: number) => {
        const room = bytes - Buffer.byteLength(before + behind) - 2;
        return `${before}"${unit.repeat(room / Buffer.byteLength(unit))}"${behind}`;
      },
    }));
  }
  if (TypeGuard.IsRecord(schema)) {
    const [value = {}] = Object.values(schema.patternProperties);
    const text = JSON.stringify(sample(value as TSchema));
    const name = (i: number) => i.toString(36).toUpperCase().padStart(3, "A");
    return [fill("members", "{", (i) => `"${name(i)}":${text}`, "}")];
  }
  return TypeGuard.IsObject(schema) ? [fill("unknown members", "{", (i) => `"x${i}":0`, "}")] : [];
}

const nest = (depth: number) => "[".repeat(depth) + "]".repeat(depth);

/** What is hard to read whatever it should be. */
const OF_ANY: readonly WorstBody[] = [
  { name: "repeated names", make: (n) => filled("{", () => '"a":0', "}", n) },
  { name: "names that differ", make: (n) => filled("{", (i) => `"a${i}":{}`, "}", n) },
  { name: "lists 30 deep", make: (n) => filled('{"a":[', () => nest(30), "]}", n) },
  { name: "objects 30 deep", make: (n) => filled('{"a":[', () => deepObject(30), "]}", n) },
  { name: "deeper than allowed", make: (n) => nest(Math.floor(n / 2)) },
  { name: "never closed", make: (n) => "[".repeat(n) },
  { name: "long numbers", make: (n) => filled('{"a":[', () => "1".repeat(300), "]}", n) },
  { name: "one number", make: (n) => `{"a":0.${"1".repeat(n - 8)}}` },
  { name: "white space", make: (n) => `{${" ".repeat(n - 2)}}` },
  { name: "escapes", make: (n) => filled('{"a":[', () => '"\\ud83d\\ude00\\u0000"', "]}", n) },
  { name: "a backslash that ends it", make: (n) => `{"a":"${"\\".repeat(n - 7)}` },
];

function deepObject(depth: number): string {
  return '{"a":'.repeat(depth) + 0 + "}".repeat(depth);
}

/** The worst bodies for a schema; `example` is one that a server took. */
export function worstBodies(schema: TSchema, example: unknown): WorstBody[] {
  const places = [...placesIn(schema)];
  return [...OF_ANY, ...places.flatMap((place) => worstAt(schema, example, place))];
}
