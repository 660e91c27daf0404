/** Bodies of a change of a booking. */
import { type Static, Type } from "@sinclair/typebox";
import { Difference } from "../../http/schema/answer-parts.ts";
import {
  BodyKey,
  called,
  closed,
  describedAs,
  Email,
  Guests,
  idOf,
  StaySchema,
  text,
} from "../../http/schema/request-parts.ts";
import { type Body, compile } from "../../http/validate.ts";
import { partyOf, stayProblems } from "../stays.ts";
import { FullName, Language, RemovablePhone } from "./requests.ts";

/** What the price depends on. */
const STAY = {
  stay: Type.Optional(StaySchema),
  guests: Type.Optional(Guests),
  room_type_id: Type.Optional(idOf("the id or code of a room type of the booking's property")),
  rate_plan_id: Type.Optional(idOf("the id or code of one of the room type's rate plans")),
  difference: Type.Optional(Difference),
};

const StayBody = called("ModificationQuoteRequest", closed({ ...STAY, idempotency_key: BodyKey }));

const Primary = describedAs(
  closed({
    full_name: Type.Optional(FullName),
    email: Type.Optional(Email),
    phone: RemovablePhone,
    language: Type.Optional(Language),
  }),
  "what changes of the hotel's contact",
);

const PatchBody = called(
  "ModificationRequest",
  closed({
    ...STAY,
    guest: Type.Optional(describedAs(closed({ primary: Primary }), "what changes of the guest")),
    special_requests: Type.Optional(text(0, 2000)),
    idempotency_key: BodyKey,
  }),
);

type Patch = Static<typeof PatchBody>;

/** A change as asked for: the party as the engine counts it. */
export type ModificationRequest = Omit<Patch, "guests"> & {
  readonly guests?: ReturnType<typeof partyOf>;
};

/** A body with dates that exist, in their order; that they are not past is checked later. */
function bodyOf(schema: typeof PatchBody | typeof StayBody): Body<ModificationRequest> {
  const check = compile(schema);
  return {
    schema,
    read(body) {
      const { stay } = (body ?? {}) as { readonly stay?: unknown };
      const errors = [...check(body), ...stayProblems(stay, Number.NEGATIVE_INFINITY)];
      if (errors.length > 0) return { ok: false, errors };
      const { guests, ...value } = body as Patch;
      return { ok: true, value: { ...value, ...(guests && { guests: partyOf(guests) }) } };
    },
  };
}

export const modificationBody = bodyOf(PatchBody);
export const modificationQuoteBody = bodyOf(StayBody);
