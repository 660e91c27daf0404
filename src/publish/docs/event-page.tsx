/** The page of a kind of event (`docs_url`), and the index of all kinds. */
import type { PublicKind } from "../../../engine/core/events/event.ts";
import { KINDS, SCHEMAS } from "../../api/events/kinds.ts";
import { Code, Crumbs, Fact, Prose, Table } from "../../page-parts/parts.tsx";
import type { Page } from "../../pages/frame.ts";
import { markdownTable } from "../discovery/markdown.ts";
import { type EventFacts, type EventField, eventFields } from "./event-facts.ts";
import { FieldTable } from "./field-table.tsx";

const json = (value: object) => JSON.stringify(value, null, 2);

/** Page of one kind. */
export function eventPage(facts: EventFacts, root: string): Page {
  const { kind, meaning, subject } = facts;
  const main = (
    <>
      <Crumbs to={`${root}/docs/events`}>Events</Crumbs>
      <h1>
        <code>{kind}</code>
      </h1>
      <p class="lead">
        <Prose text={meaning} />
      </p>
      <dl>
        <Fact name="Subject">
          <code>{subject}</code>
        </Fact>
      </dl>
      <h2>
        Fields of <code>data</code>
      </h2>
      <FieldTable fields={facts.fields} />
      <h2>Example</h2>
      <p>From a run of the service.</p>
      <Code>{json(facts.example)}</Code>
      <h2>JSON Schema</h2>
      <Code>{json(facts.schema)}</Code>
    </>
  );
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
  const groups = [...Map.groupBy(SCHEMAS.keys(), (kind) => KINDS[kind].subject)];
  const [anyOfThem] = SCHEMAS.values();
  const shared = eventFields(anyOfThem!).map(([name, type, meaning]): EventField => {
    return name === "type" ? [name, "string", "The kind."] : [name, type, meaning];
  });
  const main = (
    <>
      <h1>Events</h1>
      <p class="lead">
        All events of a tenant, the same by <code>GET /v1/admin/events</code>, as a stream, and to
        webhooks.
      </p>
      <p>
        {SCHEMAS.size} kinds. Members are only ever added; readers ignore those they do not know.{" "}
        <a href={`${root}/docs/guides/following-events`}>How to process each exactly once</a>.
      </p>
      <div class="index">
        {groups.map(([subject, kinds]) => (
          <>
            <h2>{subject.replaceAll("_", " ")}</h2>
            {rowsOf(kinds, root)}
          </>
        ))}
      </div>
      <h2>What every event has</h2>
      <FieldTable fields={shared} />
    </>
  );
  const description = "Every kind of event of the service with meaning and data.";
  return { title: "Events · Innkeep", description, main };
}

function rowsOf(kinds: readonly PublicKind[], root: string) {
  return (
    <Table
      columns={[
        {
          head: "Kind",
          cell: (kind) => (
            <a href={`${root}/docs/events/${kind}`}>
              <code>{kind}</code>
            </a>
          ),
        },
        { head: "Meaning", cell: (kind) => <Prose text={KINDS[kind].meaning} /> },
      ]}
      rows={kinds}
    />
  );
}
