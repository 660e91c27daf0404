/**
 * JSON as YAML with one meaning in all readers, including YAML 1.1: all texts are quoted, so none
 * becomes a time (`15:00`), a boolean (`no`), an octal number or a date.
 */

/** A JSON value as a YAML document. */
export function yamlOf(value: unknown): string {
  return `${linesOf(value).join("\n")}\n`;
}

function linesOf(value: unknown): string[] {
  if (Array.isArray(value) && value.length > 0) {
    return value.flatMap((item) => hanging("- ", linesOf(item)));
  }
  const entries = typeof value === "object" && value !== null ? Object.entries(value) : [];
  if (entries.length === 0 || Array.isArray(value)) return [scalar(value)];
  return entries.flatMap(([name, member]) => {
    const [first = "", ...rest] = linesOf(member);
    const isBlock = typeof member === "object" && member !== null && Object.keys(member).length > 0;
    const key = `${scalar(name)}:`;
    return isBlock ? [key, ...[first, ...rest].map((line) => `  ${line}`)] : [`${key} ${first}`];
  });
}

function hanging(mark: string, [first = "", ...rest]: string[]): string[] {
  return [mark + first, ...rest.map((line) => `  ${line}`)];
}

/** JSON scalars are valid YAML; YAML's line separators are escaped. */
function scalar(value: unknown): string {
  return JSON.stringify(value).replace(/[\u007f-\u009f\u2028\u2029\ufeff]/g, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
  });
}
