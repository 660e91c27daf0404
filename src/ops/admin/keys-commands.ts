/** Rotates the keys of `secrets.json`; running processes load them within a second. */
import { instantIso } from "../../../engine/core/calendar.ts";
import { ROTATING, type RotatingKey, rotateKeys } from "../../access/privacy/secrets.ts";
import { readConfig } from "../../config.ts";
import type { ExitCode } from "../../lib/command-line.ts";
import { operand, parsed, UsageError, withDefault } from "../../lib/command-line.ts";
import { command, type Session } from "../cli/command.ts";
import { asJson } from "../cli/terminal.ts";
import { mustBeInstalled } from "./command.ts";

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

function namesOf(asked: string): readonly RotatingKey[] {
  const why = FIXED[asked];
  if (why !== undefined) throw new UsageError(`the key ${asked} cannot rotate: ${why}`);
  if (asked === ALL) return ROTATING;
  const name = ROTATING.find((known) => known === asked);
  if (name !== undefined) return [name];
  throw new UsageError(`expected one of ${[...ROTATING, ALL].join(", ")}`);
}

async function rotate(
  { env, terminal }: Session,
  _options: unknown,
  names: readonly RotatingKey[],
): Promise<ExitCode> {
  const { dataDir } = readConfig(env);
  mustBeInstalled(dataDir);
  const added = rotateKeys(dataDir, env, { names, nowMs: Date.now() });
  const rotated = [...added].map(([key, { kid, from_ms }]) => {
    return { key, kid, writes_from: instantIso(from_ms) };
  });
  const older_versions = "kept: old signatures verify, old data can be decrypted";
  terminal.out(asJson({ rotated, restart_needed: false, older_versions }));
  return 0;
}

export const keysRotate = command({
  name: "keys rotate",
  summary: "add new keys to secrets.json, used after 300 s; older keys still verify and decrypt",
  operand: operand(
    withDefault(
      parsed("KEY", `${ROTATING.join(", ")} or ${ALL} (default ${ALL})`, namesOf),
      ROTATING,
    ),
  ),
  options: {},
  note: `No restart is needed: every process reads the file once a second, and none uses a new key before
all have it. Old signatures still verify, and old data can be decrypted. Change a key that comes
from the environment there. hmac and pepper cannot rotate: stored hashes depend on them. For the
keys of access tokens and agent cards use oauth rotate-key.
`,
  run: rotate,
});
