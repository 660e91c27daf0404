/** Bodies of bookings and cancellations. */
import { type Static, Type } from "@sinclair/typebox";
import { SIMULATIONS } from "../../../jobs/payments/sandbox-tokens.ts";
import {
  BodyKey,
  both,
  called,
  closed,
  describedAs,
  describedInShort,
  documented,
  Email,
  idOf,
  text,
} from "../../http/schema/request-parts.ts";
import { nameOf } from "../../http/schema/text-formats.ts";
import { AuthorizationId, QuoteId } from "../quotes/requests.ts";

/** Each part of the pattern excludes its delimiter, which prevents backtracking. */
export const FullName = nameOf(200, "a name as in the passport");

export const ProviderToken = documented(
  describedInShort(
    describedAs(
      text(1, 512),
      "text of 1 to 512 characters: the payment provider's token, never a card number",
    ),
    "the provider's token, never a card number",
  ),
  "The payment provider's token, never a card number. The sandbox provider accepts any text; " +
    `these tokens simulate results:\n\n${SIMULATIONS.map(
      ({ token, does }) => `- \`${token}\`: ` + `${does}`,
    ).join("\n")}`,
);

/** In which mails to the guest are written; one that is not supported is English. */
export const Language = describedInShort(
  Type.String({
    ...{ pattern: "^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$", maxLength: 35 },
    description: "a language tag (BCP 47) such as de or pt-BR",
  }),
  "of mails, BCP 47",
);

const Phone = text(4, 32);
/** Of a change. */
export const RemovablePhone = Type.Optional(
  Type.Union([Phone, Type.Null()], {
    description: "a phone number of 4 to 32 characters; null removes it",
  }),
);

const Primary = both("PrimaryGuest", "The hotel's contact.", {
  full_name: FullName,
  email: Email,
  phone: Type.Optional(Phone),
  language: Type.Optional(
    documented(
      Language,
      "Language of mails to the guest (BCP 47): `en`, `de`, `es`, `fr`, `it` or `pt`, with or " +
        "without a region; English for others and by default.",
    ),
  ),
});
const Additional = both("AdditionalGuest", "Another guest.", { full_name: FullName });
const ADDITIONAL_MAX = 39;

export const Guest = both("Guest", "The guest's data for the hotel.", {
  primary: Primary.asked,
  additional: Type.Optional(Type.Array(Additional.asked, { maxItems: ADDITIONAL_MAX })),
});

export const BookingBody = closed({
  hold_id: idOf("data.hold_id of the hold"),
  quote_id: QuoteId,
  guest: Guest.asked,
  payment: called(
    "PaymentInput",
    closed({
      method: describedInShort(
        describedAs(text(1, 40), "text of 1 to 40 characters: how it is paid, such as card"),
        "such as card",
      ),
      provider_token: ProviderToken,
      billing_country: Type.Optional(
        Type.String({ pattern: "^[A-Za-z]{2}$", description: "two letters (ISO 3166-1)" }),
      ),
    }),
  ),
  special_requests: Type.Optional(text(0, 2000)),
  authorization_id: AuthorizationId,
  idempotency_key: BodyKey,
});
export type BookingRequest = Static<typeof BookingBody>;

export const CancelBody = closed({
  reason_code: Type.Optional(text(1, 64)),
  note: Type.Optional(text(0, 2000)),
  idempotency_key: BodyKey,
});
/** The reason is for the property's records; `waive_fee` refunds everything. */
export const DeskCancelBody = closed({
  reason: Type.String({
    ...{ minLength: 1, maxLength: 500, pattern: "\\S" },
    description: "text of 1 to 500 characters, not blank: why the property cancels",
  }),
  waive_fee: Type.Optional(describedAs(Type.Boolean(), "true to refund everything")),
  idempotency_key: BodyKey,
});
export type DeskCancelRequest = Static<typeof DeskCancelBody>;

export type CancelRequest = Static<typeof CancelBody>;
