/** Removes damaged rows of `control.db`. */
import { dropDamaged } from "../../access/control/drop-damaged.ts";
import { keyVersionsOf } from "../../access/privacy/keychain.ts";
import { type Command, type Installation, onInstallation } from "./command.ts";

async function drop({ store, secrets }: Installation) {
  const dropped = await dropDamaged(store, keyVersionsOf(secrets, "encryption"), Date.now());
  return { dropped: dropped.map(({ table, id, problem }) => ({ table, id, problem })) };
}

export const damagedRowsDrop: Command = {
  name: "damaged-rows drop",
  summary: "revoke or remove damaged rows of control.db, so that they can be issued again",
  options: {},
  run: onInstallation(() => null, drop),
};
