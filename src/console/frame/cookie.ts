/**
 * The session's cookie. `__Host-`: sent only over a secure connection to exactly this host, so no
 * other host can set it (RFC 6265bis §4.1.3.2). Nothing outside the pages for people reads a
 * cookie.
 */

const NAME = "__Host-innkeep";
const ATTRIBUTES = "Path=/; HttpOnly; Secure; SameSite=Strict";

/** The session id that a browser sent; null without one. */
export function sessionIdOf({ headers }: Pick<Request, "headers">): string | null {
  for (const part of (headers.get("cookie") ?? "").split(";")) {
    const [name, value = ""] = part.trim().split("=", 2);
    if (name === NAME && value !== "") return value;
  }
  return null;
}

/** `Set-Cookie` of a new session; the browser forgets it when it is closed. */
export function cookieOf(sessionId: string): string {
  return `${NAME}=${sessionId}; ${ATTRIBUTES}`;
}

/** `Set-Cookie` that removes it. */
export const NO_COOKIE = `${NAME}=; Max-Age=0; ${ATTRIBUTES}`;
