/** The page of a kind of event (`docs_url`), and the index of all kinds. */
import type { PublicKind } from "../../../engine/core/events/event.ts";
import { KINDS, SCHEMAS } from "../../api/events/kinds.ts";
import { escaped, type Page, prose, table } from "../../pages/frame.ts";
import { markdownTable } from "../discovery/markdown.ts";
import { type EventFacts, type EventField, eventFields } from "./event-facts.ts";

const json = (value: object) => JSON.stringify(value, null, 2);

function block(value: object): string {
  return `<pre tabindex="0"><code>${escaped(json(value))}</code></pre>`;
}

function fieldTable(fields: readonly EventField[]): string {
  const rows = fields.map(([name, type, meaning]) => {
    const note = name.endsWith("?") ? ' <span class="note">sometimes</span>' : "";
    return [`<code>${name.replace("?", "")}</code>${note}`, prose(type), prose(meaning)];
  });
  return table(["Field", "Type", "Meaning"], rows);
}

/** Page of one kind. */
export function eventPage(facts: EventFacts, root: string): Page {
  const { kind, meaning, subject } = facts;
  const main = `<p class="crumbs"><a href="${root}/docs/events">Events</a></p>
<h1><code>${kind}</code></h1>
<p class="lead">${prose(meaning)}</p>
<dl>
<div><dt>Subject</dt><dd><code>${subject}</code></dd></div>
</dl>
<h2>Fields of <code>data</code></h2>
${fieldTable(facts.fields)}
<h2>Example</h2>
<p>From a run of the service.</p>
${block(facts.example)}
<h2>JSON Schema</h2>
${block(facts.schema)}`;
  const alternate = { href: `${root}/docs/events/${kind}.md`, type: "text/markdown" };
  return { title: `${kind} · Innkeep events`, description: meaning, main, alternate };
}

/** The same as Markdown. */
export function eventMarkdown({ kind, meaning, subject, fields, ...facts }: EventFacts): string {
  const rows = fields.map(([name, type, text]) => {
    const note = name.endsWith("?") ? " (sometimes)" : "";
    return [`\`${name.replace("?", "")}\`${note}`, type, text];
  });
  const parts = [
    ...[`# ${kind}`, meaning, `- Subject: \`${subject}\``],
    ...["## Fields of `data`", markdownTable(["Field", "Type", "Meaning"], rows)],
    ...["## Example", "From a run of the service.", `\`\`\`json\n${json(facts.example)}\n\`\`\``],
    ...["## JSON Schema", `\`\`\`json\n${json(facts.schema)}\n\`\`\``],
  ];
  return `${parts.join("\n\n")}\n`;
}

/** Index of all kinds by subject, with the members of every event. */
export function eventIndex(root: string): Page {
  const groups = Map.groupBy(SCHEMAS.keys(), (kind) => KINDS[kind].subject);
  const sections = [...groups].map(([subject, kinds]) => {
    return `<h2>${subject.replaceAll("_", " ")}</h2>\n${rowsOf(kinds, root)}`;
  });
  const [anyOfThem] = SCHEMAS.values();
  const shared = eventFields(anyOfThem!).map(([name, type, meaning]): EventField => {
    return name === "type" ? [name, "string", "The kind."] : [name, type, meaning];
  });
  const main = `<h1>Events</h1>
<p class="lead">All events of a tenant, the same by
<code>GET /v1/admin/events</code>, as a stream, and to webhooks.</p>
<p>${SCHEMAS.size} kinds. Members are only ever added; readers ignore those they do not know.
<a href="${root}/docs/guides/following-events">How to process each exactly once</a>.</p>
<div class="index">
${sections.join("\n")}
</div>
<h2>What every event has</h2>
${fieldTable(shared)}`;
  const description = "Every kind of event of the service with meaning and data.";
  return { title: "Events · Innkeep", description, main };
}

function rowsOf(kinds: readonly PublicKind[], root: string): string {
  const rows = kinds.map((kind) => [
    `<a href="${root}/docs/events/${kind}"><code>${kind}</code></a>`,
    prose(KINDS[kind].meaning),
  ]);
  return table(["Kind", "Meaning"], rows);
}
