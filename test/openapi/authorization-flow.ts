/** The walk of `flow.ts` through a booking that a person has to approve. */
import { bookingBody, newKey } from "../support/client.ts";
import { exampleHotel, stayAt } from "./hotel.ts";
import type { Recorder } from "./recorder.ts";

interface Ids {
  readonly quote_id: string;
  readonly hold_id: string;
}

const ADMIN = "/v1/admin/booking-authorizations";
const POLICY = "/v1/admin/authorization-policy";

/** An agent asks, an operator approves, the agent books; others are granted and revoked. */
export async function authorize(on: Recorder): Promise<void> {
  const { service } = on;
  const operator = service.demo.admin;
  const admin = (method: string, path: string, body?: object) =>
    on.call(method, path, {
      agent: operator,
      ...(method !== "GET" && { headers: { "idempotency-key": newKey() } }),
      ...(body && { body }),
    });
  const hotel = { ...exampleHotel(), name: "Hotel Mirador" };
  (await service.api("POST", "/v1/admin/properties", { agent: operator, body: hotel })).ok(201);
  const promote = `/v1/admin/properties/${hotel.id}/promote`;
  (await service.api("POST", promote, { agent: operator })).ok();
  const limits = { max_booking_amount: { amount: 10_000, currency: "EUR" } };
  const [agent] = await service.newAgents([{ name: "Books up to EUR 100", limits }]);
  const stay = stayAt(hotel);
  const asked = { agent: agent!, body: stay };
  const { quote_id } = (await service.api("POST", "/v1/quotes", asked)).ok<Ids>(201).data;
  const keyed = () => ({ "idempotency-key": newKey() });
  const held = { agent: agent!, body: { quote_id }, headers: keyed() };
  const { hold_id } = (await service.api("POST", "/v1/holds", held)).ok<Ids>(201).data;
  const book = async (more = {}) => {
    const delegation = await service.mintDelegation();
    const headers = { ...keyed(), "x-delegated-user": delegation };
    const body = { ...bookingBody({ hold_id, quote_id }), ...more };
    return on.call("POST", "/v1/bookings", { agent: agent!, headers, body });
  };
  const { detail } = (await book()).refused("authorization_required");
  const id = `${detail.authorization_id}`;
  (await admin("GET", `${ADMIN}?state=pending`)).ok();
  (await admin("POST", `${ADMIN}/${id}/approve`, { note: "The director travels." })).ok();
  (await on.call("GET", `/v1/booking-authorizations/${id}`, { agent: agent! })).ok();
  (await book({ authorization_id: id })).ok(201);
  (await admin("GET", `${ADMIN}/${id}`)).ok();
  (await admin("GET", `${ADMIN}/aut_unknown`)).refused("booking_authorization_not_found");
  const grant = { agent_id: agent!.agent_id, max_amount: 60_000, currency: "EUR" };
  const granted = await admin("POST", ADMIN, { ...stay, ...grant });
  const { authorization_id } = granted.ok<{ authorization_id: string }>(201).data;
  (await admin("POST", `${ADMIN}/${authorization_id}/revoke`)).ok();
  const over = { amount: 200_000, currency: "EUR" };
  (await admin("PUT", POLICY, { required_when: "over_amount", over })).ok();
  (await admin("GET", POLICY)).ok();
  (await service.api("PUT", POLICY, { agent: operator, body: { required_when: "never" } })).ok();
}
