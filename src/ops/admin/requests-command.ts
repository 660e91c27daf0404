/** `npm run requests -- TRACE`: explains a refused or failed request. */

import { readConfig } from "../../config.ts";
import {
  type ExitCode,
  flag,
  operand,
  parsed,
  text,
  UsageError,
  type Values,
} from "../../lib/command-line.ts";
import { StartRefused } from "../../lib/lifecycle.ts";
import { type LoggedRequest, readRequestLog, requestLogDirectory } from "../../lib/request-log.ts";
import { docsUrl, REFUSALS, remediationOf } from "../../refusals/catalogue.ts";
import { command, type Session } from "../cli/command.ts";
import { when } from "../cli/delivery-filter.ts";
import { asJson, table } from "../cli/terminal.ts";

/** Rows of the table; JSON has all. */
const ROWS_MAX = 100;

type Code = keyof typeof REFUSALS;

function isCode(code: string | null): code is Code {
  return code !== null && Object.hasOwn(REFUSALS, code);
}

/** Adds the meaning of the code. Codes of OAuth are explained in RFC 6749 only. */
function explained(request: LoggedRequest, docs: string) {
  const { code, reason } = request;
  if (!isCode(code)) return { ...request, message: null, remediation: null, docs_url: null };
  const remediation = remediationOf(code, undefined, reason === undefined ? {} : { reason });
  return {
    ...request,
    message: REFUSALS[code].message,
    remediation,
    docs_url: docsUrl(docs, code),
  };
}

function textOf(request: ReturnType<typeof explained>): string {
  const { at, method, route, status, code, ms, fields } = request;
  const what = status === 499 ? "the client closed the connection early" : (code ?? "no code");
  const lines: readonly (readonly [string, string | null | undefined])[] = [
    ["trace", request.trace_id],
    ["tenant", request.tenant_id],
    ["agent", request.agent_id],
    ["fields", fields?.map((field) => field || "(the whole request)").join(", ")],
    ["reason", request.reason],
    ["means", request.message],
    ["do", request.remediation],
    ["docs", request.docs_url],
  ];
  const known = lines.flatMap(([name, text]) => (text ? [`  ${name.padEnd(7)} ${text}\n`] : []));
  return `${at}  ${method} ${route ?? "(no route)"}  ${status} ${what}  ${ms} ms\n${known.join("")}`;
}

function tableOf(requests: readonly LoggedRequest[]): string {
  const rows = requests.slice(-ROWS_MAX).map((request) => {
    const { at, status, code, method, route, agent_id, ms, trace_id } = request;
    const where = `${method} ${route ?? "(no route)"}`;
    return [at, String(status), code ?? "-", where, agent_id ?? "-", String(ms), trace_id];
  });
  const earlier = requests.length - rows.length;
  const more = earlier > 0 ? `${earlier} earlier ones match too: use --since or --json\n` : "";
  return table(["at", "status", "code", "request", "agent", "ms", "trace"], rows) + more;
}

/** An option or operand that must match a pattern. */
function matching(value: string, help: string, pattern: RegExp, expected: string) {
  return parsed(value, help, (given, name) => {
    if (pattern.test(given)) return given;
    throw new UsageError(`${name} must be ${expected}`);
  });
}

const TRACE_OPERAND = matching(
  "TRACE",
  "trace_id of the answer, or at least its first 8 digits",
  /^[0-9a-f]{8,32}$/i,
  "8 to 32 hex digits: a trace id or its start",
);

const OPTIONS = {
  agent: text("ID", "only of this agent"),
  code: text("CODE", "only with this error code"),
  status: matching(
    "STATUS",
    "only with this status: 404, 4xx, 5xx",
    /^[45](\d\d|xx)$/,
    "a status from 400 to 599, 4xx or 5xx",
  ),
  since: when("only since an RFC 3339 instant or an age such as 90m, 6h or 3d"),
  json: flag("print JSON, with the meaning of each code"),
};

/** The filter of the command line. */
function filterOf({ agent, code, status = "", since }: Values<typeof OPTIONS>, trace: string) {
  const from = since?.(Date.now()) ?? "";
  return (request: LoggedRequest) =>
    request.trace_id.startsWith(trace) &&
    String(request.status).startsWith(status.replace("xx", "")) &&
    (agent === undefined || request.agent_id === agent) &&
    (code === undefined || request.code === code) &&
    request.at >= from;
}

function logIn(directory: string) {
  try {
    return readRequestLog(directory);
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== "ENOENT") throw cause;
    throw new StartRefused(`no refused requests yet, or wrong DATA_DIR: ${directory} is missing`);
  }
}

async function run(
  { env, terminal }: Session,
  given: Values<typeof OPTIONS>,
  trace: string | undefined,
): Promise<ExitCode> {
  const { dataDir, docsUrl: docs } = readConfig(env);
  const { requests, dropped } = logIn(requestLogDirectory(dataDir));
  const found = requests.filter(filterOf(given, trace?.toLowerCase() ?? ""));
  const lost = dropped > 0 ? `; ${dropped} more were not logged because of overload` : "";
  const explain = (request: LoggedRequest) => explained(request, docs);
  if (given.json) terminal.out(asJson(found.map(explain)));
  else if (found.length === 0) {
    terminal.out(`none of ${requests.length} logged requests matches${lost}\n`);
  } else if (trace === undefined) terminal.out(tableOf(found));
  else terminal.out(found.map((each) => textOf(explain(each))).join("\n"));
  return found.length > 0 ? 0 : 1;
}

export const requests = command({
  name: "requests",
  summary: "explain a refused request (4xx, 5xx) by its trace id, or list the latest",
  operand: operand(TRACE_OPERAND),
  options: OPTIONS,
  note: `Short form: npm run requests -- TRACE. The log is written once a second, keeps about the latest
16 MiB, and contains no values from requests.

Exit codes: 0 found, 1 nothing found, 2 usage.
`,
  run,
});
