/** The anchor of a tenant's events. */
import { Type } from "@sinclair/typebox";
import { Hash, Instant, Mode, named, Uuid } from "../../http/schema/answer-parts.ts";
import { PublicSignatures } from "../../http/schema/envelope.ts";

export const AuditAnchor = named(
  "AuditAnchor",
  "The service's signature over a tenant's events: `hash` commits to all events up to number " +
    "`seq`. Two anchors of one `seq` with different hashes prove that an event was changed; an " +
    "anchor with a smaller `seq` issued later proves that events were cut.",
  {
    kind: Type.Literal("audit_anchor"),
    issuer: Type.String(),
    issued_at: Instant,
    subject: Type.Object({
      tenant_id: Uuid,
      mode: Mode,
      seq: Type.Integer({ minimum: 0, description: "The last event; 0 without events." }),
      hash: Hash,
      at: Type.Optional(Instant),
    }),
    payload_hash: Hash,
    signatures: PublicSignatures,
  },
);
