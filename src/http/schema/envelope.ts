/** The uniform envelope of successes and failures. */
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

export const Method = vocabulary("Method", METHODS, "HTTP method.");

export const Rel = vocabulary("Rel", RELS, "Purpose of a call; a closed vocabulary.");

export const NextAction = named("NextAction", "A possible next call.", {
  rel: Rel,
  method: Method,
  href: Type.String({ description: "Path of this service." }),
  body_hint: Type.Optional(
    freeForm(
      "Body to send unchanged, including its `idempotency_key`, after `fill_in`; values that " +
        "only the caller has are placeholders `<description>`.",
    ),
  ),
  fill_in: Type.Optional(
    Type.Array(
      named("FillIn", "A value that only the caller has.", {
        path: Type.String({
          description:
            "JSON pointer in `body_hint` (empty: the whole body), `?name` of a query parameter, " +
            "or the name of a header to add.",
        }),
        meaning: Type.String({ description: "Description of the value." }),
      }),
      { description: "Values to fill in; absent if the call is complete." },
    ),
  ),
  changes: Type.Optional(
    Type.Array(Type.String(), {
      description:
        "JSON pointers of differences from the caller's request: `/destination`, " +
        "`/stay/check_in`. Absent without differences. Actions with `changes` come last.",
    }),
  ),
  cost: Type.Optional(
    named("CancellationCost", "Fee of `cancel` now, by the booking's terms.", {
      fee: Money,
      refund: Money,
      until: orNull(
        Type.String({
          format: "date-time",
          description: "When the fee changes; null: never.",
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
    kid: Type.String({ description: "Id of a key in `/.well-known/jwks.json`." }),
    signature: Type.String({ description: "r and s, 64 bytes, base64url." }),
  }),
  { description: "Signatures of the canonical form, verifiable with the published keys." },
);

export const ReceiptKind = vocabulary(
  "ReceiptKind",
  ["booking_confirmed", "booking_cancelled", "refund_issued"],
  "Kind of the proof.",
);

export const Receipt = named("Receipt", "Signed proof of a change; see `verify_receipt`.", {
  kind: ReceiptKind,
  issuer: Type.String(),
  // No `format`: generated clients would parse and reformat it.
  issued_at: Type.String({
    description: "RFC 3339, UTC, milliseconds; signed as text: send it back unchanged.",
  }),
  // Generators make a class of a union of texts and numbers, and then find no such class.
  subject: shownAs(
    Type.Record(Type.String(), Type.Union([Type.String(), Type.Number()])),
    freeForm("Subject of the receipt: ids and hashes as texts, amounts as numbers."),
  ),
  payload_hash: Hash,
  algorithm: words(["HS256"]),
  kid: Type.Optional(Type.String({ description: "Signing key; `receipt-v1` by default." })),
  signature: Type.String({ minLength: 1 }),
  signatures: Type.Optional(PublicSignatures),
});

export const FieldError = named("FieldError", "An error in a request.", {
  path: Type.String({
    description: "JSON pointer in the body, `?name` of a query parameter, or a header's name.",
  }),
  message: Type.String(),
  expected: Type.String({ description: "The expected value." }),
});

const TraceId = Type.String({
  pattern: "^[0-9a-f]{32}$",
  description: "W3C trace id; report it to the operator.",
});
const NextActions = Type.Array(NextAction);

const ErrorDetail = extensible(
  "ErrorDetail",
  "Ids, states and amounts; each code's page lists its fields.",
  {
    field_errors: Type.Optional(
      Type.Array(FieldError, { description: "With `validation_failed`: all errors." }),
    ),
    simulated: Type.Optional(
      Type.Boolean({ description: "True for a refusal that `Test-Scenario` asked for." }),
    ),
  },
);

export const ErrorCode = vocabulary("ErrorCode", REFUSAL_CODES, "Error code; never renamed.");

export const ErrorEnvelope = named("ErrorEnvelope", "A failure; match on `error.code`.", {
  error: named("ApiError", "The refusal and its recovery.", {
    code: ErrorCode,
    message: Type.String({ description: "For people; do not parse it." }),
    detail: ErrorDetail,
    remediation: Type.String({ description: "How to recover." }),
    retry_after: Type.Union([Type.Integer({ minimum: 0 }), Type.Null()], {
      description: "Seconds to wait, as in the `Retry-After` header.",
    }),
    docs_url: Type.String({ format: "uri", description: "Page of the code." }),
    trace_id: TraceId,
    next_actions: Type.Array(NextAction, { description: "Recovery calls, most useful first." }),
  }),
});

/** The whole body of a success: its own, or the envelope named after `data`; null unless JSON. */
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
