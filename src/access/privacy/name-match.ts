/** Compares names as people look for them: by parts, in any order, without case and accents. */

/** Letters that have no accent to take off. */
const PLAIN: Readonly<Record<string, string>> = {
  ...{ ß: "ss", æ: "ae", œ: "oe", ø: "o", đ: "d", ð: "d", þ: "th", ł: "l", ħ: "h", ı: "i" },
};
const SPECIAL = new RegExp(`[${Object.keys(PLAIN).join("")}]`, "gu");
const BESIDE_LETTERS = /[^\p{L}\p{N}]+/gu;

function folded(text: string): string {
  const lower = text.normalize("NFKD").toLowerCase().replace(/\p{M}/gu, "");
  return lower
    .replace(SPECIAL, (letter) => PLAIN[letter]!)
    .replace(BESIDE_LETTERS, " ")
    .trim();
}

/** The parts that are looked for; null when they have fewer than `charsMin` characters together. */
export function namePartsOf(text: string, charsMin: number): readonly string[] | null {
  const parts = folded(text).split(" ");
  return [...parts.join("")].length < charsMin ? null : parts;
}

/** Whether a name has all the parts. */
export function hasNameParts(name: string, parts: readonly string[]): boolean {
  const text = folded(name);
  return parts.every((part) => text.includes(part));
}
