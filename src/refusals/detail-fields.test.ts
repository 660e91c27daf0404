/** The table of detail fields; that real answers keep to it is tested over HTTP. */
import { expect, test } from "bun:test";
import { REFUSAL_CODES, type RefusalCode } from "../../engine/core/refusals.ts";
import { REFUSALS } from "./catalogue.ts";

const namesOf = (code: RefusalCode) => REFUSALS[code].detail.map(([name]) => name);

test("the fields that the contract shows are always present", () => {
  const shown = {
    hold_expired: ["hold_id", "expired_at"],
    validation_failed: ["field_errors"],
    delegation_invalid: ["reason"],
    payment_failed: ["provider_message"],
    refund_exceeds_remaining: ["remaining"],
    property_not_promotable: ["reasons"],
    booking_authorization_invalid: ["reason"],
    upstream_unavailable: ["upstream"],
  } as const;
  for (const [code, names] of Object.entries(shown)) {
    expect(namesOf(code as RefusalCode)).toEqual(expect.arrayContaining([...names]));
  }
});

test("conflicts about people and refunds are listed, with their fields and what to do", () => {
  const { detail, remediation } = REFUSALS.conflict;
  const meaning = detail.find(([name]) => name === "reason")![2];
  for (const reason of ["own_person", "person_suspended", "person_revoked", "refund_changed"]) {
    expect(meaning).toContain(`\`${reason}\``);
    const advice = (remediation as Exclude<typeof remediation, string>)({} as never, { reason });
    expect(advice).not.toContain("detail describes");
  }
  expect(namesOf("conflict")).toEqual(expect.arrayContaining(["refund?", "fee?", "currency?"]));
});

test("every code lists each field once with its meaning", () => {
  for (const code of REFUSAL_CODES) {
    const names = namesOf(code).map((name) => name.replace("?", ""));
    expect({ code, count: new Set(names).size }).toEqual({ code, count: names.length });
    for (const [, type, meaning] of REFUSALS[code].detail) {
      expect(type).not.toBe("");
      expect(meaning).toMatch(/\.$/);
    }
  }
});
