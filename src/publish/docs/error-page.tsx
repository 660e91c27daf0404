/** The page of an error code (`docs_url`), and the index of all codes. */
import { REFUSAL_CODES, type RefusalCode } from "../../../engine/core/refusals.ts";
import { Code, Crumbs, Fact, Prose, Table } from "../../page-parts/parts.tsx";
import type { Page } from "../../pages/frame.ts";
import { REFUSALS, remediationOf } from "../../refusals/catalogue.ts";
import { markdownTable } from "../discovery/markdown.ts";
import type { ErrorFacts } from "./error-facts.ts";
import { FieldTable } from "./field-table.tsx";

/** Page of one code. */
export function errorPage(facts: ErrorFacts, root: string): Page {
  const { code, status, message, remediation, notice, fields } = facts;
  const main = (
    <>
      <Crumbs to={`${root}/docs/errors`}>Errors</Crumbs>
      <h1>
        <code>{code}</code>
      </h1>
      <p class="lead">{message}</p>
      {notice !== null && (
        <p>
          <strong>{notice}</strong>
        </p>
      )}
      <dl>
        <Fact name="Status">{status}</Fact>
        <Fact name="Retry after">{facts.retryAfter}</Fact>
      </dl>
      <h2>What to do</h2>
      <p>
        <Prose text={remediation} />
      </p>
      <p>
        <Prose text={facts.retrying} />
      </p>
      <h2>Recovery</h2>
      {stepsOf(facts)}
      <h2>
        Fields of <code>detail</code>
      </h2>
      {fields.length === 0 ? <p>None.</p> : <FieldTable fields={fields} />}
      <h2>Example</h2>
      {exampleOf(facts)}
      <h2>Answered by</h2>
      {throwersOf(facts, root)}
    </>
  );
  const alternate = { href: `${root}/docs/errors/${code}.md`, type: "text/markdown" };
  return { title: `${code} · Innkeep errors`, description: message, main, alternate };
}

function stepsOf({ recovery }: ErrorFacts) {
  if (recovery.length === 0) return <p>No call of this version.</p>;
  return (
    <>
      <p>
        The error carries these as <code>next_actions</code>, with ids and bodies filled in.
      </p>
      <Table
        columns={[
          { head: "rel", cell: ({ rel }) => <code>{rel}</code> },
          { head: "Call", cell: ({ call }) => <Prose text={call} /> },
          { head: "body_hint", cell: ({ body }) => <Prose text={body || "none"} /> },
        ]}
        rows={recovery}
      />
    </>
  );
}

function exampleOf({ example }: ErrorFacts) {
  if (!example) return <p>No recorded example.</p>;
  const { method, path, status, response } = example;
  return (
    <>
      <p>
        Recorded: <code>{`${method} ${path}`}</code> answered {status}.
      </p>
      <Code>{JSON.stringify(response, null, 2)}</Code>
    </>
  );
}

function throwersOf({ throwers, isEverywhere }: ErrorFacts, root: string) {
  if (throwers.length === 0) return <p>No operation of this version.</p>;
  if (isEverywhere) return <p>Many operations; the reference lists them with each.</p>;
  return (
    <>
      <ul>
        {throwers.map(({ operationId, method, path, summary }) => (
          <li>
            <code>{`${method} ${path}`}</code> (<code>{operationId}</code>): {summary}.
          </li>
        ))}
      </ul>
      <p>
        <a href={`${root}/docs`}>All operations</a>
      </p>
    </>
  );
}

/** Index of all codes by status. */
export function errorIndex(root: string): Page {
  const groups = [...Map.groupBy(REFUSAL_CODES, (code) => REFUSALS[code].status)];
  const main = (
    <>
      <h1>Errors</h1>
      <p class="lead">
        Match on <code>error.code</code>, never on the status or the text. Codes are never renamed.{" "}
        <code>error.next_actions</code> is the way out.
      </p>
      <p>
        {REFUSAL_CODES.length} codes;{" "}
        <a href={`${root}/.well-known/errors`}>the same list as JSON</a>.
      </p>
      <div class="index">
        {groups.map(([status, codes]) => (
          <>
            <h2>{status}</h2>
            {rowsOf(codes, root)}
          </>
        ))}
      </div>
    </>
  );
  const description = "Every error code of the service with meaning and recovery.";
  return { title: "Errors · Innkeep", description, main };
}

function rowsOf(codes: readonly RefusalCode[], root: string) {
  return (
    <Table
      columns={[
        {
          head: "Code",
          cell: (code) => (
            <a href={`${root}/docs/errors/${code}`}>
              <code>{code}</code>
            </a>
          ),
        },
        { head: "Meaning", cell: (code) => REFUSALS[code].message },
        { head: "What to do", cell: (code) => <Prose text={remediationOf(code)} /> },
      ]}
      rows={codes}
    />
  );
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
