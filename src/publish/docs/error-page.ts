/** The page of an error code (`docs_url`), and the index of all codes. */
import { REFUSAL_CODES, type RefusalCode } from "../../../engine/core/refusals.ts";
import { escaped, type Page, prose, table } from "../../pages/frame.ts";
import { REFUSALS, remediationOf } from "../../refusals/catalogue.ts";
import { markdownTable } from "../discovery/markdown.ts";
import type { ErrorFacts } from "./error-facts.ts";

/** Page of one code. */
export function errorPage(facts: ErrorFacts, root: string): Page {
  const { code, status, message, remediation } = facts;
  const main = `<p class="crumbs"><a href="${root}/docs/errors">Errors</a></p>
<h1><code>${code}</code></h1>
<p class="lead">${escaped(message)}</p>
${facts.notice === null ? "" : `<p><strong>${escaped(facts.notice)}</strong></p>\n`}<dl>
<div><dt>Status</dt><dd>${status}</dd></div>
<div><dt>Retry after</dt><dd>${facts.retryAfter}</dd></div>
</dl>
<h2>What to do</h2>
<p>${prose(remediation)}</p>
<p>${prose(facts.retrying)}</p>
<h2>Recovery</h2>
${stepsOf(facts)}
<h2>Fields of <code>detail</code></h2>
${fieldsOf(facts)}
<h2>Example</h2>
${exampleOf(facts)}
<h2>Answered by</h2>
${throwersOf(facts, root)}`;
  const alternate = { href: `${root}/docs/errors/${code}.md`, type: "text/markdown" };
  return { title: `${code} · Innkeep errors`, description: message, main, alternate };
}

function stepsOf({ recovery }: ErrorFacts): string {
  if (recovery.length === 0) return "<p>No call of this version.</p>";
  const rows = recovery.map(({ rel, call, body }) => [
    `<code>${rel}</code>`,
    prose(call),
    prose(body || "none"),
  ]);
  return `<p>The error carries these as <code>next_actions</code>, with ids and bodies filled in.</p>
${table(["rel", "Call", "body_hint"], rows)}`;
}

function fieldsOf({ fields }: ErrorFacts): string {
  if (fields.length === 0) return "<p>None.</p>";
  const rows = fields.map(([name, type, meaning]) => {
    const note = name.endsWith("?") ? ' <span class="note">sometimes</span>' : "";
    return [`<code>${name.replace("?", "")}</code>${note}`, prose(type), prose(meaning)];
  });
  return table(["Field", "Type", "Meaning"], rows);
}

function exampleOf({ example }: ErrorFacts): string {
  if (!example) return "<p>No recorded example.</p>";
  const { method, path, status, response } = example;
  return `<p>Recorded: <code>${method} ${escaped(path)}</code> answered ${status}.</p>
<pre tabindex="0"><code>${escaped(JSON.stringify(response, null, 2))}</code></pre>`;
}

function throwersOf({ throwers, isEverywhere }: ErrorFacts, root: string): string {
  if (throwers.length === 0) return "<p>No operation of this version.</p>";
  if (isEverywhere) return "<p>Many operations; the reference lists them with each.</p>";
  const items = throwers.map(({ operationId, method, path, summary }) => {
    const call = `<code>${method} ${escaped(path)}</code>`;
    return `<li>${call} (<code>${operationId}</code>): ${escaped(summary)}.</li>`;
  });
  return `<ul>\n${items.join("\n")}\n</ul>
<p><a href="${root}/docs">All operations</a></p>`;
}

/** Index of all codes by status. */
export function errorIndex(root: string): Page {
  const groups = [...Map.groupBy(REFUSAL_CODES, (code) => REFUSALS[code].status)];
  const sections = groups.map(([status, codes]) => `<h2>${status}</h2>\n${rowsOf(codes, root)}`);
  const main = `<h1>Errors</h1>
<p class="lead">Match on <code>error.code</code>, never on the status or the text. Codes are never
renamed. <code>error.next_actions</code> is the way out.</p>
<p>${REFUSAL_CODES.length} codes; <a href="${root}/.well-known/errors">the same list as JSON</a>.</p>
<div class="index">
${sections.join("\n")}
</div>`;
  const description = "Every error code of the service with meaning and recovery.";
  return { title: "Errors · Innkeep", description, main };
}

function rowsOf(codes: readonly RefusalCode[], root: string): string {
  const rows = codes.map((code) => [
    `<a href="${root}/docs/errors/${code}"><code>${code}</code></a>`,
    escaped(REFUSALS[code].message),
    prose(remediationOf(code)),
  ]);
  return table(["Code", "Meaning", "What to do"], rows);
}

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
