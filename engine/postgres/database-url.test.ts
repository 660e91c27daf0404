/** Addresses of PostgreSQL: each node of a list, and nothing that could name another place. */
import { expect, test } from "bun:test";
import { isDatabaseUrl, nodesOf } from "./database-url.ts";

test("each node of an address has a URL, in their order", () => {
  expect(nodesOf("postgres://b,a/db")).toEqual(["postgres://b/db", "postgres://a/db"]);
  expect(nodesOf("postgresql://u:p%40@a:5432,[::1]:5433,b/db?sslmode=require")).toEqual([
    "postgresql://u:p%40@a:5432/db?sslmode=require",
    "postgresql://u:p%40@[::1]:5433/db?sslmode=require",
    "postgresql://u:p%40@b/db?sslmode=require",
  ]);
  const option = "postgres://a/db?sslrootcert=/etc/ssl/ca.pem";
  expect(nodesOf(option)).toEqual([option]);
  expect(isDatabaseUrl("postgres://a/db")).toBe(true);
});

test.each([
  ["nothing", ""],
  ["no scheme", "a/db"],
  ["another scheme", "mysql://a/db"],
  ["another scheme before it", "x:postgres://a/db"],
  ["no host", "postgres:///db"],
  ["no host after a user", "postgres://u@/db"],
  ["an empty host in the list", "postgres://a,,b/db"],
  ["an empty host at the end", "postgres://a,/db"],
  ["no database", "postgres://a"],
  ["an empty database", "postgres://a/"],
  ["two paths", "postgres://a/db/other"],
  ["a port that is none", "postgres://a:99999/db"],
  ["a port in letters", "postgres://a:x/db"],
  ["a space", "postgres://a b/db"],
  ["a second user", "postgres://u:p@x@a/db"],
  ["a user in the list", "postgres://u@a,v@b/db"],
  ["a path before the user", "postgres://a/db@b/db"],
  ["a fragment as host", "postgres://a#b/db"],
  ["a query as host", "postgres://a?b/db"],
  // The text before the @ would be the address, and the name of the user would be looked up.
  ["a password with a question mark", "postgres://u:12?x@a/db"],
  ["a password with a hash", "postgres://u:12#x@a/db"],
  ["a fragment as database", "postgres://a/#db"],
  ["options instead of a database", "postgres://a/?db"],
  ["a line break", "postgres://a\n/db"],
])("an address with %s is refused", (_what, text) => {
  expect(nodesOf(text)).toEqual([]);
  expect(isDatabaseUrl(text)).toBe(false);
});
