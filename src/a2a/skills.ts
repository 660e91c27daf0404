/**
 * The tools of the service as A2A skills. A skill is called with one data part
 * `{"skill": id, "input": {…}}`; the examples are such parts, ready to send.
 */
import { TOOLS, type Tool } from "../tools/catalogue.ts";

/** An A2A `AgentSkill` (A2A §4.4.5), which spec 4.2.3 shows with the same members. */
export interface Skill {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly examples: readonly string[];
}

const hotel_id = "0192f0c4-6d1e-7a51-9f3b-2f6f4d0c8a11";
const stay = { check_in: "2027-06-01", check_out: "2027-06-03" };
const guests = { adults: 2 };
const quote_id = "qt_01m7z5f57f8k2v9d3q6w1x4y7z0a2b5c8e1f";
const hold_id = "hld_01m7z5f57f8k2v9d3q6w1x4y7z0a";
const booking_id = "bkg_01m7z5f57f8k2v9d3q6w1x4y7z0a";
const idempotency_key = "6f0d1c52-8a0b-4c1e-9f5e-0d2a4b6c8e10";
const delegation_token = "<the traveler's consent as a JWT>";

/** By id of the tool. */
const INPUTS: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  search: { destination: { type: "area", value: "Madrid" }, stay, guests },
  quote: {
    hotel_id,
    room_type_id: "0192f0c4-6d1e-7a51-9f3b-2f6f4d0c8a12",
    rate_plan_id: "0192f0c4-6d1e-7a51-9f3b-2f6f4d0c8a13",
    stay,
    guests,
  },
  hold: { quote_id, idempotency_key },
  book: {
    hold_id,
    quote_id,
    guest: { primary: { full_name: "Ada Lovelace", email: "ada@example.com" } },
    payment: { method: "card", provider_token: "<token from the payment provider>" },
    idempotency_key,
    delegation_token,
  },
  get_booking: { booking_id },
  cancel: { booking_id, idempotency_key, delegation_token },
  get_audit: { booking_id },
  release_hold: { hold_id },
  verify_receipt: {
    kind: "booking_confirmed",
    issuer: "https://innkeep.example",
    issued_at: "2027-05-20T09:30:00.000Z",
    subject: { booking_id, amount: 21_200, currency: "EUR" },
    signature: "wq2JfP3mV0cV5m4mJ9y1xw8cJ2rXv0cX5uH1eQ2b7kE",
  },
  list_properties: {},
  get_property: { property: hotel_id },
  get_property_full: { property: "hotel-example-madrid" },
};

function skillOf({ id, title, description, tags }: Tool): Skill {
  const examples = [JSON.stringify({ skill: id, input: INPUTS[id] })];
  return { id, name: title, description, tags, examples };
}

/** Every tool as a skill, in the order of the catalogue. */
export const SKILLS: readonly Skill[] = TOOLS.map(skillOf);
