/** `npm run feeds -- …`: the documents that partners fetch. */
import { ACCESS_HELP } from "./access.ts";
import type { Options } from "./arguments.ts";
import type { ClientCommand, ClientProgram } from "./command.ts";
import { runBuild, runStatus } from "./feed-build.ts";
import { FIRST, runDiff } from "./feed-diff.ts";
import { SOURCE_HELP } from "./feed-source.ts";
import { runValidate } from "./feed-validate.ts";

const DOCUMENTS_MAX = 20;

const JSON_OPTION = { json: { help: "JSON in the place of text" } } as const satisfies Options;

const COMMANDS: readonly ClientCommand[] = [
  {
    name: "build",
    summary: "build feeds of a running service now, and see what comes of it",
    operand: {
      value: "PARTNER...",
      help: "google, bing, …; without one, all that are asked for",
      most: DOCUMENTS_MAX,
    },
    options: {
      "accept-shrink": { help: "publish them even with more than 10 % fewer listings" },
      "no-wait": { help: "do not wait for their end" },
      ...JSON_OPTION,
    },
    note: `Ends with 1 also when one of them was not published; what was published before is served on.
The service goes on with it when this command is stopped.

${ACCESS_HELP}`,
    run: runBuild,
  },
  {
    name: "status",
    summary: "how feeds stand: what is served, how old it is, what has failed",
    operand: { value: "PARTNER", help: "all that is known of one" },
    options: {
      ...JSON_OPTION,
      watch: { help: "again every two seconds, until it is stopped" },
    },
    note: `LISTED are the properties in the hotel list, SKIPPED those that lack what partners ask for,
STAYS the itineraries of ari.xml for 30 days, and STEP what was left out of it to stay below 100 MB.

${ACCESS_HELP}`,
    run: runStatus,
  },
  {
    name: "validate",
    summary: "say whether partners will take documents, and what is in them",
    operand: { value: "DOCUMENT...", help: SOURCE_HELP, most: DOCUMENTS_MAX },
    options: {
      partner: { value: "PARTNER", help: "instead: all three, as the service serves them to it" },
      days: { value: "N", help: "of its prices, 1 to 90 (30)" },
      ...JSON_OPTION,
    },
    note: `Which document it is, its root element tells. It is read as a stream: well-formed, every id and
stay once, amounts of their currency, rooms and packages described. Where xmllint is installed
it is held against feeds/schemas too. A hotel list and an ari that are given together must have
the same properties. An address may carry user:password@ for Basic authentication.

Environment, for --partner:
  INNKEEP_URL     address of the service (else that of DATA_DIR/demo.json)
  INNKEEP_SECRET  secret of an operator (else that of DATA_DIR/demo.json)
  FEED_USER       user:password, where the partner has one

Exit codes: 0 valid, 1 not valid or not to be read, 2 the command line cannot be run as it
stands, 130 stopped before it was done.
`,
    run: runValidate,
  },
  {
    name: "diff",
    summary: "say what has changed from one document to another of the same kind",
    operand: { value: "OLD NEW", help: `each ${SOURCE_HELP}`, most: 2 },
    options: {
      first: { value: "N", help: `tell the first N changes in full (${FIRST})` },
      ...JSON_OPTION,
    },
    note: `Hotel lists and points of sale: what has come and gone, and which fields are others. Prices: the
stays that both documents have; a stay costs what its cheapest offer costs with taxes and fees. Of the
old document a few numbers are kept, of the new one nothing.

Exit codes: 0 compared, 1 the new one has more than 10 % fewer listings or priced properties (partners
stop at that), or they cannot be compared, 2 the command line cannot be run as it stands, 130
stopped before it was done.
`,
    run: runDiff,
  },
];

/** The command line of that name. */
export const feeds: ClientProgram = {
  call: "npm run --silent feeds --",
  about: "The documents that partners fetch: hotel lists, prices, points of sale.",
  commands: COMMANDS,
};
