/** Scenes of codes that are sealed: only a new key succeeds when the cause is gone. */
import {
  type Booking,
  bookingBody,
  createHotel,
  dateIn,
  newAuthorization,
  newBooking,
  newHold,
  newIncident,
  newKey,
  propertyBody,
  sendBooking,
  stayRequest,
} from "./client.ts";
import { givenDelivery, killDelivery } from "./deliveries.ts";
import {
  AGENTS,
  admin,
  agentWith,
  booking,
  cancelling,
  change,
  freshHold,
  holding,
  ISSUERS,
  newIssuer,
  PROPERTIES,
  quoteId,
  type Send,
  type Setting,
  WEBHOOKS,
} from "./scenes.ts";
import type { Service } from "./service.ts";
import { endpointBody } from "./trials.ts";

const REFUNDS = "/v1/admin/refunds";
const INCIDENTS = "/v1/admin/oversell-incidents";
const AUTHORIZATIONS = "/v1/admin/booking-authorizations";
const DELIVERIES = "/v1/admin/webhook-deliveries";

/** A refund of all that remains, or of an amount. */
function refunding(service: Service, { booking_id }: Pick<Booking, "booking_id">, amount?: number) {
  const body = { reason: "goodwill", ...(amount !== undefined && { amount }) };
  return admin(service, "POST", `/v1/admin/bookings/${booking_id}/refunds`, body);
}

/** A change of a booking by the property. */
function changing(service: Service, { booking_id }: Pick<Booking, "booking_id">, body: object) {
  return admin(service, "PATCH", `/v1/bookings/${booking_id}`, body);
}

/** Path of a delivery to an endpoint of its own. */
async function givenDeliveryOf(service: Service, state: "in_flight" | "dead_lettered") {
  const made = await admin(service, "POST", WEBHOOKS, endpointBody())(newKey());
  const { endpoint_id } = made.ok<{ readonly endpoint_id: string }>(201).data;
  return `${DELIVERIES}/${givenDelivery(service, { endpoint_id, state })}`;
}

/** Refusals that the state decided: the key keeps them. */
export const LASTING: Readonly<Record<string, readonly [code: string, Setting]>> = {
  "an unknown quote": [
    "quote_not_found",
    async (service, hotel) => {
      const after = holding(service, await quoteId(service, hotel));
      return { refused: holding(service, "qt_x"), after };
    },
  ],
  "an unknown hold": [
    "hold_not_found",
    async (service, hotel) => {
      const hold = await freshHold(service, hotel);
      const unknown = { ...hold, hold_id: "hld_x" };
      return { refused: booking(service, unknown), after: booking(service, hold) };
    },
  ],
  "an unknown booking": [
    "booking_not_found",
    async (service, hotel) => {
      const { booking_id } = await newBooking(service, stayRequest(hotel));
      const refused = cancelling(service, "bkg_x");
      return { refused, after: cancelling(service, booking_id) };
    },
  ],
  "a property that is not there yet": [
    "property_not_found",
    async (service) => {
      const property = propertyBody();
      const refused = admin(service, "POST", `${PROPERTIES}/${property.id}/promote`);
      const mend = async () => {
        (await admin(service, "POST", PROPERTIES, property)(newKey())).ok(201);
      };
      return { refused, mend };
    },
  ],
  "an unknown agent": [
    "agent_not_found",
    async (service) => {
      const { agent_id } = await agentWith(service, {});
      const body = { name: "Renamed" };
      const refused = admin(service, "PATCH", `${AGENTS}/agt_x`, body);
      return { refused, after: admin(service, "PATCH", `${AGENTS}/${agent_id}`, body) };
    },
  ],
  "an unknown credential": [
    "credential_not_found",
    async (service) => {
      const { agent_id } = await agentWith(service, {});
      const path = `${AGENTS}/${agent_id}/credentials`;
      const made = (await admin(service, "POST", path)(newKey())).ok<{
        readonly credential: { readonly credential_id: string };
      }>(201);
      const { credential_id } = made.data.credential;
      const refused = admin(service, "DELETE", `${path}/crd_x`);
      return { refused, after: admin(service, "DELETE", `${path}/${credential_id}`) };
    },
  ],
  "an unknown issuer": [
    "delegation_issuer_not_found",
    async (service) => {
      const { body } = await newIssuer(service);
      const made = await admin(service, "POST", ISSUERS, body)(newKey());
      const { issuer_id } = made.ok<{ readonly issuer_id: string }>(201).data;
      const refused = admin(service, "POST", `${ISSUERS}/iss_x/suspend`);
      return { refused, after: admin(service, "POST", `${ISSUERS}/${issuer_id}/suspend`) };
    },
  ],
  "an unknown endpoint": [
    "webhook_endpoint_not_found",
    async (service) => {
      const made = await admin(service, "POST", WEBHOOKS, endpointBody())(newKey());
      const { endpoint_id } = made.ok<{ readonly endpoint_id: string }>(201).data;
      const refused = admin(service, "POST", `${WEBHOOKS}/whe_x/disable`);
      return { refused, after: admin(service, "POST", `${WEBHOOKS}/${endpoint_id}/disable`) };
    },
  ],
  "an unknown delivery": [
    "webhook_delivery_not_found",
    async (service) => {
      const [known, refused] = [
        await givenDeliveryOf(service, "dead_lettered"),
        `${DELIVERIES}/dlv_x/replay`,
      ];
      return {
        refused: admin(service, "POST", refused),
        after: admin(service, "POST", `${known}/replay`),
      };
    },
  ],
  "a delivery that is on its way": [
    "webhook_delivery_not_replayable",
    async (service) => {
      const delivery = await givenDeliveryOf(service, "in_flight");
      const mend = async () => killDelivery(service, delivery.split("/").at(-1)!);
      return { refused: admin(service, "POST", `${delivery}/replay`), mend };
    },
  ],
  "a room that is taken": [
    "allocation_failed",
    async (service) => {
      const single = await createHotel(service, { units: [1] });
      const { hold_id } = await freshHold(service, single);
      const mend = async () => (await service.api("POST", `/v1/holds/${hold_id}/release`)).ok();
      return { refused: holding(service, await quoteId(service, single)), mend };
    },
  ],
  "a ceiling that is reached": [
    "allotment_exhausted",
    async (service) => {
      const capped = await createHotel(service);
      const set = async (ceiling: number) => {
        const [from, to] = [dateIn(30), dateIn(31)];
        const ceilings = [{ room_type_id: capped.rooms[0]!.id, from, to, ceiling }];
        const path = `${PROPERTIES}/${capped.id}/ari`;
        (await admin(service, "PUT", path, { ceilings })(newKey())).ok();
      };
      await set(0);
      return { refused: holding(service, await quoteId(service, capped)), mend: () => set(5) };
    },
  ],
  "a hold that was released": [
    "hold_not_active",
    async (service, hotel) => {
      const [hold, other] = [await freshHold(service, hotel), await freshHold(service, hotel)];
      (await service.api("POST", `/v1/holds/${hold.hold_id}/release`)).ok();
      return { refused: booking(service, hold), after: booking(service, other) };
    },
  ],
  "the quote of another hold": [
    "quote_mismatch",
    async (service, hotel) => {
      const hold = await freshHold(service, hotel);
      const mixed = { ...hold, quote_id: await quoteId(service, hotel) };
      return { refused: booking(service, mixed), after: booking(service, hold) };
    },
  ],
  "an amount above the agent's limit": [
    "authorization_required",
    async (service, hotel) => {
      const max_booking_amount = { amount: 1, currency: "EUR" };
      const agent = await agentWith(service, { limits: { max_booking_amount } });
      const hold = await newHold(service, stayRequest(hotel), { agent });
      const mend = () => change(service, agent, { limits: { max_booking_amount: null } });
      return { refused: booking(service, hold, { agent }), mend };
    },
  ],
  "an unknown authorization": [
    "booking_authorization_not_found",
    async (service, hotel) => {
      const id = await newAuthorization(service, stayRequest(hotel), service.demo.agent);
      const revoking = (of: string) => admin(service, "POST", `${AUTHORIZATIONS}/${of}/revoke`);
      return { refused: revoking("aut_x"), after: revoking(id) };
    },
  ],
  "an authorization that is revoked is not approved": [
    "conflict",
    async (service, hotel) => {
      const max_booking_amount = { amount: 1, currency: "EUR" };
      const agent = await agentWith(service, { limits: { max_booking_amount } });
      const asked = async (nights: number) => {
        const hold = await newHold(service, stayRequest(hotel, { nights }), { agent });
        const refused = await sendBooking(service, hold, { agent });
        return `${refused.refused("authorization_required").detail.authorization_id}`;
      };
      const [revoked, open] = [await asked(1), await asked(2)];
      (await admin(service, "POST", `${AUTHORIZATIONS}/${revoked}/revoke`)(newKey())).ok();
      const approving = (of: string) => admin(service, "POST", `${AUTHORIZATIONS}/${of}/approve`);
      return { refused: approving(revoked), after: approving(open) };
    },
  ],
  "an unknown oversell incident": [
    "oversell_incident_not_found",
    async (service, hotel) => {
      const id = await newIncident(service, hotel);
      const working = (of: string) => admin(service, "POST", `${INCIDENTS}/${of}/acknowledge`);
      return { refused: working("osi_x"), after: working(id) };
    },
  ],
  "a night on which everybody has a room": [
    "oversell_not_detected",
    async (service, hotel) => {
      const id = await newIncident(service, hotel);
      const read = await service.api("GET", `${INCIDENTS}/${id}`, { agent: service.demo.admin });
      const { from } = read.ok<{ readonly from: string }>().data;
      const scanning = (date: string): Send => {
        const at = { property_id: hotel.id, room_type_id: hotel.rooms[0]!.id, date };
        return admin(service, "POST", INCIDENTS, at);
      };
      return { refused: scanning(dateIn(400)), after: scanning(from) };
    },
  ],
  "an authorization that was not given": [
    "booking_authorization_invalid",
    async (service, hotel) => {
      const hold = await freshHold(service, hotel);
      const refused: Send = async (key) => {
        const delegation = await service.mintDelegation();
        const headers = { "idempotency-key": key, "x-delegated-user": delegation };
        const body = { ...bookingBody(hold), authorization_id: "aut_x" };
        return service.api("POST", "/v1/bookings", { headers, body });
      };
      return { refused, after: booking(service, hold) };
    },
  ],
  "a card that is refused": [
    "payment_failed",
    async (service, hotel) => {
      const hold = await freshHold(service, hotel);
      const refused = booking(service, hold, { token: "tok_test_declined" });
      return { refused, after: booking(service, hold) };
    },
  ],
  "a booking that is cancelled": [
    "booking_not_cancellable",
    async (service, hotel) => {
      const [one, other] = [stayRequest(hotel), stayRequest(hotel)];
      const { booking_id } = await newBooking(service, one);
      (await cancelling(service, booking_id)(newKey())).ok();
      const after = cancelling(service, (await newBooking(service, other)).booking_id);
      return { refused: cancelling(service, booking_id), after };
    },
  ],
  "a booking that cost nothing": [
    "no_capturable_payment",
    async (service, hotel) => {
      const free = await newBooking(service, stayRequest(await createHotel(service, { rate: 0 })));
      const paid = await newBooking(service, stayRequest(hotel));
      return { refused: refunding(service, free), after: refunding(service, paid) };
    },
  ],
  "a payment that is refunded": [
    "payment_not_refundable",
    async (service, hotel) => {
      const [one, other] = [stayRequest(hotel), stayRequest(hotel)];
      const refunded = await newBooking(service, one);
      (await refunding(service, refunded)(newKey())).ok(201);
      const after = refunding(service, await newBooking(service, other));
      return { refused: refunding(service, refunded), after };
    },
  ],
  "more than was paid": [
    "refund_exceeds_remaining",
    async (service, hotel) => {
      const made = await newBooking(service, stayRequest(hotel));
      const refused = refunding(service, made, 10_000_000);
      return { refused, after: refunding(service, made, 5_000) };
    },
  ],
  "a refund that has succeeded is not repeated": [
    "conflict",
    async (service, hotel) => {
      const refunded = async (token: string) => {
        const hold = await freshHold(service, hotel);
        const booked = (await sendBooking(service, hold, { token })).ok<Booking>(201).data;
        const made = await refunding(service, booked)(newKey());
        return made.ok<{ readonly refund_id: string }>(201).data.refund_id;
      };
      const retrying = (id: string) => admin(service, "POST", `${REFUNDS}/${id}/retry`);
      const [done, failed] = [
        await refunded("tok_test_ok"),
        await refunded("tok_test_refund_fails"),
      ];
      return { refused: retrying(done), after: retrying(failed) };
    },
  ],
  "a booking that is changed after its end": [
    "booking_not_modifiable",
    async (service, hotel) => {
      const [one, other] = [stayRequest(hotel), stayRequest(hotel)];
      const gone = await newBooking(service, one);
      (await cancelling(service, gone.booking_id)(newKey())).ok();
      const kept = await newBooking(service, other);
      const body = { stay: { check_in: dateIn(40), check_out: dateIn(42) }, difference: "waive" };
      return { refused: changing(service, gone, body), after: changing(service, kept, body) };
    },
  ],
  "a stay of another length": [
    "booking_modification_price_change",
    async (service, hotel) => {
      const made = await newBooking(service, stayRequest(hotel));
      const body = { stay: { check_in: dateIn(40), check_out: dateIn(44) } };
      const waived = { ...body, difference: "waive" };
      return { refused: changing(service, made, body), after: changing(service, made, waived) };
    },
  ],
  "a property that lacks something": [
    "property_not_promotable",
    async (service) => {
      const whole = propertyBody();
      const bare = { ...propertyBody(), room_types: [] };
      for (const body of [whole, bare]) {
        (await admin(service, "POST", PROPERTIES, body)(newKey())).ok(201);
      }
      const promoting = ({ id }: { readonly id: string }) =>
        admin(service, "POST", `${PROPERTIES}/${id}/promote`);
      return { refused: promoting(bare), after: promoting(whole) };
    },
  ],
  "a version that is not there yet": [
    "conflict",
    async (service) => {
      const { agent_id } = await agentWith(service, {});
      const agent = service.demo.admin;
      const path = `${AGENTS}/${agent_id}`;
      const refused: Send = (key) => {
        const headers = { "idempotency-key": key, "if-match": '"2"' };
        return service.api("PATCH", path, { agent, headers, body: { name: "Second" } });
      };
      const mend = async () => {
        (await admin(service, "PATCH", path, { name: "First" })(newKey())).ok();
      };
      return { refused, mend };
    },
  ],
  "a slug that is taken": [
    "conflict",
    async (service, hotel) => {
      const taken = { ...propertyBody(), slug: hotel.slug };
      const refused = admin(service, "POST", PROPERTIES, taken);
      return { refused, after: admin(service, "POST", PROPERTIES, propertyBody()) };
    },
  ],
};
