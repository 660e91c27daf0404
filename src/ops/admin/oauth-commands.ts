/** Rotates the signing keys of the service; running processes load them within a second. */
import { instantIso } from "../../../engine/core/calendar.ts";
import { PURPOSES, rotateSigningKey } from "../../access/control/signing-keys.ts";
import { keyVersionsOf } from "../../access/privacy/keychain.ts";
import type { Arguments } from "../cli/arguments.ts";
import { type Command, type Installation, onInstallation } from "./command.ts";

const askedIn = (args: Arguments) => ({
  purpose: args.oneOf("purpose", PURPOSES, "access_token"),
  immediately: args.isSet("immediately"),
});

async function rotate(
  { store, secrets }: Installation,
  { purpose, immediately }: ReturnType<typeof askedIn>,
) {
  const masters = keyVersionsOf(secrets, "encryption");
  const rotation = { nowMs: Date.now(), immediately };
  const { kid, signsFrom } = await rotateSigningKey(store, masters, purpose, rotation);
  return { purpose, kid, signs_from: instantIso(signsFrom) };
}

export const oauthRotateKey: Command = {
  name: "oauth rotate-key",
  summary: "add a new signing key, used after 300 s, when every cache has it",
  options: {
    purpose: { value: "PURPOSE", help: `one of ${PURPOSES.join(", ")} (default access_token)` },
    immediately: { help: "after a compromise: use it now, and refuse signatures of older keys" },
  },
  run: onInstallation(askedIn, rotate),
};
