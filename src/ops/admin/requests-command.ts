/** `npm run requests -- TRACE`: explains a refused or failed request. */

import { type Environment, readConfig } from "../../config.ts";
import { StartRefused } from "../../lib/lifecycle.ts";
import { type LoggedRequest, readRequestLog, requestLogDirectory } from "../../lib/request-log.ts";
import { docsUrl, REFUSALS, remediationOf } from "../../refusals/catalogue.ts";
import { type Arguments, UsageError } from "../cli/arguments.ts";
import { whenOf } from "../cli/delivery-filter.ts";
import { table } from "../cli/terminal.ts";
import type { Command, Printed } from "./command.ts";

/** Rows of the table; JSON has all. */
const ROWS_MAX = 100;
const TRACE = /^[0-9a-f]{8,32}$/;
const STATUS = /^[45](\d\d|xx)$/;

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

function matching(name: string, pattern: RegExp, expected: string, text: string): string {
  if (pattern.test(text)) return text;
  throw new UsageError(`${name} must be ${expected}`);
}

/** The filter of the command line. Throws a UsageError. */
function filterOf(args: Arguments): (request: LoggedRequest) => boolean {
  const word = args.operand("").toLowerCase();
  const trace =
    word && matching("TRACE", TRACE, "8 to 32 hex digits: a trace id or its start", word);
  const status = args.isSet("status")
    ? matching("--status", STATUS, "a status from 400 to 599, 4xx or 5xx", args.text("status"))
    : "";
  const agent = args.isSet("agent") ? args.text("agent") : null;
  const code = args.isSet("code") ? args.text("code") : null;
  const since = whenOf(args, "since", Date.now()) ?? "";
  return (request) =>
    request.trace_id.startsWith(trace) &&
    String(request.status).startsWith(status.replace("xx", "")) &&
    (agent === null || request.agent_id === agent) &&
    (code === null || request.code === code) &&
    request.at >= since;
}

function logIn(directory: string) {
  try {
    return readRequestLog(directory);
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== "ENOENT") throw cause;
    throw new StartRefused(`no refused requests yet, or wrong DATA_DIR: ${directory} is missing`);
  }
}

function run(env: Environment, args: Arguments): Printed {
  const isAsked = filterOf(args);
  const { dataDir, docsUrl: docs } = readConfig(env);
  const { requests, dropped } = logIn(requestLogDirectory(dataDir));
  const found = requests.filter(isAsked);
  const exitCode = found.length > 0 ? 0 : 1;
  if (args.isSet("json")) {
    const all = found.map((request) => explained(request, docs));
    return { text: `${JSON.stringify(all, null, 2)}\n`, exitCode };
  }
  if (found.length === 0) {
    const lost = dropped > 0 ? `; ${dropped} more were not logged because of overload` : "";
    return { text: `none of ${requests.length} logged requests matches${lost}\n`, exitCode };
  }
  if (args.operand("") === "") return { text: tableOf(found), exitCode };
  return { text: found.map((each) => textOf(explained(each, docs))).join("\n"), exitCode };
}

export const requests: Command = {
  name: "requests",
  summary: "explain a refused request (4xx, 5xx) by its trace id, or list the latest",
  operand: { value: "TRACE", help: "trace_id of the answer, or at least its first 8 digits" },
  options: {
    agent: { value: "ID", help: "only of this agent" },
    code: { value: "CODE", help: "only with this error code" },
    status: { value: "STATUS", help: "only with this status: 404, 4xx, 5xx" },
    since: {
      value: "WHEN",
      help: "only since an RFC 3339 instant or an age such as 90m, 6h or 3d",
    },
    json: { help: "print JSON, with the meaning of each code" },
  },
  note: `Short form: npm run requests -- TRACE. The log is written once a second, keeps about the latest
16 MiB, and contains no values from requests.

Exit codes: 0 found, 1 nothing found, 2 usage.
`,
  run,
};
