import { expect, test } from "bun:test";
import { REFUSAL_CODES } from "../../../engine/core/refusals.ts";
import { BOOKING_FILL_IN, bookingBody } from "../../actions/call-parts.ts";
import { action, type NextAction, post } from "../../actions/next-action.ts";
import { ROUTES } from "../../app.ts";
import { remediationOf } from "../../refusals/catalogue.ts";
import { TOOL_TERMS } from "../../refusals/record.ts";
import { toolById, toolsOf } from "./catalogue.ts";
import { toolEnvelope } from "./next-calls.ts";

type Arguments = Record<string, unknown>;

const TOOLS = toolsOf(ROUTES);
const TOKEN = "<the traveler's delegation token>";
const QUOTE = {
  ...{ hotel_id: "h", room_type_id: "r", rate_plan_id: "p" },
  stay: { check_in: "2027-06-01", check_out: "2027-06-03" },
  guests: { adults: 2, children: [] },
};
const CANARY = "canary";
const SECRET_BOOKING = {
  ...bookingBody({ hold_id: "hld_1", quote_id: "qt_1", idempotency_key: "key-1" }),
  guest: { primary: { full_name: `${CANARY} name`, email: `${CANARY}@example.com` } },
  payment: { method: "card", provider_token: `tok_${CANARY}` },
  special_requests: `${CANARY} pillow`,
  idempotency_key: "key-1",
  delegation_token: `${CANARY}.jwt`,
};

function callOf(name: string, input: Arguments = {}, isConsentSent = false) {
  return { routes: ROUTES, tool: toolById(ROUTES, name)!, input, isConsentSent };
}

/** What one action of a success becomes. */
function next(offered: NextAction, isConsentSent = false) {
  const envelope = { data: {}, trace_id: "t", next_actions: [offered] };
  const { next_actions } = toolEnvelope(callOf("search", {}, isConsentSent), envelope);
  return (next_actions as (NextAction & { tool?: string; arguments?: Arguments })[])[0]!;
}

/** The arguments with which a refused call is made again. */
function again(name: string, input: Arguments, code: string, field_errors: object[] = []) {
  const next_actions = [action("retry", "POST", "/mcp")];
  const error = { code, detail: { field_errors }, trace_id: "trace", next_actions };
  const told = toolEnvelope(callOf(name, input), { error }) as {
    error: { next_actions: { tool: string; arguments: Arguments }[]; remediation: string };
  };
  expect(told.error.next_actions[0]!.tool).toBe(name);
  return told.error.next_actions[0]!.arguments;
}

test("path ids, query parameters and the body become arguments of the tool", () => {
  const at = "2027-01-01T00:00:00Z";
  const href = `/v1/bookings/a%2Fb/cancellation-quote?at=${encodeURIComponent(at)}`;
  expect(next(action("get", "GET", href))).toEqual({
    ...action("get", "GET", href),
    tool: "get_cancellation_quote",
    arguments: { booking_id: "a/b", at },
  });
  expect(next(post("quote", "/v1/quotes", QUOTE))).toEqual({
    ...post("quote", "/v1/quotes", QUOTE),
    tool: "quote",
    arguments: QUOTE,
  });
});

test("a call that no tool covers, or not completely, stays unchanged", () => {
  for (const offered of [
    action("get", "GET", "/.well-known/errors"),
    action("get", "GET", "/v1/properties/h?full=true"),
    action("get", "GET", "/no/such"),
    action("issue_refund", "POST", "/v1/admin/bookings/b/refunds"),
  ]) {
    expect<unknown>(next(offered)).toEqual(offered);
  }
});

test("the key of an offered call is an argument of its tool", () => {
  const body = { quote_id: "qt_1", idempotency_key: "hold-qt_1-0" };
  expect(next(post("create_hold", "/v1/holds", body)).arguments).toEqual(body);
});

test("blanks are described by the names of arguments", () => {
  const body = bookingBody({ hold_id: "hld_1", quote_id: "qt_1", idempotency_key: "k" });
  const confirm = post("confirm", "/v1/bookings", body, { fill_in: BOOKING_FILL_IN });
  const paths = (isConsentSent: boolean) =>
    next(confirm, isConsentSent).fill_in?.map((e) => e.path);
  const ofBody = ["/guest/primary/full_name", "/guest/primary/email", "/payment/provider_token"];
  expect(paths(false)).toEqual([...ofBody, "/delegation_token"]);
  expect(paths(true)).toEqual(ofBody);
});

test("consent is an argument unless it is in the header", () => {
  const cancel = action("cancel", "POST", "/v1/bookings/bkg_1/cancel");
  expect(next(cancel).arguments).toEqual({ booking_id: "bkg_1", delegation_token: TOKEN });
  expect(next(cancel, true).arguments).toEqual({ booking_id: "bkg_1" });
});

test("a repeated call has a new key after a decision, and otherwise the same key", () => {
  const keyAfter = (code: string, field_errors: object[] = []) =>
    again("book", SECRET_BOOKING, code, field_errors).idempotency_key;
  for (const code of ["payment_timeout", "upstream_unavailable", "delegation_required"]) {
    expect(keyAfter(code)).toBe("key-1");
  }
  for (const code of ["conflict", "idempotency_conflict"]) expect(keyAfter(code)).toBe("key-1~2");
  const path = "/idempotency_key";
  expect(keyAfter("validation_failed", [{ path, message: "", expected: "" }])).toBe("key-trace-0");
  const extended = again("extend_hold", { hold_id: "hld_1" }, "conflict");
  expect(extended).toEqual({ hold_id: "hld_1" });
});

test("guest and payment are repeated as sent, the delegation token never", () => {
  for (const code of REFUSAL_CODES) {
    for (const { id } of TOOLS) {
      expect(JSON.stringify(again(id, SECRET_BOOKING, code))).not.toContain(`${CANARY}.jwt`);
    }
  }
  expect(again("book", SECRET_BOOKING, "payment_timeout")).toEqual({
    ...SECRET_BOOKING,
    delegation_token: TOKEN,
  });
});

test("members at fault become blanks, and unknown ones are dropped", () => {
  const stay = { check_in: "tomorrow", check_out: "2027-06-03", nights: 2 };
  const sent = { ...QUOTE, stay, rate_plan_id: 7, colour: "red" };
  const fault = (path: string, expected: string) => ({ path, message: "", expected });
  const told = again("quote", sent, "validation_failed", [
    fault("/colour", "one of …"),
    fault("/rate_plan_id", "text"),
    fault("/stay/check_in", "a date"),
    fault("/stay/nights", "one of …"),
    fault("/currency", "three letters"),
  ]);
  expect(told).toEqual({
    ...QUOTE,
    rate_plan_id: "<text>",
    stay: { check_in: "<a date>", check_out: "2027-06-03" },
    currency: "<three letters>",
  });
  const bare = again("book", {}, "validation_failed", [fault("/guest", "an object")]);
  expect(bare.guest).toEqual({
    primary: { full_name: "<a name as in the passport>", email: "<an e-mail address>" },
  });
  const guest = again("book", SECRET_BOOKING, "validation_failed", [
    fault("/guest/primary/email", "an e-mail address"),
  ]).guest;
  expect(guest).toEqual({
    primary: { full_name: `${CANARY} name`, email: "<an e-mail address>" },
  });
});

test("a fault of query or header becomes one of an argument", () => {
  const fault = (path: string) => ({ path, message: "is malformed", expected: "three letters" });
  const field_errors = ["?currency", "Idempotency-Key", "/stay", "X-Tenant-Id"].map(fault);
  const next_actions = [action("retry", "POST", "/v1/quotes")];
  const error = { code: "validation_failed", detail: { field_errors, more: 1 }, next_actions };
  const told = toolEnvelope(callOf("quote", QUOTE), { error });
  const paths = ["/currency", "/idempotency_key", "/stay", "X-Tenant-Id"];
  expect(told.error).toMatchObject({ detail: { field_errors: paths.map(fault), more: 1 } });
  const header = { header: "X-Delegated-User" };
  const missing = { error: { code: "delegation_required", detail: header, next_actions } };
  const argument = "delegation_token";
  expect(toolEnvelope(callOf("book"), missing).error).toMatchObject({
    detail: { ...header, argument },
  });
  const [retry] = (told.error as { next_actions: { arguments: Arguments }[] }).next_actions;
  expect(retry!.arguments.currency).toBe("<three letters>");
});

test("a booking without a token offers to hand over the hold of its arguments", () => {
  const body_hint = { hold_id: "<hold id>", idempotency_key: "k" };
  const fill_in = [{ path: "/hold_id", meaning: "hold id" }];
  const next_actions = [post("confirm", "/v1/checkout/sessions", body_hint, { fill_in })];
  const offered = (code: string, hold_id: unknown) => {
    const error = { code, detail: {}, next_actions };
    return (
      toolEnvelope(callOf("book", { hold_id }), { error }).error as { next_actions: object[] }
    ).next_actions[0];
  };
  const told = offered("delegation_required", "hld_1");
  expect(told).toMatchObject({ arguments: { hold_id: "hld_1", idempotency_key: "k" } });
  expect(told).not.toHaveProperty("fill_in");
  for (const other of [
    offered("delegation_required", 7),
    offered("delegation_required", "h".repeat(65)),
    offered("hold_not_found", "hld_1"),
  ]) {
    expect(other).toMatchObject({ arguments: body_hint, fill_in });
  }
});

test("unknown names and huge values are not sent back", () => {
  const input = JSON.parse('{"__proto__": {"a": 1}, "constructor": 1, "hold_id": "h"}');
  expect(again("get_hold", input, "rate_limited")).toEqual({ hold_id: "h" });
  const huge = again("get_hold", { hold_id: "h".repeat(5_000) }, "rate_limited");
  expect(huge).toEqual({ hold_id: "<as you sent it>" });
  const proto = [{ path: "/stay/__proto__", message: "", expected: "x" }];
  expect(again("quote", QUOTE, "validation_failed", proto)).toEqual(QUOTE);
});

test("remedies use the terms of tools: no header, no path, and only existing tools", () => {
  for (const code of REFUSAL_CODES) {
    const told = remediationOf(code, TOOL_TERMS);
    expect(told).not.toMatch(/X-|Idempotency-Key|\/v1|POST|GET/);
    const { error } = toolEnvelope(callOf("book"), { error: { code, detail: {} } });
    expect(error).toMatchObject({ remediation: told });
  }
  const names = TOOLS.flatMap(({ id, input }) => [id, ...Object.keys(input.properties)]);
  for (const term of Object.values(TOOL_TERMS)) expect(names).toContain(term);
});
