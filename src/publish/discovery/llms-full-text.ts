/**
 * `/llms-full.txt`: everything a model needs to book, cancel and recover without another page.
 * Bodies come from a recorded run, errors from the catalogue, operations from the tools; only the
 * rest is written here.
 */
import { REFUSAL_CODES, type RefusalCode } from "../../../engine/core/refusals.ts";
import { AUTHORITY, DESCRIPTION, GROUND_RULES, TITLE } from "../../about/about.ts";
import { linksOf } from "../../about/links.ts";
import { SAME_CALL } from "../../actions/steps.ts";
import type { Config } from "../../config.ts";
import { documentedPath } from "../../http/contract.ts";
import type { Routes } from "../../http/route-table.ts";
import { FLOW_LINES } from "../../protocols/tools/flows.ts";
import { REFUSALS, remediationOf } from "../../refusals/catalogue.ts";
import { servedRecovery } from "../../refusals/published.ts";
import { EXAMPLES } from "../openapi/examples.ts";
import { contractsOf } from "./contracts.ts";
import { simulations } from "./llms-text.ts";
import { bullets, jsonBlock } from "./markdown.ts";
import { capabilitiesOf } from "./service-index.ts";

interface Step {
  readonly title: string;
  /** The route's. */
  readonly id: string;
  readonly headers?: readonly string[];
  /** True if a similar answer was shown before. */
  readonly isAnswerKnown?: boolean;
  readonly note: string;
}

const KEY = "Idempotency-Key: <a new key for this intent>";
const TRAVELER = "X-Delegated-User: <the traveler's JWT>";

const STEPS: readonly Step[] = [
  {
    title: "Search",
    id: "search",
    note:
      "destination and children are optional; constraints (max_price_per_night, meal_plan, " +
      "cancellation, min_star_rating, amenities, bed_type, refundability) and sort (rank, price, " +
      "distance) can be added. results come best first, each with its total, terms and units " +
      "left; next_actions hold the quote bodies of the first five. GET " +
      "/v1/properties/{id}/offers lists all rooms and rates of one hotel for a stay.",
  },
  {
    title: "Quote",
    id: "quote",
    note:
      "Show the traveler price_breakdown.total, due_now and policy_snapshot.description. When " +
      "availability.sellable is 0, blocking says why and alternatives lists free offers.",
  },
  {
    title: "Hold",
    id: "hold",
    headers: [KEY],
    note: "The room is reserved until expires_at.",
  },
  {
    title: "Book",
    id: "book",
    headers: [KEY, TRAVELER],
    note:
      "The payment takes up to 10 seconds. The envelope has a signed receipt. After " +
      "payment_failed book again with another payment token and a new key; after payment_timeout " +
      "repeat the same call with the same key.",
  },
  {
    title: "Read",
    id: "get_booking",
    isAnswerKnown: true,
    note: "receipts[] has every receipt.",
  },
  {
    title: "See what a cancellation costs",
    id: "get_cancellation_quote",
    note: "By the terms frozen with the quote, never by later ones.",
  },
  {
    title: "Cancel",
    id: "cancel",
    headers: [KEY, TRAVELER],
    note: "The traveler must be the one who booked. The envelope carries a signed receipt.",
  },
  {
    title: "Verify a receipt",
    id: "verify_receipt",
    note: "Send the complete receipt unchanged. No credential is needed.",
  },
];

/** Markdown. */
export function llmsFullText(config: Config, routes: Routes): string {
  const rehearsal = simulations(config);
  const sections = [
    `# ${TITLE}\n\n> ${DESCRIPTION}\n\n${AUTHORITY}`,
    `## Connect\n\n${connecting(config)}`,
    `## Ground rules\n\n${bullets(GROUND_RULES)}`,
    `## Answers\n\n${answers()}`,
    `## Book a room, and what follows\n\n${STEPS.map((step, i) => stepText(step, i, routes)).join("\n\n")}`,
    `## Flows\n\n${bullets(FLOW_LINES)}`,
    `## Operations\n\n${bullets(capabilitiesOf(routes).map(operationLine))}`,
    `## Contracts\n\n${contractLines(config, routes)}`,
    ...(rehearsal === null ? [] : [`## Rehearsing\n\n${rehearsal}`]),
    `## Errors\n\n${REFUSAL_CODES.map((code) => errorText(code, routes)).join("\n\n")}`,
  ];
  return `${sections.join("\n\n")}\n`;
}

function connecting(config: Config): string {
  const links = linksOf(config);
  const token =
    "An OAuth access token comes from " +
    `POST ${config.baseUrl}/oauth/token with grant_type=client_credentials, client_id (the ` +
    "agent's id) and client_secret (its secret), as a form or as JSON. A client of MCP without a " +
    `secret registers at ${config.baseUrl}/oauth/register; an operator lets it in at ` +
    `${config.baseUrl}/oauth/authorize.`;
  return bullets([
    `REST: ${config.baseUrl}, JSON bodies, described at ${links.openapi_json}`,
    `MCP: ${links.mcp} (streamable HTTP); the tools are the operations below`,
    `A2A: ${links.a2a} (JSON-RPC); send a data part {"skill": id, "input": {…}}`,
    "Every protected call: Authorization: Bearer <agent secret or OAuth access token>. The " +
      "credential decides the tenant; X-Tenant-Id is optional and must match.",
    ...(config.oauthIssuer === null ? [] : [token]),
    `Places with available rooms: ${links.coverage}`,
    `A quote is valid for ${config.quoteTtlMs / 1000} s, a hold for ${config.holdTtlMs / 1000} s.`,
    "429 rate_limited: wait retry_after seconds (header Retry-After); RateLimit has the " +
      "remaining quota.",
  ]);
}

function answers(): string {
  return [
    "A success has data, trace_id and next_actions, and sometimes expires_at and receipt, as in " +
      "the steps below. A failure has error:",
    jsonBlock(EXAMPLES.errors.hold_not_active?.response),
    "The bodies on this page were recorded from a run; ids and dates are of that run.",
  ].join("\n\n");
}

/** A recorded step; long lists are cut. */
function stepText(step: Step, i: number, routes: Routes): string {
  const { id, title, headers = [], isAnswerKnown, note } = step;
  const route = routes.byId(id);
  const { request, response } = EXAMPLES.operations[id] ?? {};
  const fields = Object.keys(route.success.data?.properties ?? {}).join(", ");
  return [
    `### ${i + 1}. ${title}: ${route.method} ${documentedPath(route)}`,
    note,
    ...headers.map((line) => `\`${line}\``),
    ...(request === undefined ? [] : [jsonBlock(request)]),
    ...(isAnswerKnown ? [`Answer: data has ${fields}.`] : ["Answer:", jsonBlock(response)]),
  ].join("\n\n");
}

function operationLine({ id, method, href, description }: ReturnType<typeof capabilitiesOf>[0]) {
  return `${id} (${method} ${href}): ${description}`;
}

function contractLines(config: Config, routes: Routes): string {
  const { idempotency, receipts, pagination, delegation, trace_context } = contractsOf(
    config,
    routes,
  );
  return bullets([
    `Idempotency (${idempotency.header}): ${idempotency.description}`,
    `Delegation (${delegation.header}): ${delegation.description} Audience: ` +
      `${delegation.audience}. Algorithms: ${delegation.accepted_algorithms.join(", ")}. ` +
      `Needed on ${delegation.gated_routes.map((each) => `${each.method} ${each.href}`).join(", ")}.`,
    `Receipts: ${receipts.description} Canonical form: ${receipts.canonical_form}.`,
    `Lists: ${pagination.description}`,
    `Trace (${trace_context.header}): ${trace_context.description}`,
  ]);
}

function errorText(code: RefusalCode, routes: Routes): string {
  const { status, message } = REFUSALS[code];
  const ways = servedRecovery(code, routes.published).map(({ rel, method, href }) => {
    return href === SAME_CALL ? `${rel} the same call` : `${rel} ${method} ${href}`;
  });
  const next = ways.length > 0 ? `\nNext: ${ways.join("; ")}.` : "";
  return `### ${code} (${status})\n\n${message} ${remediationOf(code)}${next}`;
}
