/**
 * Ids and confirmation codes. The core has no randomness: a command brings 16 random bytes, and
 * every id is derived from them and a counter. The first ten characters encode the stamp, so ids
 * sort by creation.
 */

const CROCKFORD = "0123456789abcdefghjkmnpqrstvwxyz";
/** All pairs of digits, so that an id is joined from half as many pieces. */
const PAIRS = [...CROCKFORD].flatMap((high) => [...CROCKFORD].map((low) => high + low));
/** No vowels and no 0/1/O/I/L: unambiguous over the phone. */
const UNAMBIGUOUS = "23456789BCDFGHJKMNPQRSTVWXYZ";

export type IdPrefix =
  | ("qt" | "hld" | "bkg" | "pay" | "rfd" | "aut" | "osi" | "nte")
  | ("evt" | "dlv" | "rfl" | "rcv" | "run");

/** Finaliser of MurmurHash3: every input bit changes half of the output bits. */
function avalanche(word: number): number {
  let h = word | 0;
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}

/** The `index`-th 32-bit word of a stream derived from 16 random bytes and a counter. */
function word(random: string, counter: number, index: number): number {
  const raw = Number.parseInt(random.slice(index * 8, index * 8 + 8), 16);
  return counter === 0 ? raw >>> 0 : avalanche(raw + Math.imul(counter, 0x9e3779b9) + index);
}

function base32(word: number, digits: number): string {
  let text = "";
  let rest = word;
  for (let left = digits; left > 1; left -= 2, rest >>>= 10) text = PAIRS[rest & 1023] + text;
  return digits % 2 === 0 ? text : CROCKFORD[rest & 31] + text;
}

/** Milliseconds since the epoch as ten sortable base32 digits. */
export function timeDigits(stampMs: number): string {
  const high = Math.floor(stampMs / 0x2000000);
  return base32(high, 5) + base32(stampMs % 0x2000000, 5);
}

/** Epoch milliseconds of an id made by `deriveId`, or NaN when the text is no such id. */
export function idTime(id: string): number {
  const at = id.indexOf("_") + 1;
  let ms = 0;
  for (let i = at; i < at + 10; i += 1) {
    const digit = CROCKFORD.indexOf(id[i] ?? "?");
    if (digit < 0) return Number.NaN;
    ms = ms * 32 + digit;
  }
  return ms;
}

/**
 * An opaque, sortable id such as `hld_01k…`: 50 bits of time and 90 bits of the random bytes.
 * `counter` distinguishes several ids of one command.
 */
export function deriveId(prefix: IdPrefix, stampMs: number, random: string, counter = 0): string {
  return `${prefix}_${timeDigits(stampMs)}${base32(word(random, counter, 0), 6)}${base32(
    word(random, counter, 1),
    6,
  )}${base32(word(random, counter, 2), 6)}`;
}

/** Eight unambiguous characters; uniqueness per tenant is the caller's check. */
export function confirmationCode(random: string, counter: number): string {
  let code = "";
  for (let half = 0; half < 2; half += 1) {
    let bits = avalanche(word(random, counter, half + 2) + 0x51ed270b);
    for (let i = 0; i < 4; i += 1, bits >>>= 5) code += UNAMBIGUOUS[bits % UNAMBIGUOUS.length];
  }
  return code;
}
