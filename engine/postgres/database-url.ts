/**
 * `DATABASE_URL`, which may name several nodes, as libpq writes them (PostgreSQL 15, 34.1.1.2):
 * `postgres://user:password@a:5432,b:5432/innkeep`.
 */

const FORM = /^(postgres(?:ql)?:\/\/)([^@/?#\s]*@)?([^@/?#\s]+)(\/[^/?#\s]+(?:\?[^#\s]*)?)$/;

/** The URL of each node, in their order; none when it is not a URL of PostgreSQL. */
export function nodesOf(databaseUrl: string): readonly string[] {
  const [, scheme, user = "", hosts = "", rest] = FORM.exec(databaseUrl) ?? [];
  if (scheme === undefined) return [];
  const urls = hosts.split(",").map((host) => URL.parse(`${scheme}${user}${host}${rest}`));
  return urls.every((url) => url?.hostname) ? urls.map((url) => url!.href) : [];
}

/** Whether it names a database and at least one node. */
export function isDatabaseUrl(text: string): boolean {
  return nodesOf(text).length > 0;
}
