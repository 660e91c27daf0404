/** Holds every answer that any test gets against what its route says that it may answer. */
import { ROUTES } from "../../src/app.ts";
import { refusalCodesOf } from "../../src/http/refusal-codes.ts";
import { UNMET } from "./unreached.ts";

/** Of paths and methods that no route has, and of what is refused before one is looked for. */
const UNROUTED = ["validation_failed"];

/** @throws Error when a refusal has a code that its route does not declare, or that nobody met. */
export function expectDeclared(method: string, path: string, status: number, text: string): void {
  const code = codeOf(status, text);
  if (code === null) return;
  const route = ROUTES.match(method === "HEAD" ? "GET" : method, path.split("?")[0]!);
  const declared: readonly string[] = route ? refusalCodesOf(route) : UNROUTED;
  const whose = route?.id ?? "no route";
  const fault = code in UNMET ? "is named as not reached" : `${whose} does not declare`;
  if (declared.includes(code) && !(code in UNMET)) return;
  const told = `${method} ${path} answered ${code}, which ${fault}`;
  throw new Error(`${told}: ${text.slice(0, 500)}`);
}

/** Whether only operators may make a call. */
export function isForOperators(method: string, path: string): boolean {
  const access = ROUTES.match(method, path.split("?")[0]!)?.access;
  return access !== undefined && access !== "public" && !access.kinds.includes("agent");
}

/** The code of a refusal in the envelope; null for any other answer. */
function codeOf(status: number, text: string): string | null {
  if (status < 400 || !text.startsWith('{"error":{')) return null;
  const { error } = JSON.parse(text) as { readonly error: { readonly code?: unknown } };
  return typeof error.code === "string" ? error.code : null;
}
