/** A verified receipt. */

import { Type } from "@sinclair/typebox";
import { Instant, named } from "../../http/schema/answer-parts.ts";
import { Receipt } from "../../http/schema/envelope.ts";

export const VerifiedReceipt = named("VerifiedReceipt", "A receipt with a valid signature.", {
  valid: Type.Literal(true),
  kind: Receipt.properties.kind,
  subject: Receipt.properties.subject,
  issued_at: Instant,
  issuer: Type.String(),
  kid: Type.String(),
});
