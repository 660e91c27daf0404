import { expect, test } from "bun:test";
import { Type } from "@sinclair/typebox";
import fc from "fast-check";
import { AriBody } from "../api/ari/requests.ts";
import { BookingBody, CancelBody } from "../api/bookings/requests.ts";
import { FxBody } from "../api/fx/routes.ts";
import { HoldBody } from "../api/holds/requests.ts";
import { PromoteBody, PropertyBody } from "../api/properties/requests.ts";
import { quoteRequest } from "../api/quotes/requests.ts";
import { VerifyBody } from "../api/receipts/routes.ts";
import { searchRequest } from "../api/search/requests.ts";
import {
  closed,
  EmptyBody,
  integer,
  mapOf,
  oneOf,
  optionalOrNull,
  text,
} from "./schema/request-parts.ts";
import { compile, depthExceeds, type FieldError } from "./validate.ts";

const paths = (errors: readonly FieldError[]) => errors.map(({ path }) => path).sort();

const checkAri = compile(AriBody);
const checkBooking = compile(BookingBody);
const checkCancel = compile(CancelBody);
const checkEmpty = compile(EmptyBody);
const checkFx = compile(FxBody);
const checkHold = compile(HoldBody);
const checkPromote = compile(PromoteBody);
const checkProperty = compile(PropertyBody);
const checkVerify = compile(VerifyBody);

const booking = {
  hold_id: "hld_1",
  quote_id: "q_1",
  guest: { primary: { full_name: "Ada Lovelace", email: "ada@example.com", phone: "+44 20 1" } },
  payment: { method: "card", provider_token: "tok_1", billing_country: "GB" },
  special_requests: "",
};

test("a valid value gives an empty list without allocation", () => {
  const errors = checkBooking(booking);
  expect(errors).toHaveLength(0);
  expect(checkBooking(booking)).toBe(errors);
});

test("missing, unknown and wrong members are each reported at their path", () => {
  const { hold_id: _gone, ...rest } = booking;
  const body = { ...rest, quote_id: 7, "a/b~c": 1, payment: { ...booking.payment, cvv: "123" } };
  expect(checkBooking(body)).toEqual([
    {
      path: "/hold_id",
      message: "is missing",
      expected: "text of 1 to 64 characters: data.hold_id of the hold",
    },
    {
      path: "/a~1b~0c",
      message: "is not a known property",
      expected: expect.stringMatching(/^only hold_id, quote_id, guest, /),
    },
    {
      path: "/quote_id",
      message: "must be text of 1 to 64 characters: data.quote_id of the quote",
      expected: "text of 1 to 64 characters: data.quote_id of the quote",
    },
    {
      path: "/payment/cvv",
      message: "is not a known property",
      expected: "only method, provider_token, billing_country",
    },
  ]);
});

test("numbers are JSON numbers and integers are whole", () => {
  const check = compile(closed({ n: integer(1, 20) }));
  for (const n of ["3", 1.5, 0, 21, null, true]) {
    const expected = "an integer from 1 to 20";
    expect(check({ n })).toEqual([{ path: "/n", message: `must be ${expected}`, expected }]);
  }
  expect(check({ n: 3 })).toHaveLength(0);
});

test("a failed choice is explained in words", () => {
  const check = compile(closed({ kind: oneOf(["tax", "fee"]), note: optionalOrNull(text(1, 5)) }));
  expect(check({ kind: "x", note: 1 }).map(({ message }) => message)).toEqual([
    "must be one of tax, fee",
    "must be text of 1 to 5 characters or null",
  ]);
});

test("faults inside one of several shapes are reported at their path", () => {
  const check = compile(closed({ geo: optionalOrNull(closed({ lat: Type.Number() })) }));
  expect(paths(check({ geo: { lat: "x", lng: 2 } }))).toEqual(["/geo/lat", "/geo/lng"]);
});

test("every bad key of a map is named", () => {
  const check = compile(closed({ rates: mapOf("^[A-Z]{3}$", Type.String()) }));
  const errors = check({ rates: { EUR: "1", usd: "1", x: "1", GBP: 1 } });
  expect(paths(errors)).toEqual(["/rates/GBP", "/rates/usd", "/rates/x"]);
});

test("keys that are special in JavaScript are refused, even where extra keys are allowed", () => {
  const receipt =
    '{"kind":"refund_issued","subject":{},"issued_at":"t","issuer":"i","signature":"s","more":1';
  expect(checkVerify(JSON.parse(`${receipt}}`))).toHaveLength(0);
  for (const key of ["__proto__", "constructor", "prototype"]) {
    expect(paths(checkHold(JSON.parse(`{"quote_id":"q","${key}":{}}`)))).toEqual([`/${key}`]);
    expect(paths(checkVerify(JSON.parse(`${receipt},"${key}":{}}`)))).toEqual([`/${key}`]);
    const subject = receipt.replace('"subject":{}', `"subject":{"${key}":"x"}`);
    expect(paths(checkVerify(JSON.parse(`${subject}}`)))).toEqual([`/subject/${key}`]);
  }
});

test("a body that is not an object is a fault of the whole body", () => {
  for (const body of [null, [], "x", 1, true]) expect(paths(checkHold(body))).toEqual([""]);
});

test("no fault repeats the input", () => {
  const body = { hold_id: ["S3CRET"], guest: { primary: { email: "S3CRET" } }, payment: "S3CRET" };
  expect(JSON.stringify(checkBooking(body))).not.toContain("S3CRET");
});

test("a hostile body gives at most a thousand faults", () => {
  const inventory = new Array(5000).fill(1);
  expect(checkAri({ inventory })).toHaveLength(1000);
});

test("no check throws or reports a path twice, for any JSON", () => {
  const checks = [
    ...[checkFx, checkPromote, checkAri, checkBooking, checkCancel, checkEmpty, checkHold],
    ...[checkVerify, checkProperty],
    (value: unknown) => errorsOf(quoteRequest.read(value, 0)),
    (value: unknown) => errorsOf(searchRequest.read(value, 0)),
  ];
  const known = fc.constantFrom(..."stay check_in guests inventory guest subject rates".split(" "));
  const near = fc.dictionary(fc.oneof(known, fc.string()), fc.jsonValue({ maxDepth: 4 }));
  fc.assert(
    fc.property(fc.oneof(near, fc.jsonValue()), (value) => {
      for (const check of checks) {
        const found = check(value).map(({ path }) => path);
        expect(new Set(found).size).toBe(found.length);
      }
    }),
    { numRuns: 300 },
  );
});

function errorsOf(parsed: { ok: boolean; errors?: readonly FieldError[] }): readonly FieldError[] {
  return parsed.errors ?? [];
}

test("exactly the invalidated members of a body are reported", () => {
  const leaves = [
    ["hold_id"],
    ["quote_id"],
    ["guest", "primary", "full_name"],
    ["guest", "primary", "email"],
    ["guest", "primary", "phone"],
    ["payment", "method"],
    ["payment", "provider_token"],
    ["payment", "billing_country"],
    ["special_requests"],
  ];
  const wrong = fc.constantFrom(null, 3, false, [], {});
  fc.assert(
    fc.property(fc.subarray(leaves), wrong, (spoiled, value) => {
      const body = structuredClone(booking);
      for (const leaf of spoiled) spoil(body, leaf, value);
      expect(paths(checkBooking(body))).toEqual(spoiled.map((leaf) => `/${leaf.join("/")}`).sort());
    }),
  );
});

function spoil(root: object, leaf: readonly string[], value: unknown): void {
  const parent = leaf.slice(0, -1).reduce((at: object, key) => Reflect.get(at, key), root);
  Reflect.set(parent, leaf.at(-1)!, value);
}

test("depth counts nested objects and lists", () => {
  const nested = (levels: number) => JSON.parse("[".repeat(levels) + "]".repeat(levels));
  expect(depthExceeds(nested(32), 32)).toBe(false);
  expect(depthExceeds(nested(33), 32)).toBe(true);
  expect(depthExceeds({ a: [{ b: null }] }, 3)).toBe(false);
  expect(depthExceeds({ a: [{ b: null }] }, 2)).toBe(true);
  expect(depthExceeds("text", 0)).toBe(false);
});
