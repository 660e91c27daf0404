/**
 * Cookies of sessions. `__Host-`: sent only over a secure connection to exactly this host, so no
 * other host can set it (RFC 6265bis §4.1.3.2). Nothing outside the pages for people reads a
 * cookie.
 */
import { isIP } from "node:net";
import type { PublicCall } from "../http/call.ts";

const ATTRIBUTES = "Path=/; HttpOnly; Secure; SameSite=Strict";

export interface SessionCookie {
  /** What a browser sent; null without one. */
  readonly valueIn: (request: Pick<Request, "headers">) => string | null;
  /** `Set-Cookie`; the browser forgets it when it is closed, or after `maxAgeS`. */
  readonly set: (value: string, maxAgeS?: number) => string;
  /** `Set-Cookie` that removes it. */
  readonly removed: string;
}

/** The cookie of this name, which begins with `__Host-`. */
export function sessionCookie(name: `__Host-${string}`): SessionCookie {
  return {
    valueIn({ headers }) {
      for (const part of (headers.get("cookie") ?? "").split(";")) {
        const [sent, value = ""] = part.trim().split("=", 2);
        if (sent === name && value !== "") return value;
      }
      return null;
    },
    set(value, maxAgeS) {
      const age = maxAgeS === undefined ? "" : `Max-Age=${maxAgeS}; `;
      return `${name}=${value}; ${age}${ATTRIBUTES}`;
    },
    removed: `${name}=; Max-Age=0; ${ATTRIBUTES}`,
  };
}

/** Whether the browser would keep a cookie that is for secure connections only. */
export function isSecure({ context, request }: Pick<PublicCall, "context" | "request">): boolean {
  if (context.config.baseUrl.startsWith("https:")) return true;
  const host = URL.parse(`http://${request.headers.get("host") ?? ""}`)?.hostname ?? "";
  const address = host.replace(/^\[|\]$/g, "");
  return host === "localhost" || host.endsWith(".localhost") || isLoopback(address);
}

function isLoopback(address: string): boolean {
  return isIP(address) === 4 ? address.startsWith("127.") : address === "::1";
}
