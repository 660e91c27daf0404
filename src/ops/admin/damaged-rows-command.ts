/** Removes damaged rows of `control.db`. */
import { dropDamaged } from "../../access/control/drop-damaged.ts";
import { keyVersionsOf } from "../../access/privacy/keychain.ts";
import { command } from "../cli/command.ts";
import { type Installation, onInstallation } from "./command.ts";

async function drop({ store, secrets }: Installation) {
  const dropped = await dropDamaged(store, keyVersionsOf(secrets, "encryption"), Date.now());
  return { dropped: dropped.map(({ table, id, problem }) => ({ table, id, problem })) };
}

export const damagedRowsDrop = command({
  name: "damaged-rows drop",
  summary: "revoke or remove damaged rows of control.db, so that they can be issued again",
  options: {},
  run: onInstallation(drop),
});
