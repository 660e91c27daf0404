/** The uniform envelope of successes and failures (spec 2.1–2.4). */
import { type TSchema, Type } from "@sinclair/typebox";
import { REFUSAL_CODES } from "../../../engine/core/refusals.ts";
import { METHODS, RELS } from "../../actions/steps.ts";
import type { DocumentedSuccess } from "../contract.ts";
import { shownAs, vocabulary } from "./annotations.ts";
import {
  extensible,
  freeForm,
  Hash,
  Instant,
  Money,
  named,
  orNull,
  words,
} from "./answer-parts.ts";

export const Method = vocabulary("Method", METHODS, "How to call it.");

export const Rel = vocabulary("Rel", RELS, "What a call is for; a closed vocabulary.");

export const NextAction = named("NextAction", "A call that the reader can make next.", {
  rel: Rel,
  method: Method,
  href: Type.String({ description: "Path of this service." }),
  body_hint: Type.Optional(
    freeForm(
      "Body to send as it stands, its `idempotency_key` included, once `fill_in` is done; what " +
        "only the caller has stands as `<what it is>`.",
    ),
  ),
  fill_in: Type.Optional(
    Type.Array(
      named("FillIn", "What only the caller has.", {
        path: Type.String({
          description:
            "JSON pointer in `body_hint` (empty: the whole body), `?name` of a query parameter, " +
            "or the name of a header to add.",
        }),
        meaning: Type.String({ description: "What goes there." }),
      }),
      { description: "All that is to be filled in; absent: the call can be sent as it stands." },
    ),
  ),
  changes: Type.Optional(
    Type.Array(Type.String(), {
      description:
        "JSON pointers of what the call asks for otherwise than the caller did: `/destination`, " +
        "`/stay/check_in`. Absent: nothing. Such an action stands after those without.",
    }),
  ),
  cost: Type.Optional(
    named("CancellationCost", "What `cancel` costs now, by the booking's own terms.", {
      fee: Money,
      refund: Money,
      until: orNull(
        Type.String({
          format: "date-time",
          description: "When the cost changes; null: never.",
        }),
      ),
    }),
  ),
  expires_at: Type.Optional(
    Type.String({ format: "date-time", description: "After this the call is useless." }),
  ),
});

export const PublicSignatures = Type.Array(
  named("PublicSignature", "A signature that the published keys verify.", {
    alg: words(["ES256"]),
    kid: Type.String({ description: "Of a key in `/.well-known/jwks.json`." }),
    signature: Type.String({ description: "r and s, 64 bytes, base64url." }),
  }),
  { description: "Of the canonical form, for who has only the published keys." },
);

export const ReceiptKind = vocabulary(
  "ReceiptKind",
  ["booking_confirmed", "booking_cancelled", "refund_issued"],
  "What the receipt proves.",
);

export const Receipt = named("Receipt", "Signed proof of a change; see `verify_receipt`.", {
  kind: ReceiptKind,
  issuer: Type.String(),
  // No `format`: clients of other languages would make a time of it, and write it otherwise.
  issued_at: Type.String({
    description: "RFC 3339, UTC, milliseconds; signed as this very text: send it as it came.",
  }),
  // Generators make a class of a union of texts and numbers, and then find no such class.
  subject: shownAs(
    Type.Record(Type.String(), Type.Union([Type.String(), Type.Number()])),
    freeForm("What the receipt is about: ids and hashes as texts, amounts as numbers."),
  ),
  payload_hash: Hash,
  algorithm: words(["HS256"]),
  kid: Type.Optional(Type.String({ description: "Signing key; `receipt-v1` by default." })),
  signature: Type.String({ minLength: 1 }),
  signatures: Type.Optional(PublicSignatures),
});

export const FieldError = named("FieldError", "One thing wrong with a request.", {
  path: Type.String({
    description: "JSON pointer in the body, `?name` of a query parameter, or a header's name.",
  }),
  message: Type.String(),
  expected: Type.String({ description: "What would be right." }),
});

const TraceId = Type.String({
  pattern: "^[0-9a-f]{32}$",
  description: "W3C trace id; cite it to the operator.",
});
const NextActions = Type.Array(NextAction);

const ErrorDetail = extensible(
  "ErrorDetail",
  "Ids, states and amounts of the case; each code's page lists its fields.",
  {
    field_errors: Type.Optional(
      Type.Array(FieldError, { description: "With `validation_failed`: every fault there is." }),
    ),
  },
);

export const ErrorCode = vocabulary("ErrorCode", REFUSAL_CODES, "Stable; never renamed.");

export const ErrorEnvelope = named("ErrorEnvelope", "Every failure; match on `error.code`.", {
  error: named("ApiError", "What was refused, and the way out.", {
    code: ErrorCode,
    message: Type.String({ description: "For humans; never parse it." }),
    detail: ErrorDetail,
    remediation: Type.String({ description: "What to do about it." }),
    retry_after: Type.Union([Type.Integer({ minimum: 0 }), Type.Null()], {
      description: "Seconds to wait; the `Retry-After` header says the same.",
    }),
    docs_url: Type.String({ format: "uri", description: "The code's page." }),
    trace_id: TraceId,
    next_actions: Type.Array(NextAction, { description: "The way out, most useful first." }),
  }),
});

/**
 * The whole body of a success: its own, or `data` in the envelope, called after `data`; null where
 * it is no JSON.
 */
export function bodyOf(success: DocumentedSuccess): TSchema | null {
  const { data, body, expires, hasReceipt } = success;
  if (!data) return body ?? null;
  const { $id } = data;
  return Type.Object(
    {
      data,
      trace_id: TraceId,
      next_actions: NextActions,
      ...(expires ? { expires_at: Instant } : {}),
      ...(hasReceipt ? { receipt: Type.Optional(Receipt) } : {}),
    },
    $id === undefined ? {} : { $id: `${$id}Response` },
  );
}
