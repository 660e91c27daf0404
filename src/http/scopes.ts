/** Which scope a call needs (rules §3), and who may make it. */

/** Answers whether the caller's kind and scopes allow a scope; depends on the caller alone. */
export type May = (scope: string) => boolean;

const AREAS: Readonly<Record<string, string>> = {
  properties: "supply:read",
  search: "search",
  quotes: "quotes",
  holds: "holds",
};

/**
 * Scope of a call by its method and path; null where none is needed (discovery, verify, guest
 * pages). Admin paths need `admin:<first segment>`.
 */
export function scopeOf(method: string, path: string): string | null {
  const [, version, area = "", first = "", last = ""] = path.split("/");
  if (version !== "v1") return null;
  if (area === "admin") return `admin:${first}`;
  if (area !== "bookings") return AREAS[area] ?? null;
  if (method === "GET") return "bookings:read";
  return last === "cancel" ? "bookings:cancel" : "bookings:write";
}

/** Whether a caller may make a call. */
export function mayCall(may: May, method: string, path: string): boolean {
  const scope = scopeOf(method, path);
  return scope === null || may(scope);
}
