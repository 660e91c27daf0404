/** How what was played is shown: as text, and as the rows of the guide. */
import { ROUTES } from "../../src/app.ts";
import type { Played, Step } from "./scenarios.ts";

/** Longer bodies are cut. */
const BODY_CHARS_MAX = 400;

/** The scene as lines of text. */
export function textOf({ code, name, request, status, message, recovery }: Played): string {
  const { method, path, body } = request;
  const sent = body === undefined ? "" : ` ${JSON.stringify(body)}`;
  const cut = sent.length > BODY_CHARS_MAX ? `${sent.slice(0, BODY_CHARS_MAX)}…` : sent;
  const steps = recovery.map((step) => {
    return `    ${step.rel}: ${step.method} ${step.path} → ${step.status}\n`;
  });
  const call = `    ${method} ${path}${cut}\n    → ${status} ${message}\n`;
  return `${code}: ${name}\n${call}${steps.join("")}`;
}

/** The heads of the guide's table. */
export const HEADS = ["`error.code`", "Status", "Produced by", "Way out"] as const;

/** The row of the guide's table, cell by cell. */
export function rowOf({ code, name, status, recovery }: Played): readonly string[] {
  return [`\`${code}\``, String(status), name, recovery.map(shown).join(", then ")];
}

/** The table in Markdown. */
export function tableOf(all: readonly Played[]): string {
  const rows = [HEADS, HEADS.map(() => "---"), ...all.map(rowOf)];
  return rows.map((cells) => `| ${cells.join(" | ")} |\n`).join("");
}

function shown({ rel, method, path, status }: Step): string {
  const route = ROUTES.match(method, path.split("?")[0]!);
  const template = (route?.path ?? path).replace(/:(\w+)/g, "{$1}");
  return `\`${rel}\`: \`${method} ${template}\` ${status}`;
}
