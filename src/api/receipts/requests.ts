/** Body of `POST /v1/receipts/verify` (spec 4.6). */

import { Type } from "@sinclair/typebox";
import { Receipt, ReceiptKind } from "../../http/schema/envelope.ts";
import { closed, mapOf, shownAs, text } from "../../http/schema/request-parts.ts";

/** A complete receipt can be sent back: further members are accepted. */
export const VerifyBody = shownAs(
  Type.Object({
    kind: ReceiptKind,
    subject: mapOf(
      "^(?!(__proto__|constructor|prototype)$)[^]+$",
      Type.Union([Type.String(), Type.Number()]),
    ),
    issued_at: text(1, 64),
    issuer: text(1, 2048),
    signature: text(1, 512),
    payload_hash: Type.Optional(Type.String()),
    algorithm: Type.Optional(Type.String()),
    kid: Type.Optional(Type.String()),
    signatures: Type.Optional(
      Type.Array(closed({ alg: text(1, 16), kid: text(1, 64), signature: text(1, 512) }), {
        maxItems: 4,
      }),
    ),
  }),
  Receipt,
);
