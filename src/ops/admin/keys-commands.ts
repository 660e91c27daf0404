/** Rotates the keys of `secrets.json`; running processes load them within a second. */
import { existsSync } from "node:fs";
import { instantIso } from "../../../engine/core/calendar.ts";
import { ROTATING, type RotatingKey, rotateKeys } from "../../access/privacy/secrets.ts";
import { controlPath, type Environment, readConfig } from "../../config.ts";
import { StartRefused } from "../../lib/lifecycle.ts";
import { type Arguments, UsageError } from "../cli/arguments.ts";
import type { Command } from "./command.ts";

const ALL = "all";

/** Keys that cannot rotate, with the reason and the alternative. */
const FIXED: Readonly<Record<string, string>> = {
  hmac:
    "its hashes of idempotency keys, bodies and travelers are compared for ever, and the texts are " +
    "not stored: with another key a retry would book again",
  pepper:
    "the hashes of all stored credentials need it: rotate the credentials " +
    "instead (POST /v1/admin/agents/{id}/credentials/{id}/rotate)",
};

function namesOf(args: Arguments): readonly RotatingKey[] {
  const asked = args.operand(ALL);
  const why = FIXED[asked];
  if (why !== undefined) throw new UsageError(`the key ${asked} cannot rotate: ${why}`);
  if (asked === ALL) return ROTATING;
  const name = ROTATING.find((known) => known === asked);
  if (name !== undefined) return [name];
  throw new UsageError(`expected one of ${[...ROTATING, ALL].join(", ")}`);
}

function rotate(env: Environment, args: Arguments) {
  const { dataDir } = readConfig(env);
  const names = namesOf(args);
  if (!existsSync(controlPath(dataDir))) {
    throw new StartRefused(`no installation in ${dataDir}: set DATA_DIR`);
  }
  const added = rotateKeys(dataDir, env, { names, nowMs: Date.now() });
  return {
    rotated: [...added].map(([key, { kid, from_ms }]) => {
      return { key, kid, writes_from: instantIso(from_ms) };
    }),
    restart_needed: false,
    older_versions: "kept: old signatures verify, old data can be decrypted",
  };
}

export const keysRotate: Command = {
  name: "keys rotate",
  summary: "add new keys to secrets.json, used after 300 s; older keys still verify and decrypt",
  operand: { value: "KEY", help: `${ROTATING.join(", ")} or ${ALL} (default ${ALL})` },
  options: {},
  note: `No restart is needed: every process reads the file once a second, and none uses a new key before
all have it. Old signatures still verify, and old data can be decrypted. Change a key that comes
from the environment there. hmac and pepper cannot rotate: stored hashes depend on them. For the
keys of access tokens and agent cards use oauth rotate-key.
`,
  run: rotate,
};
