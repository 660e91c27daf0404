/** `npm run feeds -- …`: the documents that partners fetch. */
import type { ClientCommand, ClientProgram } from "./command.ts";
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
];

/** The command line of that name. */
export const feeds: ClientProgram = {
  call: "npm run --silent feeds --",
  about: "The documents that partners fetch: hotel lists, prices, points of sale.",
  commands: COMMANDS,
};
