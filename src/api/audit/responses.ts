/** The anchor of a tenant's events. */
import { Type } from "@sinclair/typebox";
import { Hash, Instant, Mode, named, Uuid } from "../../http/schema/answer-parts.ts";
import { PublicSignatures } from "../../http/schema/envelope.ts";

export const AuditAnchor = named(
  "AuditAnchor",
  "What the service signs about a tenant's events: up to number `seq` they are those that `hash` " +
    "commits to. Two anchors of one `seq` with different hashes prove that something was changed, " +
    "an anchor of a smaller `seq` that was issued later proves that something was cut.",
  {
    kind: Type.Literal("audit_anchor"),
    issuer: Type.String(),
    issued_at: Instant,
    subject: Type.Object({
      tenant_id: Uuid,
      mode: Mode,
      seq: Type.Integer({ minimum: 0, description: "The last event; 0 when there is none." }),
      hash: Hash,
      at: Type.Optional(Instant),
    }),
    payload_hash: Hash,
    signatures: PublicSignatures,
  },
);
