/** Forms of the console: their tokens are those of its sessions. */
import type { ConsoleSession } from "../../access/control/console-sessions.ts";
import type { PublicCall } from "../../http/call.ts";
import type { Context } from "../../http/context.ts";
import { type Form, hasTokenOf, tokenOf } from "../../page-parts/form.ts";

export {
  type Form,
  headerText,
  isOfOurPages,
  KEY_FIELD,
  keyHeader,
  readForm,
  TOKEN_FIELD,
} from "../../page-parts/form.ts";

/** Name of the field with the operator's secret, where a deed asks for it again. */
export const PROOF_FIELD = "proof_secret";
/** Name of the field with the browser's answer about a passkey, as JSON. */
export const PASSKEY_FIELD = "passkey";

/** The JSON of a hidden field; null for what is none, which the API refuses. */
export function jsonIn(sent: Form, name: string): unknown {
  try {
    return JSON.parse(sent.get(name) ?? "");
  } catch {
    return null;
  }
}

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
