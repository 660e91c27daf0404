/**
 * `DATABASE_URL`, which may name several nodes, as libpq writes them (PostgreSQL 15, 34.1.1.2):
 * `postgres://user:password@a:5432,b:5432/innkeep`.
 */
import { urlPerHost } from "../../src/lib/url-per-host.ts";

/** The URL of each node, in their order; none when it is not a URL of PostgreSQL. */
export function nodesOf(databaseUrl: string): readonly string[] {
  const isPostgres = /^postgres(?:ql)?:\/\/[^/]+\/[^/?]+(?:\?|$)/.test(databaseUrl);
  return isPostgres ? urlPerHost(databaseUrl).map(({ href }) => href) : [];
}

/** Whether it names a database and at least one node. */
export function isDatabaseUrl(text: string): boolean {
  return nodesOf(text).length > 0;
}
