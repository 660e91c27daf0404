/** `npm run feeds -- …`: the documents for partners. */

import {
  anyText,
  count,
  flag,
  operand,
  operands,
  text,
  withDefault,
} from "../../lib/command-line.ts";
import { ACCESS_HELP } from "./access.ts";
import { command, type OperatorProgram } from "./command.ts";
import { runBuild, runStatus } from "./feed-build.ts";
import { runDiff } from "./feed-diff.ts";
import { SOURCE_HELP } from "./feed-source.ts";
import { runValidate } from "./feed-validate.ts";

const DOCUMENTS_MAX = 20;

/** Number of changes shown in full. */
const FIRST = 20;

const json = flag("print JSON");

const COMMANDS = [
  command({
    name: "build",
    summary: "build feeds of a running service now, and show the results",
    operand: operands("PARTNER...", "google, bing, … (default: all feeds in use)", DOCUMENTS_MAX),
    options: {
      "accept-shrink": flag("publish even with more than 10 % fewer listings"),
      "no-wait": flag("do not wait for the results"),
      json,
    },
    note: `Also exits with 1 when a feed was not published; the last published one is still served.
The service finishes the builds even if this command is stopped.

${ACCESS_HELP}`,
    run: runBuild,
  }),
  command({
    name: "status",
    summary: "show the state of feeds: age, size, last failure",
    operand: operand(anyText("PARTNER", "show details of this one")),
    options: {
      json,
      watch: flag("refresh every two seconds until stopped"),
    },
    note: `LISTED: properties in the hotel list. SKIPPED: properties without data that partners require.
STAYS: itineraries of ari.xml for 30 days. STEP: what ari.xml omits to stay below 100 MB.

${ACCESS_HELP}`,
    run: runStatus,
  }),
  command({
    name: "validate",
    summary: "check documents as partners do, and summarize them",
    operand: operands("DOCUMENT...", SOURCE_HELP, DOCUMENTS_MAX),
    options: {
      partner: text("PARTNER", "check the three documents served to this partner"),
      days: count("N", "with --partner: days of prices, 1 to 90 (30)", { max: 90 }),
      json,
    },
    note: `The root element decides the kind of a document. Checks: well-formed XML, unique ids and stays,
amounts with the decimals of their currency, descriptions of all rooms and packages, and the
schemas of feeds/schemas if xmllint is installed. A hotel list and an ari given together must have
the same properties. An address may contain user:password@ for Basic authentication.

Environment, for --partner:
  INNKEEP_URL     address of the service (default: from DATA_DIR/demo.json)
  INNKEEP_SECRET  secret of an operator (default: from DATA_DIR/demo.json)
  FEED_USER       user:password, if the partner has one

Exit codes: 0 valid, 1 invalid or unreadable, 2 usage, 130 interrupted.
`,
    run: runValidate,
  }),
  command({
    name: "diff",
    summary: "compare two documents of the same kind",
    operand: operands("OLD NEW", `each ${SOURCE_HELP}`, 2),
    options: {
      first: withDefault(
        count("N", `show the first N changes in full (${FIRST})`, { max: 10_000 }),
        FIRST,
      ),
      json,
    },
    note: `Hotel lists and points of sale: entries added and removed, and changed fields. Prices: the stays in
both documents, each at its cheapest offer with taxes and fees. Documents are streamed: only a few
numbers per stay of the old one are kept in memory.

Exit codes: 0 compared, 1 more than 10 % fewer listings or priced properties (partners reject that),
or not comparable, 2 usage, 130 interrupted.
`,
    run: runDiff,
  }),
];

export const feeds: OperatorProgram = {
  call: "npm run --silent feeds --",
  about: "Documents for partners: hotel lists, prices, points of sale.",
  commands: COMMANDS,
};
