/** Rotation of the keys in `secrets.json`; running processes follow within a second. */
import { existsSync } from "node:fs";
import { instantIso } from "../../engine/core/calendar.ts";
import { type Arguments, UsageError } from "../cli/arguments.ts";
import { controlPath, type Environment, readConfig } from "../config.ts";
import { StartRefused } from "../lifecycle.ts";
import { ROTATING, type RotatingKey, rotateKeys } from "../privacy/secrets.ts";
import type { Command } from "./command.ts";

const ALL = "all";

/** Keys that have one version for good, each with what to do instead. */
const FIXED: Readonly<Record<string, string>> = {
  hmac:
    "it makes what is compared for ever (keys and bodies of retries, travelers) out of texts that " +
    "are not kept: with another key a retry would book again",
  pepper:
    "stored credentials can only be compared with hashes made with it: rotate the credentials " +
    "instead (POST /v1/admin/agents/{id}/credentials/{id}/rotate)",
};

function namesOf(args: Arguments): readonly RotatingKey[] {
  const asked = args.operand(ALL);
  const why = FIXED[asked];
  if (why !== undefined) throw new UsageError(`the key ${asked} does not rotate: ${why}`);
  if (asked === ALL) return ROTATING;
  const name = ROTATING.find((known) => known === asked);
  if (name !== undefined) return [name];
  throw new UsageError(`expected one of ${[...ROTATING, ALL].join(", ")}`);
}

function rotate(env: Environment, args: Arguments) {
  const { dataDir } = readConfig(env);
  const names = namesOf(args);
  if (!existsSync(controlPath(dataDir))) {
    throw new StartRefused(`there is no installation in ${dataDir}: set DATA_DIR`);
  }
  const added = rotateKeys(dataDir, env, { names, nowMs: Date.now() });
  return {
    rotated: [...added].map(([key, { kid, from_ms }]) => {
      return { key, kid, writes_from: instantIso(from_ms) };
    }),
    restart_needed: false,
    older_versions: "kept: what they signed verifies, what they encrypted opens",
  };
}

export const keysRotate: Command = {
  name: "keys rotate",
  summary: "make new keys of secrets.json; they write after 300 s, older ones go on reading",
  operand: { value: "KEY", help: `${ROTATING.join(", ")} or ${ALL} (default ${ALL})` },
  options: {},
  note: `No process needs a restart: each looks at the file every second, and none uses a key before all
know it. What older keys signed verifies for ever, what they encrypted opens. A key that the
environment gives is changed there. hmac and pepper do not rotate: what they make is compared with
what is stored. Keys of access tokens and agent cards: oauth rotate-key.
`,
  run: rotate,
};
