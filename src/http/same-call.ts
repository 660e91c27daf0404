/**
 * `retry`: the refused call again. Over REST the answer repeats ids, dates and codes of the
 * request; everything else may be personal and is `<as you sent it>`.
 */
import { AS_SENT, blanksIn, CONSENT } from "../actions/call-parts.ts";
import { type ActionParts, action, type FillIn, type NextAction } from "../actions/next-action.ts";
import { METHODS, type Method, type RecoveryStep } from "../actions/steps.ts";
import type { Known } from "../refusals/recovery.ts";
import type { Asked } from "./call.ts";
import { keyAgain, type Refused, sentAgain } from "./retry-body.ts";
import type { FieldError } from "./validate.ts";

type Fields = Readonly<Record<string, unknown>>;

/** Repeated parts of a call. */
type AskedAgain = Pick<Asked, "method" | "path" | "route" | "sent"> & {
  readonly query?: Asked["query"];
  readonly request?: Pick<Request, "headers">;
};

/** The refused call for sending again; empty for a method without actions. */
export function sameCall(call: AskedAgain, step: RecoveryStep, known: Known): NextAction[] {
  const { detail } = known;
  const method = call.method === "HEAD" ? "GET" : call.method;
  if (!isMethod(method)) return [];
  const { field_errors = [] } = detail as { field_errors?: readonly FieldError[] };
  const { href, blanks } = queryAgain(call, field_errors);
  const { body_hint, fill_in } = method === "GET" ? NO_BODY : bodyAgain(call, step, known);
  const open = [...fill_in, ...blanks, ...headersOf(known, field_errors)];
  const parts = {
    ...(body_hint && { body_hint }),
    ...(open.length > 0 && { fill_in: open }),
    ...(step.body === "renamed" && { changes: ["/slug"] }),
  };
  return [action(step.rel, method, href, parts)];
}

function isMethod(method: string): method is Method {
  return (METHODS as readonly string[]).includes(method);
}

/** Path and query with the known and valid parameters. */
function queryAgain({ path, query, route }: AskedAgain, faults: readonly FieldError[]) {
  const known = route?.query ?? {};
  const faulty = new Set(faults.map((fault) => fault.path));
  const sound = [...(query ?? [])].filter(
    ([name]) => Object.hasOwn(known, name) && !faulty.has(`?${name}`),
  );
  const repeated = sound.filter(([name]) => !known[name]?.isPersonal);
  const blanks = faults
    .filter((fault) => Object.hasOwn(known, fault.path.slice(1)) && fault.path.startsWith("?"))
    .map((fault) => ({ path: fault.path, meaning: fault.expected }));
  const personal = sound
    .filter(([name]) => known[name]?.isPersonal)
    .map(([name]) => ({ path: `?${name}`, meaning: "as you sent it" }));
  const href = repeated.length > 0 ? `${path}?${new URLSearchParams(repeated)}` : path;
  return { href, blanks: [...personal, ...blanks] };
}

interface BodyParts extends Pick<ActionParts, "body_hint"> {
  readonly fill_in: readonly FillIn[];
}

const NO_BODY: BodyParts = { fill_in: [] };

/** The sent body; if it was not read, a blank for all of it. */
function bodyAgain(call: AskedAgain, step: RecoveryStep, { hints, ...rest }: Known): BodyParts {
  const { route, sent, request } = call;
  if (!route) return NO_BODY;
  const refused = rest as Refused;
  const { detail } = refused as { readonly detail: Fields };
  const schema = route.body?.schema;
  const header = request?.headers.get("idempotency-key") ?? undefined;
  const given = header ?? (isFields(sent) ? sent.idempotency_key : undefined);
  const isNeeded = schema !== undefined && !route.isBodyOptional;
  const isUnread = sent === undefined && (isNeeded || carriesBody(request));
  const needsKey = route.key === "required" && !isUnread;
  const key = route.key && keyAgain(given, refused, needsKey);
  const keyed = key === undefined ? {} : { idempotency_key: key };
  if (isFields(sent) && schema?.properties) {
    const slug = step.body === "renamed" ? hints?.free_slug : undefined;
    const repeat = isFaulty(refused) ? plainButPlace : plain;
    const again = sentAgain(schema, sent, refused, slug === undefined ? repeat : whole);
    const seen = detail.cells === undefined ? {} : { if_unchanged_since: detail.seq };
    const body_hint = { ...again, ...(slug !== undefined && { slug }), ...seen, ...keyed };
    return { body_hint, fill_in: blanksIn(body_hint) };
  }
  if (sent === undefined && !isUnread)
    return key === undefined ? NO_BODY : { body_hint: keyed, fill_in: [] };
  const meaning = isFaulty(refused)
    ? "the body as you sent it, corrected"
    : "the body as you sent it";
  const inHeader =
    key === undefined ? [] : [{ path: "Idempotency-Key", meaning: `the key ${key}` }];
  return { fill_in: [{ path: "", meaning }, ...inHeader] };
}

/** Ids, dates and codes, which may be repeated. All else may be personal data or a secret. */
const PLAIN: ReadonlySet<string> = new Set([
  ...["destination", "stay", "guests", "constraints", "sort", "currency", "at", "property", "kind"],
  ...["check_in", "check_out", "adults", "children", "dry_run", "from", "to"],
  ...["hotel_id", "room_type_id", "rate_plan_id", "quote_id", "hold_id", "booking_id"],
  ...["refund_id", "authorization_id", "confirmation_code"],
]);
/** Longer members (JSON) are replaced by `<as you sent it>`. */
const PLAIN_CHARS_MAX = 1_000;
const WHOLE_CHARS_MAX = 16_000;

function plain(name: string, value: unknown): unknown {
  const isTold = PLAIN.has(name) && JSON.stringify(value).length <= PLAIN_CHARS_MAX;
  return isTold ? structuredClone(value) : AS_SENT;
}

/** After a fault even a place may contain other text. */
function plainButPlace(name: string, value: unknown): unknown {
  return name === "destination" ? AS_SENT : plain(name, value);
}

/** Data of a property is not personal. */
function whole(_name: string, value: unknown): unknown {
  return JSON.stringify(value).length <= WHOLE_CHARS_MAX ? value : AS_SENT;
}

function isFaulty({ code }: Refused): boolean {
  return code === "validation_failed";
}

/** For a body that was not read. */
function carriesBody(request: AskedAgain["request"] | undefined): boolean {
  const headers = request?.headers;
  return (
    Number(headers?.get("content-length") ?? 0) > 0 || headers?.has("transfer-encoding") === true
  );
}

/** The key is part of the body; the other is left out of the next call. */
const TOLD_ELSEWHERE = ["Idempotency-Key", "Test-Scenario"];

/** The headers to add or change. */
function headersOf({ code, detail }: Known, faults: readonly FieldError[]): FillIn[] {
  const own = faults
    .filter(({ path }) => /^[A-Za-z]/.test(path) && !TOLD_ELSEWHERE.includes(path))
    .map(({ path, expected }) => ({ path, meaning: expected }));
  switch (code) {
    case "unauthenticated":
      return [{ path: "Authorization", meaning: "a valid credential" }];
    case "delegation_required":
    case "delegation_invalid":
      return [CONSENT];
    case "resource_access_denied":
      return [{ ...CONSENT, meaning: "the consent of the booking's own traveler" }];
    case "conflict":
      return detail.reason === "version_mismatch" && detail.cells === undefined
        ? [{ path: "If-Match", meaning: `"${detail.version}"` }]
        : own;
    default:
      return own;
  }
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
