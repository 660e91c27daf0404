/** The cookie of a session of the console. */
import { sessionCookie } from "../../page-parts/cookie.ts";

const COOKIE = sessionCookie("__Host-innkeep");

/** The session id that a browser sent; null without one. */
export const sessionIdOf = COOKIE.valueIn;

/** `Set-Cookie` of a new session; the browser forgets it when it is closed. */
export const cookieOf = (sessionId: string): string => COOKIE.set(sessionId);

/** `Set-Cookie` that removes it. */
export const NO_COOKIE = COOKIE.removed;
