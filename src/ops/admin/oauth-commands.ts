/** Rotates the signing keys of the service; running processes load them within a second. */
import { instantIso } from "../../../engine/core/calendar.ts";
import { PURPOSES, rotateSigningKey } from "../../access/control/signing-keys.ts";
import { keyVersionsOf } from "../../access/privacy/keychain.ts";
import { flag, oneOf, type Values, withDefault } from "../../lib/command-line.ts";
import { command } from "../cli/command.ts";
import { type Installation, onInstallation } from "./command.ts";

const OPTIONS = {
  purpose: withDefault(
    oneOf("PURPOSE", `one of ${PURPOSES.join(", ")} (default access_token)`, PURPOSES),
    "access_token",
  ),
  immediately: flag("after a compromise: use it now, and refuse signatures of older keys"),
};

async function rotate(
  { store, secrets }: Installation,
  { purpose, immediately }: Values<typeof OPTIONS>,
) {
  const masters = keyVersionsOf(secrets, "encryption");
  const rotation = { nowMs: Date.now(), immediately };
  const { kid, signsFrom } = await rotateSigningKey(store, masters, purpose, rotation);
  return { purpose, kid, signs_from: instantIso(signsFrom) };
}

export const oauthRotateKey = command({
  name: "oauth rotate-key",
  summary: "add a new signing key, used after 300 s, when every cache has it",
  options: OPTIONS,
  run: onInstallation(rotate),
});
