/** Text views of checked documents. */
import type { Checked, checkTogether } from "../../../feeds/check/check.ts";
import type { Finding } from "../../../feeds/check/findings.ts";
import type { SchemaVerdict } from "./feed-schema.ts";
import { printable } from "./terminal.ts";

/** A document and the results of its checks. */
export interface Validated {
  readonly name: string;
  readonly checked: Checked;
  /** The verdict of xmllint, or why there is none. */
  readonly schema: SchemaVerdict | "no_xmllint" | "unread";
}

/** Whether partners accept the document. */
export function isValid({ checked, schema }: Validated): boolean {
  const isRefused = typeof schema === "object" && !schema.validates;
  return checked.faults.length === 0 && !isRefused;
}

const LABEL_WIDTH = 16;

/** A line with a label in a fixed column. */
export function line(label: string, value: string): string {
  return `  ${label.padEnd(LABEL_WIDTH)}${printable(value)}\n`;
}

/** With thousands separators. */
export const counted = (count: number) => count.toLocaleString("en-US");

const FACT_WORDS: Readonly<Record<string, string>> = {
  first_check_in: "check-in from",
  last_check_in: "check-in to",
  nights_max: "nights up to",
  points_of_sale: "points of sale",
};

function factLines(facts: NonNullable<Checked["facts"]>): string {
  return Object.entries(facts)
    .filter(([, value]) => value !== null)
    .map(([name, value]) => {
      const text = Array.isArray(value) ? value.join(", ") : value;
      return line(
        FACT_WORDS[name] ?? name,
        typeof text === "number" ? counted(text) : String(text),
      );
    })
    .join("");
}

/** Each kind of finding with its count and first places. */
function findingLines(label: string, findings: readonly Finding[]): string {
  return findings
    .map(({ kind, what, count, places }) => {
      const shown = places.map((place) => `      ${printable(place)}\n`).join("");
      const more =
        count > places.length ? `      and ${counted(count - places.length)} more\n` : "";
      return `${line(label, `${kind} × ${counted(count)}: ${what}`)}${shown}${more}`;
    })
    .join("");
}

function schemaLines(schema: Validated["schema"]): string {
  if (schema === "unread") return "";
  if (schema === "no_xmllint") return line("schema", "not checked: xmllint is not installed");
  if (schema.validates) return line("schema", "validates");
  const complaints = schema.complaints.map((each) => `      ${printable(each)}\n`).join("");
  return `${line("schema", "DOES NOT VALIDATE")}${complaints}`;
}

/** Kind, contents and findings of a document. */
export function documentText(validated: Validated): string {
  const { name, checked, schema } = validated;
  const { kind, position, facts, faults, warnings } = checked;
  return [
    `${printable(name)}: ${kind ?? "unknown"}, ${isValid(validated) ? "valid" : "NOT VALID"}\n`,
    position === null ? "" : line("built after", `event ${position.seq} of ${position.at}`),
    facts === null ? "" : factLines(facts),
    schemaLines(schema),
    findingLines("fault", faults),
    findingLines("warning", warnings),
  ].join("");
}

/** Findings between a hotel list and its prices. */
export function togetherText({ faults, warnings }: ReturnType<typeof checkTogether>): string {
  const verdict = faults.length === 0 ? "every priced property is listed" : "NOT VALID";
  const found = findingLines("fault", faults) + findingLines("warning", warnings);
  return `list and prices together: ${verdict}\n${found}`;
}
