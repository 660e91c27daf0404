import { expect, test } from "bun:test";
import { ADMIN_SCOPES, DEFAULT_SCOPES } from "../access/control/agents.ts";
import type { Principal, PrincipalKind } from "../access/control/principal.ts";
import { ROUTES } from "../app.ts";
import { mayOf } from "./admission.ts";

const KINDS = ["agent", "operator", "service", "partner"] as const;

function may(
  kind: PrincipalKind,
  scopes: readonly string[],
  property_ids: Principal["property_ids"] = null,
) {
  const limits = { rpm: null, burst: null, max_open_quotes: null };
  const principal: Principal = {
    ...{ tenant_id: "t", agent_id: "agt_1", credential_id: "crd_1", kind, mode: "live" },
    ...{ scopes: new Set(scopes), property_ids },
    limits: { ...limits, max_open_holds: null, max_booking_amount: null },
  };
  return mayOf(principal, ROUTES);
}

/** The path with ids in it. */
function hrefOf(path: string): string {
  return path.replace(/:\w+/g, "x_1");
}

test("a caller with every right is offered the calls of its kind, and no others", () => {
  for (const kind of KINDS) {
    const isOffered = may(kind, [...DEFAULT_SCOPES, "admin:*"]);
    for (const { id, method, path, access } of ROUTES.all) {
      const isAllowed = access === "public" || access.kinds.includes(kind);
      expect({ kind, id, isOffered: isOffered(method, hrefOf(path)) }).toEqual({
        ...{ kind, id, isOffered: isAllowed },
      });
    }
  }
});

test("a caller restricted to properties is offered all but the calls that concern every property", () => {
  const isOffered = may("operator", [...DEFAULT_SCOPES, "admin:*"], new Set(["p1"]));
  const refused = ROUTES.all.filter(({ method, path }) => !isOffered(method, hrefOf(path)));
  const ofTenant = ROUTES.all.filter(({ access }) => {
    return access !== "public" && access.touches === "tenant";
  });
  expect(refused).toEqual(ofTenant);
  expect(refused.map(({ id }) => id)).toContain("admin_set_fx_rates");
});

test("a caller without any property is not offered a quote", () => {
  expect(may("agent", DEFAULT_SCOPES, new Set())("POST", "/v1/quotes")).toBeFalse();
  expect(may("agent", DEFAULT_SCOPES, new Set())("POST", "/v1/search")).toBeTrue();
  expect(may("agent", DEFAULT_SCOPES, new Set(["p1"]))("POST", "/v1/quotes")).toBeTrue();
});

test("a caller without a scope is offered all calls but those that need it", () => {
  const operator = [...DEFAULT_SCOPES, ...ADMIN_SCOPES];
  const needed = new Set(
    ROUTES.all.flatMap(({ access }) => (access === "public" ? [] : (access.scope ?? []))),
  );
  expect(needed.size).toBeGreaterThan(8);
  for (const missing of needed) {
    const isOffered = may(
      "operator",
      operator.filter((scope) => scope !== missing && scope !== "admin:*"),
    );
    for (const { id, method, path, access } of ROUTES.all) {
      if (access !== "public" && !access.kinds.includes("operator")) continue;
      const isAllowed = access === "public" || access.scope !== missing;
      expect({ missing, id, isOffered: isOffered(method, hrefOf(path)) }).toEqual({
        ...{ missing, id, isOffered: isAllowed },
      });
    }
  }
});

test("a partner is not offered search, an agent is; the method is part of the call", () => {
  expect(may("partner", DEFAULT_SCOPES)("POST", "/v1/search")).toBeFalse();
  expect(may("partner", DEFAULT_SCOPES)("GET", "/v1/properties/htl_1")).toBeTrue();
  expect(may("agent", DEFAULT_SCOPES)("POST", "/v1/search")).toBeTrue();
  expect(may("agent", DEFAULT_SCOPES)("GET", "/v1/search")).toBeFalse();
  expect(may("agent", ["holds"])("POST", "/v1/search")).toBeFalse();
  expect(may("agent", ["holds"])("POST", "/v1/holds/hld_1/release")).toBeTrue();
});

test("a call without a route is offered to no caller, a public one to every caller", () => {
  const everything = [...DEFAULT_SCOPES, "admin:*"];
  for (const kind of KINDS) {
    const [isOffered, isOfferedWithNothing] = [may(kind, everything), may(kind, [])];
    for (const href of ["/v1/nothing", "/v1/holds/hld_1/nothing", "", "v1/search", "/v1/search/"]) {
      for (const method of ["GET", "POST", "PUT", "PATCH", "DELETE"]) {
        expect({ method, href, is: isOffered(method, href) }).toEqual({ method, href, is: false });
      }
    }
    for (const href of ["/", "/.well-known/delegation-issuers", "/.well-known/agent-card.json"]) {
      expect(isOfferedWithNothing("GET", href)).toBeTrue();
    }
    expect(isOfferedWithNothing("POST", "/v1/receipts/verify")).toBeTrue();
    expect(isOfferedWithNothing("GET", "/v1/properties")).toBeFalse();
  }
});

test("the grantable scopes are exactly those that some route requires", () => {
  const needed = ROUTES.all.flatMap(({ access }) => (access === "public" ? [] : access.scope));
  const asked = new Set(needed.filter((scope) => scope !== null));
  expect([...asked, "admin:*"].sort()).toEqual([...DEFAULT_SCOPES, ...ADMIN_SCOPES].sort());
});
