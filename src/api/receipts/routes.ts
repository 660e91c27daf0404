/** `POST /v1/receipts/verify`: public, no credential needed. */
import { type Static, Type } from "@sinclair/typebox";
import { verifyReceipt } from "../../../engine/writer/receipts.ts";
import { invalid, type Refusal, type Success } from "../../http/answer.ts";
import type { PublicCall } from "../../http/call.ts";
import { route } from "../../http/route.ts";
import { documented } from "../../http/schema/annotations.ts";
import { Instant, named } from "../../http/schema/answer-parts.ts";
import { Receipt, ReceiptKind } from "../../http/schema/envelope.ts";
import { closed, mapOf, shownAs, text } from "../../http/schema/request-parts.ts";
import { json } from "../../http/validate.ts";
import { EXAMPLE } from "../tool-arguments.ts";

const VerifiedReceipt = named("VerifiedReceipt", "A receipt with a valid signature.", {
  valid: documented(Type.Literal(true), "True; an invalid receipt is refused instead."),
  kind: Receipt.properties.kind,
  subject: Receipt.properties.subject,
  issued_at: Instant,
  issuer: Type.String(),
  kid: documented(Type.String(), "Id of the signing key."),
});

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

/** The pattern of `subject` is valid only in JavaScript. */
const INPUT = Type.Object({
  ...VerifyBody.properties,
  subject: Type.Record(Type.String(), Type.Union([Type.String(), Type.Number()])),
});

function verify({ body, context }: PublicCall<Static<typeof VerifyBody>>): Success | Refusal {
  const { valid, kid } = verifyReceipt(context.keys.receipts, body);
  if (!valid) {
    const expected = "the signature of exactly this kind, subject, issued_at and issuer";
    return invalid([{ path: "/signature", message: "does not verify", expected }]);
  }
  const { kind, subject, issued_at, issuer } = body;
  return { ok: true, data: { valid: true, kind, subject, issued_at, issuer, kid } };
}

export const receiptRoutes = [
  route({
    id: "verify_receipt",
    tag: "Receipts",
    method: "POST",
    path: "/v1/receipts/verify",
    summary: "Verify a receipt",
    description:
      "Send a receipt unchanged. An invalid one is `validation_failed` on `/signature`. To " +
      "verify offline: `signatures[]` has an ES256 signature (r and s, base64url) of the UTF-8 " +
      "bytes of the canonical JSON (RFC 8785) of `{issued_at, issuer, kind, subject}`, by the " +
      "key that `/.well-known/jwks.json` has under its `kid`.",
    access: "public",
    addressLimit: { name: "verify" },
    body: json(VerifyBody),
    success: { status: 200, description: "The receipt is genuine.", data: VerifiedReceipt },
    errors: [],
    tool: {
      title: "Verify a receipt",
      description:
        "Whether this service signed a receipt, and nothing in it changed. Send it as it came.",
      tags: ["receipt", "audit"],
      nextRel: null,
      isReadOnly: true,
      input: INPUT,
      example: {
        kind: "booking_confirmed",
        issuer: "https://innkeep.example",
        issued_at: "2027-05-20T09:30:00.000Z",
        subject: { booking_id: EXAMPLE.booking_id, amount: 21_200, currency: "EUR" },
        signature: "wq2JfP3mV0cV5m4mJ9y1xw8cJ2rXv0cX5uH1eQ2b7kE",
      },
    },
    handle: verify,
  }),
];
