/**
 * The words of earlier versions. Up to 0.2 a frozen quote called its property `hotel_id`, and what
 * is encrypted was called `sealed`; rows and records of then are read as if they were of today.
 */

/** Only JSON that holds one of these can need it. */
const OLD_WORDS = /"(?:hotel_id|sealed)":/;

/** The value of a stored JSON text, in the words of today. Throws on what is no JSON. */
export function readStored<T>(text: string): T {
  const value: unknown = JSON.parse(text);
  return (OLD_WORDS.test(text) ? inTodaysWords(value) : value) as T;
}

/** A value of then, whatever it is of. */
function inTodaysWords(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(inTodaysWords);
  // A quote request keeps `hotel_id`: it is what the wire says. Only what is frozen has a hash.
  const isFrozen = Object.hasOwn(value, "price_hash");
  const entries = Object.entries(value).map(([name, each]) => {
    return [todaysName(name, isFrozen), inTodaysWords(each)];
  });
  return Object.fromEntries(entries);
}

function todaysName(name: string, isFrozenQuote: boolean): string {
  if (name === "sealed") return "encrypted";
  return name === "hotel_id" && isFrozenQuote ? "property_id" : name;
}
