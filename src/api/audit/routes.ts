/**
 * `GET /v1/admin/audit/anchor`: a tenant keeps it to prove later that its history was cut or
 * changed. It costs nothing while events happen: they are numbered without gaps, and the journal's
 * own chain at the row of an event commits to all that was before it.
 */

import { setImmediate as nextTurn } from "node:timers/promises";
import { Type } from "@sinclair/typebox";
import { instantIso } from "../../../engine/core/calendar.ts";
import type { Row } from "../../../engine/core/events/event.ts";
import { notedBefore } from "../../../engine/core/state/event-rows.ts";
import type { Realm } from "../../../engine/core/supply.ts";
import { isOfRealm } from "../../../engine/core/visibility.ts";
import type { Replica } from "../../../engine/log/replica.ts";
import { GENESIS_CHAIN } from "../../../engine/log/stored-row.ts";
import { signStatement } from "../../../engine/writer/receipts.ts";
import { invalid, type Refusal, type Success } from "../../http/answer.ts";
import type { Call } from "../../http/call.ts";
import type { Context } from "../../http/context.ts";
import type { QueryParameter } from "../../http/contract.ts";
import { route } from "../../http/route.ts";
import { documented } from "../../http/schema/annotations.ts";
import { Hash, Instant, Mode, named, Uuid } from "../../http/schema/answer-parts.ts";
import { PublicSignatures } from "../../http/schema/envelope.ts";

const AuditAnchor = named(
  "AuditAnchor",
  "The service's signature over a tenant's events: `hash` commits to all events up to number " +
    "`seq`. Two anchors of one `seq` with different hashes prove that an event was changed; an " +
    "anchor with a smaller `seq` issued later proves that events were cut.",
  {
    kind: documented(Type.Literal("audit_anchor"), "Kind of the signed subject."),
    issuer: Type.String(),
    issued_at: Instant,
    subject: Type.Object({
      tenant_id: documented(Uuid, "The tenant of the events."),
      mode: Mode,
      seq: Type.Integer({ minimum: 0, description: "The last event; 0 without events." }),
      hash: Hash,
      at: Type.Optional(Instant),
    }),
    payload_hash: Hash,
    signatures: PublicSignatures,
  },
);

const SEQ: QueryParameter = {
  schema: Type.Integer({ minimum: 1 }),
  description: "Event number; the anchor is the one after that event. The last event by default.",
  isValid: (value) => /^[1-9]\d{0,14}$/.test(value),
  fault: { message: "is not an event number", expected: "a whole number from 1" },
};

/** The chain and the instant of the realm's event `seq`; null for an unknown event. */
async function chainAtEvent({ replica }: Context, realm: Realm, seq: number) {
  const rows = replica.state.tenants.get(realm.tenant_id)?.rows[realm.mode];
  const last = replica.state.tenants.get(realm.tenant_id)?.seq[realm.mode] ?? 0;
  if (seq === 0) return { hash: GENESIS_CHAIN };
  if (seq > last || !rows) return null;
  const row = seq === last ? replica.row(rows.last) : await rowOfEvent(replica, realm, seq);
  const hash = row && replica.chainAt(row.row);
  return row && hash ? { hash, at: instantIso(row.stamp) } : null;
}

async function auditAnchor({ context, principal, query }: Call): Promise<Success | Refusal> {
  const { tenant_id, mode } = principal;
  const last = context.replica.state.tenants.get(tenant_id)?.seq[mode] ?? 0;
  const asked = query.get("seq");
  const seq = asked === undefined ? last : Number(asked);
  const found = await chainAtEvent(context, { tenant_id, mode }, seq);
  if (found === null) {
    const expected = last === 0 ? "no number: no event exists yet" : `from 1 to ${last}`;
    return invalid([{ path: "?seq", message: "is not an event number", expected }]);
  }
  const { hash, ...at } = found;
  const data = signStatement(context.keys.receipts, {
    kind: "audit_anchor",
    issuer: context.config.receiptIssuer,
    issued_at: instantIso(context.engineNow()),
    subject: { tenant_id, mode, seq, hash: `sha256:${hash}`, ...at },
  });
  return { ok: true, data };
}

export const auditRoutes = [
  route({
    id: "admin_get_audit_anchor",
    tag: "Receipts",
    method: "GET",
    path: "/v1/admin/audit/anchor",
    summary: "Anchor the tenant's events",
    description:
      "Keep the anchor outside the service. Later request the same `seq` again: a different " +
      "`hash` proves that an event up to it was changed, a last event with a smaller `seq` that " +
      "events were cut. Both anchors are signed, so the proof is public. The signature is like " +
      "that of a receipt: ES256 over the canonical JSON (RFC 8785) of `{issued_at, issuer, kind, " +
      "subject}`, by the key that `/.well-known/jwks.json` has under its `kid`.",
    access: { kinds: ["operator"], scope: "admin:audit", touches: "tenant" },
    query: { seq: SEQ },
    readsReplica: true,
    success: { status: 200, description: "The anchor.", data: AuditAnchor },
    errors: [],
    handle: auditAnchor,
  }),
];

/** Rows per turn of the loop. */
const PAGE_ROWS = 128;

/** The row of the realm's event `seq`; null when it has no such event. */
export async function rowOfEvent(replica: Replica, realm: Realm, seq: number): Promise<Row | null> {
  const { tenant_id, mode } = realm;
  const noted = replica.state.tenants.get(tenant_id)?.rows[mode];
  const near = noted?.rows[notedBefore(noted, seq)];
  if (!noted || near === undefined) return null;
  const { last } = noted;
  const words = { word: tenant_id, oneOf: [mode] };
  for (let next = near; next <= last; next += PAGE_ROWS) {
    const found = replica
      .rowsBetween(next, Math.min(last, next + PAGE_ROWS - 1), words)
      .find(({ row }) => {
        return isOfRealm(row, realm) && row.events.some((event) => event.seq === seq);
      });
    if (found) return found.row;
    await nextTurn();
  }
  return null;
}
