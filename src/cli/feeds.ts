/** `npm run feeds -- …`: the documents that partners fetch. */
import type { ClientCommand, ClientProgram } from "./command.ts";
import { FIRST, runDiff } from "./feed-diff.ts";
import { SOURCE_HELP } from "./feed-source.ts";
import { runValidate } from "./feed-validate.ts";

const DOCUMENTS_MAX = 20;

const EXIT_CODES = `Exit codes: 0 valid, 1 not valid or not to be read, 2 the command line cannot be run as it
stands, 130 stopped before it was done.
`;

const COMMANDS: readonly ClientCommand[] = [
  {
    name: "validate",
    summary: "say whether partners will take documents, and what is in them",
    operand: { value: "DOCUMENT...", help: SOURCE_HELP, most: DOCUMENTS_MAX },
    options: { json: { help: "JSON in the place of text" } },
    note: `Which document it is, its root element tells. It is read as a stream: well-formed, every id and
stay once, amounts of their currency, rooms and packages described. Where xmllint is installed
it is held against feeds/schemas too. A hotel list and an ari that are given together must have
the same properties. An address may carry user:password@ for Basic authentication.

${EXIT_CODES}`,
    run: runValidate,
  },
  {
    name: "diff",
    summary: "say what has changed from one document to another of the same kind",
    operand: { value: "OLD NEW", help: `each ${SOURCE_HELP}`, most: 2 },
    options: {
      first: { value: "N", help: `tell the first N changes in full (${FIRST})` },
      json: { help: "JSON in the place of text" },
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
