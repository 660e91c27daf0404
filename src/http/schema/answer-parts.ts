/**
 * Schemas for answers. Unlike requests, objects are open: clients ignore unknown fields, so that
 * fields can be added. A schema with an `$id` becomes a component of the OpenAPI document.
 */
import { type TLiteral, type TProperties, type TSchema, Type } from "@sinclair/typebox";
import { ADULTS_MAX, CHILDREN_MAX } from "../../../engine/core/price/price-bounds.ts";
import { DIFFERENCES, OPERATOR_REASONS, OTHER_METHODS } from "../../../engine/core/refund-words.ts";
import { documented, vocabulary } from "./annotations.ts";

/** An object with a component name. */
export function named<T extends TProperties>($id: string, description: string, properties: T) {
  return Type.Object(properties, { $id, description });
}

/** An object of an external format, which may have other members. */
export function extensible<T extends TProperties>($id: string, description: string, properties: T) {
  return Type.Object(properties, { $id, description, additionalProperties: true });
}

/** The value or null. */
export function orNull<T extends TSchema>(schema: T) {
  return Type.Union([schema, Type.Null()]);
}

/** One of some words. */
export function words<const T extends readonly string[]>(values: T, description?: string) {
  const literals = values.map((value) => Type.Literal(value)) as {
    -readonly [K in keyof T]: T[K] extends string ? TLiteral<T[K]> : never;
  };
  return Type.Union(literals, description === undefined ? {} : { description });
}

/** `data` of a list: complete, because nothing is paged. */
export function listOf<T extends TSchema>(items: T) {
  const { $id, description } = items;
  return Type.Object(
    { items: Type.Array(items) },
    $id === undefined ? {} : { $id: `${$id}List`, description: `Complete list. ${description}` },
  );
}

/** An object without fixed fields; `description` documents them. */
export function freeForm(description: string) {
  return Type.Object({}, { additionalProperties: true, description });
}

export const Id = Type.String({ description: "Opaque id." });
export const Uuid = Type.String({ format: "uuid" });
export const Instant = Type.String({
  format: "date-time",
  description: "RFC 3339, UTC, milliseconds.",
});
export const CivilDate = Type.String({
  format: "date",
  description: "Date in the property's own zone.",
});
export const Currency = Type.String({ pattern: "^[A-Z]{3}$", description: "ISO 4217 code." });
export const Minor = Type.Integer({ description: "Minor units of the currency (ISO 4217)." });
export const Hash = Type.String({ pattern: "^sha256:[0-9a-f]{64}$" });
export const Version = Type.Integer({ minimum: 1, description: "Counts the object's changes." });
export const Seq = Type.Integer({
  minimum: 1,
  description: "Number of the event, dense per tenant and mode.",
});

export const Money = named("Money", "An amount with its currency.", {
  amount: Type.Integer({ minimum: 0, description: "Minor units of the currency." }),
  currency: Currency,
});

export const Stay = named("Stay", "Nights from `check_in` up to, not including, `check_out`.", {
  check_in: CivilDate,
  check_out: CivilDate,
});

/** Optional `children` in requests; always present in answers. */
export const Party = named("Guests", "Who stays.", {
  adults: Type.Integer({ minimum: 1, maximum: ADULTS_MAX }),
  children: Type.Optional(
    Type.Array(
      named("Child", "A child by its age at check-in.", {
        age: documented(Type.Integer({ minimum: 0, maximum: 17 }), "Full years at check-in."),
      }),
      { maxItems: CHILDREN_MAX },
    ),
  ),
});

export const Mode = vocabulary(
  "Mode",
  ["live", "test"],
  "`live`: real stays and money. `test`: a separate sandbox.",
);

export const AccessState = vocabulary(
  "AccessState",
  ["active", "suspended", "revoked"],
  "Status of an agent or issuer. Calls and tokens are accepted only while `active`; `revoked` is " +
    "final.",
);

const PAYMENT_STATES = [
  ...(["pending", "authorized", "captured", "partially_refunded", "refunded"] as const),
  ...(["failed", "voided", "unknown", "disputed"] as const),
] as const;

export const RefundReason = vocabulary(
  "RefundReason",
  ["cancellation", "no_show", "late_capture", "modification", ...OPERATOR_REASONS],
  "Why it is refunded; `late_capture`: captured after its hold had ended; from `requested` on: by " +
    "the property.",
);

export const Difference = vocabulary(
  "Difference",
  DIFFERENCES,
  "What the property does when a changed stay has another price: `refund` the difference, `waive` " +
    "it (the price stays), or charge it `at_property`.",
);

export const PriceDifference = named("PriceDifference", "Another price, and what is done.", {
  kind: Difference,
  amount: Type.Integer({ description: "The new price less the former one, minor units." }),
  currency: Currency,
});

export const BookedStay = named("BookedStay", "A stay of a booking with its price.", {
  stay: Stay,
  room_type_id: Id,
  rate_plan_id: Id,
  total: Minor,
});

export const OtherMethod = vocabulary(
  "OtherMethod",
  OTHER_METHODS,
  "How the property gave the money back itself.",
);

export const FreeFrom = Type.Union([CivilDate, Type.Null()], {
  description: "The first night of the stay that is on sale again; null when none is.",
});

export const PaymentState = vocabulary(
  "PaymentState",
  PAYMENT_STATES,
  "`unknown`: no definitive answer of the payment provider yet.",
);

export const Actor = named("Actor", "The caller or part of the service that did it.", {
  kind: Type.String({ description: "`agent`, `operator`, … or `system`." }),
  id: documented(Type.String(), "Id of the agent or operator, or the part of the service."),
  person_id: Type.Optional(
    Type.String({
      description: "The person who acted for an operator; see `GET /v1/admin/people`.",
    }),
  ),
});

export const Decision = named("Decision", "Who decided, and when.", { by: Actor, at: Instant });
export const JsonRpcAnswer = extensible("JsonRpcAnswer", "A JSON-RPC 2.0 response.", {
  jsonrpc: words(["2.0"]),
  result: Type.Optional(freeForm("Result of the method.")),
  error: Type.Optional(freeForm("`code`, `message`, `data`.")),
});
