/** Bodies of guests. */
import { type Static, Type } from "@sinclair/typebox";
import {
  Amount,
  BodyKey,
  called,
  closed,
  describedAs,
  Email,
  StaySchema,
  text,
} from "../../http/schema/request-parts.ts";
import { type Body, compile } from "../../http/validate.ts";
import { FullName, Language, RemovablePhone } from "../bookings/requests.ts";
import { stayProblems } from "../stays.ts";

const Code = describedAs(text(1, 32), "text of 1 to 32 characters: the confirmation code");

export const MagicLinkBody = closed({
  email: describedAs(Email, "the guest's e-mail address, in any case"),
  confirmation_code: Code,
  language: Type.Optional(Language),
});
export type MagicLinkRequest = Static<typeof MagicLinkBody>;

export const GuestSessionBody = closed({
  token: Type.Optional(
    Type.String({ pattern: "^[0-9a-f]{64}$", description: "the token of the link" }),
  ),
  email: Type.Optional(Email),
  confirmation_code: Type.Optional(Code),
  code: Type.Optional(
    Type.String({ pattern: "^[0-9]{6}$", description: "the six digits of the mail" }),
  ),
});
export type GuestSessionRequest = Static<typeof GuestSessionBody>;

export const GuestCancelBody = called(
  "GuestCancellation",
  closed({
    expected_refund: describedAs(
      Amount,
      "the `refund.amount` of the cancellation quote, as it was shown to the guest",
    ),
    idempotency_key: BodyKey,
  }),
);
export type GuestCancelRequest = Static<typeof GuestCancelBody>;

const StayBody = called(
  "GuestModificationQuoteRequest",
  closed({ stay: StaySchema, idempotency_key: BodyKey }),
);

const Primary = describedAs(
  closed({
    full_name: Type.Optional(FullName),
    phone: RemovablePhone,
    language: Type.Optional(Language),
  }),
  "what changes of the hotel's contact",
);

const PatchBody = called(
  "GuestModificationRequest",
  closed({
    stay: Type.Optional(StaySchema),
    guest: Type.Optional(describedAs(closed({ primary: Primary }), "what changes of the guest")),
    special_requests: Type.Optional(text(0, 2000)),
    idempotency_key: BodyKey,
  }),
);

export type GuestChange = Static<typeof PatchBody>;

/** A body with dates that exist, in their order; that they are not past is checked later. */
function bodyOf(schema: typeof PatchBody | typeof StayBody): Body<GuestChange> {
  const check = compile(schema);
  return {
    schema,
    read(body) {
      const { stay } = (body ?? {}) as { readonly stay?: unknown };
      const errors = [...check(body), ...stayProblems(stay, Number.NEGATIVE_INFINITY)];
      if (errors.length > 0) return { ok: false, errors };
      return { ok: true, value: body as GuestChange };
    },
  };
}

export const guestChangeBody = bodyOf(PatchBody);
export const guestChangeQuoteBody = bodyOf(StayBody);
