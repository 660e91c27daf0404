import { expect, test } from "bun:test";
import { scopeOf } from "./scopes.ts";

test.each([
  ["GET", "/v1/properties", "supply:read"],
  ["GET", "/v1/properties/seaview/full", "supply:read"],
  ["POST", "/v1/search", "search"],
  ["POST", "/v1/quotes", "quotes"],
  ["POST", "/v1/holds/hld_1/release", "holds"],
  ["GET", "/v1/bookings/bkg_1/refunds/rfd_1", "bookings:read"],
  ["POST", "/v1/bookings", "bookings:write"],
  ["PATCH", "/v1/bookings/bkg_1", "bookings:write"],
  ["POST", "/v1/bookings/bkg_1/cancel", "bookings:cancel"],
  ["PUT", "/v1/admin/properties/p/ari", "admin:properties"],
  ["POST", "/v1/receipts/verify", null],
  ["GET", "/.well-known/delegation-issuers", null],
  ["GET", "/readyz", null],
])("%s %s needs the scope %p", (method, path, scope) => {
  expect(scopeOf(method, path)).toBe(scope);
});
