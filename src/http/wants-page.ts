/** Whether a browser asks for a page; other clients get JSON. */

/** Maximum number of parsed types. */
const TYPES_MAX = 40;

/** The weight that an `Accept` names for a type itself (RFC 9110 §12.5.1); 0 where it does not. */
function weightOf(accept: string, type: string): number {
  for (const part of accept.toLowerCase().split(",").slice(0, TYPES_MAX)) {
    const [name = "", ...parameters] = part.split(";").map((each) => each.trim());
    if (name !== type) continue;
    const q = parameters.find((each) => each.startsWith("q="))?.slice(2);
    const weight = q === undefined ? 1 : Number.parseFloat(q);
    return weight >= 0 && weight <= 1 ? weight : 0;
  }
  return 0;
}

/**
 * True when HTML is named and liked better than JSON. `*\/*`, no `Accept` and both alike are JSON:
 * what every client but a browser sends, and what all were answered before there were pages.
 */
export function wantsPage({ method, headers }: Pick<Request, "method" | "headers">): boolean {
  if (method !== "GET" && method !== "HEAD") return false;
  const accept = headers.get("accept") ?? "";
  return weightOf(accept, "text/html") > weightOf(accept, "application/json");
}
