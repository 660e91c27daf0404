/** The page of an error code as Markdown, for programs. */
import type { ErrorFacts } from "./error-facts.ts";
import { markdownTable } from "./markdown-table.ts";

/** The same content as `errorPage`. */
export function errorMarkdown(facts: ErrorFacts): string {
  const { code, status, message, remediation, retryAfter, retrying, fields, throwers } = facts;
  const recovery = facts.recovery.map(({ rel, call, body }) => [
    `\`${rel}\``,
    call,
    body || "none",
  ]);
  const rows = fields.map(([name, type, meaning]) => {
    const note = name.endsWith("?") ? " (sometimes)" : "";
    return [`\`${name.replace("?", "")}\`${note}`, type, meaning];
  });
  const calls = throwers.map((each) => {
    return `- \`${each.method} ${each.path}\` (\`${each.operationId}\`): ${each.summary}.`;
  });
  const { example } = facts;
  const shown = example
    ? [
        `Recorded: \`${example.method} ${example.path}\` answered ${example.status}.`,
        `\`\`\`json\n${JSON.stringify(example.response, null, 2)}\n\`\`\``,
      ]
    : ["No recorded example."];
  return [
    `# ${code}`,
    message,
    ...(facts.notice === null ? [] : [`**${facts.notice}**`]),
    `- Status: ${status}\n- Retry after: ${retryAfter}`,
    `## What to do`,
    remediation,
    retrying,
    `## Recovery`,
    recovery.length > 0
      ? markdownTable(["rel", "Call", "body_hint"], recovery)
      : "No call of this version.",
    "## Fields of `detail`",
    rows.length > 0 ? markdownTable(["Field", "Type", "Meaning"], rows) : "None.",
    `## Example`,
    ...shown,
    `## Answered by`,
    calls.length > 0 ? calls.join("\n") : "No operation of this version.",
  ]
    .join("\n\n")
    .concat("\n");
}
