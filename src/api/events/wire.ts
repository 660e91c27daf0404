/** Schemas of the members of events, for events and audits. */
import { type TProperties, type TSchema, Type } from "@sinclair/typebox";
import type { Form, Member, Members, NamedForm } from "../../../engine/core/events/members.ts";
import {
  AccessState,
  BookedStay,
  CivilDate,
  Currency,
  FreeFrom,
  freeForm,
  Id,
  Instant,
  Minor,
  Money,
  named,
  OtherMethod,
  orNull,
  Party,
  PriceDifference,
  RefundReason,
  Stay,
  Version,
  words,
} from "../../http/schema/answer-parts.ts";
import {
  Approver,
  AuthorizationRule,
  BookingApproval,
  RequiredWhen,
} from "../../http/schema/authorization-parts.ts";
import { Receipt } from "../../http/schema/envelope.ts";
import {
  ExcessNights,
  IncidentAction,
  IncidentCause,
  IncidentEnding,
} from "../../http/schema/incident-parts.ts";
import { AriCounts } from "../ari/responses.ts";
import { FeedFailure, FeedTrigger } from "../feeds/responses.ts";
import { PropertyState } from "../properties/vocabularies.ts";
import { PolicySnapshot, PriceBreakdown } from "../quotes/responses.ts";

/** A quote as in `POST /v1/quotes`, without availability. */
const FrozenTerms = named("FrozenTerms", "The quote that was held.", {
  quote_id: Id,
  hotel_id: Id,
  room_type_id: Id,
  rate_plan_id: Id,
  stay: Stay,
  guests: Party,
  price_breakdown: PriceBreakdown,
  policy_snapshot: PolicySnapshot,
  created_at: Instant,
  expires_at: Instant,
});

const SCHEMAS: { readonly [F in NamedForm]: TSchema } = {
  id: Id,
  instant: Instant,
  currency: Currency,
  minor: Minor,
  version: Version,
  stay: Stay,
  receipt: Receipt,
  quote: FrozenTerms,
  property_state: PropertyState,
  refund_reason: RefundReason,
  other_method: OtherMethod,
  booked_stay: BookedStay,
  price_difference: PriceDifference,
  free_from: FreeFrom,
  jti: Type.Optional(orNull(Type.String({ description: "Id of the delegation token." }))),
  desk: named("DeskDecision", "Only if the property cancelled: the waived part of the fee.", {
    waived_fee: Minor,
  }),
  date_or_null: orNull(CivilDate),
  access_state: AccessState,
  feed_trigger: FeedTrigger,
  feed_failure: FeedFailure,
  ari_counts: AriCounts,
  rates: Type.Record(Type.String(), Type.String()),
  money: Money,
  approval: BookingApproval,
  authorization_rule: AuthorizationRule,
  required_when: RequiredWhen,
  approver: Approver,
  incident_action: IncidentAction,
  incident_cause: IncidentCause,
  incident_ending: IncidentEnding,
  excess_nights: ExcessNights,
};

function formSchema(form: Form): TSchema {
  switch (form.is) {
    case "text":
      return Type.String(described(form.about));
    case "integer":
      return Type.Integer({
        ...(form.least !== null && { minimum: form.least }),
        ...described(form.about),
      });
    case "words":
      return words(form.words, form.about ?? undefined);
    case "true":
      return Type.Literal(true, described(form.about));
    case "free":
      return freeForm(form.about);
    case "list":
      return Type.Array(formSchema(form.of));
    case "object":
      return Type.Object(schemasOf(form.members));
    default:
      return SCHEMAS[form.is];
  }
}

function described(about: string | null) {
  return about === null ? {} : { description: about };
}

function schemaOf({ form, isNullable, isOptional }: Member<unknown>): TSchema {
  const schema = isNullable ? orNull(formSchema(form)) : formSchema(form);
  return isOptional ? Type.Optional(schema) : schema;
}

/** The schemas of members, by name. */
export function schemasOf(members: Members): TProperties {
  return Object.fromEntries(
    Object.entries(members).map(([name, member]) => [name, schemaOf(member)]),
  );
}

/** `hold.created` → `HoldCreated`. */
export function typeNameOf(type: string): string {
  return type.replace(/(?:^|[._])(\w)/g, (_, letter: string) => letter.toUpperCase());
}
