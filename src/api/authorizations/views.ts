/** Booking authorizations on the wire. */
import { type Authorization, stateAt } from "../../../engine/core/authorization.ts";
import { instantIso } from "../../../engine/core/calendar.ts";
import type { CommandMeta } from "../../../engine/core/commands.ts";
import { RecordDamaged } from "../../../engine/core/record-damage.ts";
import { decryptFields, encryptFields } from "../../access/privacy/personal-data.ts";
import type { Call } from "../../http/call.ts";
import type { Context } from "../../http/context.ts";

/** How long a person needs at least. */
const RETRY_AFTER_S = 30;

function common(authorization: Authorization, atMs: number) {
  const { authorization_id, agent_id, property_id, room_type_id, rate_plan_id } = authorization;
  const { stay, guests, asked, max_amount, currency, approved, revoked, used } = authorization;
  const decided = (one: typeof approved) => one && { by: one.by, at: instantIso(one.at) };
  return {
    ...{ authorization_id, state: stateAt(authorization, atMs), agent_id },
    ...{ property_id, room_type_id, rate_plan_id, stay, guests },
    policy: asked?.policy ?? null,
    threshold: asked?.threshold ?? null,
    amount: asked?.amount ?? null,
    ...{ max_amount, currency },
    requested_at: instantIso(authorization.created_at),
    expires_at: instantIso(authorization.expires_at),
    approved: decided(approved),
    revoked: decided(revoked),
    used: used && { ...used, at: instantIso(used.at) },
  };
}

/** As the agent sees it. */
export function authorizationOut(authorization: Authorization, atMs: number) {
  const shown = common(authorization, atMs);
  return { ...shown, retry_after: shown.state === "pending" ? RETRY_AFTER_S : null };
}

/** As operators see it. */
export function deskAuthorization({ context }: Call, authorization: Authorization) {
  const { requested_by, traveler_hash } = authorization;
  return {
    ...common(authorization, context.engineNow()),
    requested_by,
    is_for_one_traveler: traveler_hash !== null,
    note: noteOf(context, authorization),
  };
}

/** An operator's note under a data key of its own, for a command with this meta. */
export function sealedNote(call: Call, meta: CommandMeta, note?: string) {
  if (note === undefined) return {};
  const binding = { tenant_id: meta.tenant_id, command: meta.key ?? "" };
  return { note: encryptFields(call.context.keys.encryption, binding, { note }) };
}

/** @throws RecordDamaged when its data key cannot be decrypted. */
function noteOf(context: Context, { authorization_id, tenant_id, note }: Authorization) {
  if (note === null) return null;
  const wrapped = context.replica.records.wrappedKey(authorization_id);
  if (wrapped === null) return null;
  try {
    const binding = { tenant_id, command: note.key };
    return decryptFields(context.keys.encryption, binding, note.encrypted, wrapped).note ?? null;
  } catch {
    throw new RecordDamaged("subject_key", authorization_id, "does not open");
  }
}
