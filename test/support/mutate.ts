/**
 * Spoils good JSON bodies: members dropped, swapped, doubled and replaced by hostile values, and
 * now and then plain noise.
 */
import type { Random } from "../../src/ops/demo/random.ts";

const HOSTILE: readonly unknown[] = [
  ...[null, true, false, 0, -0, -1, 1, 0.1, 1e21, 1e308, -1e308, 2 ** 53, 2 ** 31, 4_294_967_296],
  ...["", " ", "0", "-1", "NaN", "null", "\u0000", "\ud83d\ude00", "\u202e", "é".repeat(300)],
  ...["a".repeat(5_000), "../../etc/passwd", "'; DROP TABLE holds; --", "{{7*7}}", "%s%n"],
  ...["__proto__", "constructor", "toString", "9999-12-31", "0000-01-01", "-000001-01-01"],
  ...["2027-02-29T00:00:00Z", "99999999999999999999", "hld_", "qt_", "EUR", "USD"],
  ...[[], {}, [[]], [null], [{}], { a: { b: { c: {} } } }, Array(200).fill(0), { length: 5 }],
  { __proto__x: 1, constructor: { prototype: {} } },
];
/** What JSON can say and JavaScript's own stringify would not. */
const RAW_HOSTILE = [
  "1e999",
  "-1e999",
  '"\\ud800"',
  '{"__proto__":{"a":1}}',
  "1E400",
  "-0",
] as const;
const MARK = "«raw»";

type Json = Record<string, unknown>;

/** Members of an object or list, at any depth, as the object and its key. */
function places(value: unknown): { readonly of: Json; readonly key: string }[] {
  if (typeof value !== "object" || value === null) return [];
  const of = value as Json;
  return Object.keys(of).flatMap((key) => [{ of, key }, ...places(of[key])]);
}

function hostile(random: Random): unknown {
  return structuredClone(random.pick(HOSTILE));
}

/** A spoilt copy of `body` as JSON text, or noise that is no JSON. */
export function mutate(body: object, random: Random): string {
  if (random.chance(0.05)) return noise(random);
  const copy = structuredClone(body) as Json;
  const raws: string[] = [];
  for (let count = random.int(0, 3); count >= 0; count -= 1) {
    const found = places(copy);
    if (found.length === 0 || random.chance(0.1)) {
      copy[random.pick(["extra", "constructor", "idempotency_key", ""])] = hostile(random);
      continue;
    }
    const { of, key } = random.pick(found);
    const choice = random.int(0, 5);
    if (choice === 0) delete of[key];
    else if (choice === 1) of[`${key}s`] = of[key];
    else if (choice === 2) of[key] = [of[key], of[key]];
    else if (choice === 3) {
      raws.push(random.pick(RAW_HOSTILE));
      of[key] = MARK;
    } else of[key] = hostile(random);
  }
  return JSON.stringify(copy).replaceAll(`"${MARK}"`, () => raws.shift() ?? "null");
}

function noise(random: Random): string {
  const alphabet = '{}[]":,0123456789.eE+-\\utrfnls \u0000\u00e9\ud83d';
  return Array.from(
    { length: random.int(0, 80) },
    () => alphabet[random.int(0, alphabet.length - 1)],
  ).join("");
}
