import { expect, test } from "bun:test";
import { cpuMsOf } from "../../../test/support/cpu.ts";
import { EmptyBody } from "../../http/schema/request-parts.ts";
import { compile } from "../../http/validate.ts";
import { HoldBody } from "../holds/requests.ts";
import { quoteRequest } from "../quotes/requests.ts";
import { BookingBody, CancelBody, DeskCancelBody } from "./requests.ts";

const checkBooking = compile(BookingBody);
const checkCancel = compile(CancelBody);
const checkEmpty = compile(EmptyBody);
const checkHold = compile(HoldBody);

const booking = (email: string, extra: object = {}) => ({
  hold_id: "h",
  quote_id: "q",
  guest: { primary: { full_name: "A", email } },
  payment: { method: "card", provider_token: "t" },
  ...extra,
});

test("a quote requires every id, the stay and the guests; children are optional", () => {
  const parsed = quoteRequest.read({}, 0);
  const paths = parsed.ok ? [] : parsed.errors.map(({ path }) => path);
  expect(paths).toEqual([
    ...["/hotel_id", "/room_type_id", "/rate_plan_id"],
    ...["/stay/check_in", "/stay/check_out", "/guests/adults"],
  ]);
});

test("a quote of past dates is valid here: the property's zone decides what is past", () => {
  const stay = { check_in: "2000-01-01", check_out: "2000-01-02" };
  const ids = { hotel_id: "h", room_type_id: "r", rate_plan_id: "p" };
  const body = { ...ids, stay, guests: { adults: 1 }, idempotency_key: "ignored" };
  const parsed = quoteRequest.read(body, 0);
  expect(parsed).toEqual({
    ok: true,
    value: { ...ids, stay, guests: { adults: 1, children: [] } },
  });
});

test.each(["ada@example.com", "a.b+c@sub.example.co", "ü@müller.example"])(
  "%s is an e-mail address",
  (email) => {
    expect(checkBooking(booking(email))).toHaveLength(0);
  },
);

test.each(["", "ada", "ada@", "@example.com", "ada@localhost", "a b@c.de", "a@b..c", "a@b.c."])(
  "%p is not an e-mail address",
  (email) => {
    expect(checkBooking(booking(email)).map(({ path }) => path)).toEqual(["/guest/primary/email"]);
  },
);

test("an address crafted to stall the check is refused at once", () => {
  for (const name of [".a".repeat(30_000), "a.".repeat(30_000)]) {
    expect(cpuMsOf(() => checkBooking(booking(`a@${name} `)))).toBeLessThan(1_000);
  }
});

test("the optional members of a booking have limits", () => {
  const additional = [{ full_name: "B" }];
  const guest = { primary: { full_name: "A", email: "a@b.cd", phone: "1234" }, additional };
  const whole = { guest, special_requests: "x".repeat(2000), authorization_id: "a" };
  expect(checkBooking(booking("a@b.cd", { ...whole, idempotency_key: "k" }))).toHaveLength(0);
  const long = { special_requests: "x".repeat(2001), authorization_id: "" };
  expect(checkBooking(booking("a@b.cd", long)).map(({ path }) => path)).toEqual([
    "/special_requests",
    "/authorization_id",
  ]);
});

test("the reason of a cancellation by the property is not blank", () => {
  const check = compile(DeskCancelBody);
  for (const reason of ["", " ", "\n\t ", undefined]) {
    expect(check({ reason }).map(({ path }) => path)).toEqual(["/reason"]);
  }
  for (const reason of ["x", " Water\nin the room ", "x".repeat(500)]) {
    expect(check({ reason })).toHaveLength(0);
  }
  expect(check({ reason: "x".repeat(501) })).toHaveLength(1);
});

test("writes fully described by their path accept an empty body and a key", () => {
  expect(checkEmpty({})).toHaveLength(0);
  expect(checkEmpty({ idempotency_key: "k" })).toHaveLength(0);
  expect(checkEmpty({ reason: 1 })).toHaveLength(1);
  expect(checkCancel({ reason_code: "plans_changed", note: "" })).toHaveLength(0);
  expect(checkHold({ quote_id: "q", quantity: 2 })).toHaveLength(1);
});
