import { expect, test } from "bun:test";
import { REFUSAL_CODES } from "../../engine/core/refusals.ts";
import { UNMET } from "../../test/support/unreached.ts";
import { ROUTES } from "../app.ts";
import { readScenario, scenariosOf } from "./test-scenario.ts";

const hold = ROUTES.byId("hold");
const asking = (code: string) =>
  new Request("http://localhost/v1/holds", { headers: { "test-scenario": code } });

test("every code that can be met can be asked for, each of some protected route", () => {
  const protectedRoutes = ROUTES.all.filter(({ access }) => access !== "public");
  const asked = new Set(protectedRoutes.flatMap(scenariosOf));
  expect(REFUSAL_CODES.filter((code) => asked.has(code))).toEqual(
    REFUSAL_CODES.filter((code) => !(code in UNMET)),
  );
});

test("without the header there is no scenario", () => {
  const request = new Request("http://localhost/v1/holds");
  expect(readScenario(request, hold, "live")).toEqual({ code: null, errors: [] });
});

test("a code of the route is taken in test mode", () => {
  const reading = readScenario(asking("quote_expired"), hold, "test");
  expect(reading).toEqual({ code: "quote_expired", errors: [] });
});

test("a code that the route does not declare is refused with those that it does", () => {
  for (const code of ["payment_failed", "internal_error", "toString", "", "quote_expired,x"]) {
    const { code: taken, errors } = readScenario(asking(code), hold, "test");
    expect(taken).toBeNull();
    expect(errors).toEqual([
      {
        path: "Test-Scenario",
        message: "is not a refusal of this call",
        expected: `one of ${scenariosOf(hold).join(", ")}`,
      },
    ]);
  }
  expect(scenariosOf(hold)).toContain("allocation_failed");
  expect(scenariosOf(hold)).not.toContain("internal_error");
});

test("live mode refuses the header, and so do calls without a credential", () => {
  const verify = ROUTES.byId("verify_receipt");
  for (const [route, mode] of [
    [hold, "live"],
    [verify, undefined],
  ] as const) {
    const { code, errors } = readScenario(asking("validation_failed"), route, mode);
    expect(code).toBeNull();
    expect(errors).toEqual([
      {
        path: "Test-Scenario",
        message: "needs a credential of test mode",
        expected: "no such header",
      },
    ]);
  }
});

test("a document, which has no refusal to give, ignores the header", () => {
  const robots = ROUTES.all.find(({ path }) => path === "/robots.txt")!;
  const reading = readScenario(asking("validation_failed"), robots, undefined);
  expect(reading).toEqual({ code: null, errors: [] });
});
