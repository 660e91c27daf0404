/** `/llms.txt` (llmstxt.org): one page for models that book rooms. */
import { SIMULATIONS } from "../../../jobs/payments/sandbox-tokens.ts";
import { AUTHORITY, DESCRIPTION, GROUND_RULES, TITLE } from "../../about/about.ts";
import { linksOf } from "../../about/links.ts";
import type { Config } from "../../config.ts";
import { FLOW_LINES } from "../../protocols/tools/flows.ts";
import { bullets } from "./markdown.ts";

/** Markdown: title, summary, rules and lists of links. */
export function llmsText(config: Config): string {
  const links = linksOf(config);
  const { baseUrl } = config;
  const tokens = simulations(config);
  const rehearsal = tokens === null ? "" : `\n${tokens}\n`;
  return `# ${TITLE}

> ${DESCRIPTION}

The service speaks three protocols with the same operations and answers: REST at ${baseUrl}, MCP at
${links.mcp} and A2A at ${links.a2a}. All need \`Authorization: Bearer <token>\`: an agent's secret,
or an OAuth access token made of it. ${AUTHORITY}

To book a room over REST:

1. \`POST /v1/search\` with destination, dates and guests. A destination of type \`area\` is the name of
   a place (\`Munich\`, \`Madrid, Spain\`, \`JFK\`) or a point (\`geo:41.3874,2.1686;u=3000\`), one of type
   \`property\` a hotel's id, slug or name. \`GET /v1/places?q=mun\` completes names of places,
   \`GET /v1/properties/{id}/offers\` lists all offers of one hotel for a stay.
2. \`POST /v1/quotes\` with the offer the traveler wants: freezes price and terms.
3. \`POST /v1/holds\` with the quote's id: reserves the room for a short time.
4. \`POST /v1/bookings\` with hold, quote, guest and payment token: a booking and a signed receipt.

What to know before the first call:

${bullets(GROUND_RULES)}

Over MCP and A2A each next action also has its \`tool\` and \`arguments\`.
Flows by the names of tools and capabilities:

${bullets(FLOW_LINES)}
${rehearsal}
## Start here

- [Full guide](${links.llms_full}): every step with example bodies, every error with its way out
- [Agent card](${links.agent_card}): capabilities, flows and contracts as data
- [OpenAPI](${links.openapi_json}): every operation with schemas and examples; one tag's with \`?tag=Bookings\`
- [The advisor](${links.docs}/guides/advisor): answers to a traveler's questions about one hotel
- [Coverage](${links.coverage}): cities, currencies and dates that can be booked now

## When something fails

- [Error catalogue](${links.errors}): every code with status, remediation and recovery calls
- [Simulating errors](${links.docs}/guides/simulating-errors): how to see each of them beforehand
- [Delegation issuers](${links.delegation_issuers}): who may sign a traveler's consent
- [Readiness](${links.ready}): whether the service and its parts work now

## Other protocols

- [MCP server card](${links.mcp_server_card}): endpoint, headers and protocol versions
- [MCP set-ups](${links.docs}/guides/mcp): Claude, Cursor, VS Code and OpenAI, to be pasted
- [A2A card](${links.a2a_agent}): skills and interfaces of the agent

## Optional

- [Reference](${links.docs}): the documentation for people
- [Guides](${links.docs}/guides): how to begin, to connect, to integrate, to operate
- [Events](${links.docs}/events): what operators pull, follow or are sent, kind by kind
- [Capabilities](${links.capabilities}): what can be done, over which transports
- [API catalog](${links.api_catalog}): all interfaces as an RFC 9727 linkset
- [Legal information](${links.legal})
`;
}

/** Paragraph and list; null with a real payment provider. */
export function simulations({ paymentProvider }: Config): string | null {
  if (paymentProvider !== "sandbox") return null;
  const lines = SIMULATIONS.map(({ token, does }) => `\`${token}\`: ${does}`);
  const lead =
    "To test failures: the payment provider here is a sandbox. It accepts any provider_token; " +
    "these simulate results:";
  return `${lead}\n\n${bullets(lines)}`;
}
