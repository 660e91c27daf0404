/** Forms of the console: their tokens are those of its sessions. */
import type { ConsoleSession } from "../access/control/console-sessions.ts";
import type { PublicCall } from "../http/call.ts";
import type { Context } from "../http/context.ts";
import { type Form, hasTokenOf, tokenOf } from "../page-parts/form.ts";

export { type Form, isOfOurPages, readForm, TOKEN_FIELD } from "../page-parts/form.ts";

/** Name of the hidden field. */
export const KEY_FIELD = "idempotency_key";

/** Token of the forms that lead to `path`, for this session alone. */
export function formToken({ keys }: Context, { id_hash }: ConsoleSession, path: string): string {
  return tokenOf(keys.hmac, { kind: "console", session: id_hash, path });
}

/** Whether the form has the token of its session and address. */
export function hasToken(
  { context, path }: Pick<PublicCall, "context" | "path">,
  { id_hash }: ConsoleSession,
  form: Form,
): boolean {
  return hasTokenOf(context.keys.hmac, form, { kind: "console", session: id_hash, path });
}
