/** The walk of `flow.ts` through oversold nights that operators work off. */
import { createHotel, dateIn, newBooking, newKey, stayRequest } from "../support/client.ts";
import type { Recorder } from "./recorder.ts";

const PATH = "/v1/admin/oversell-incidents";

interface Opened {
  readonly incident_ids: readonly string[];
}

/** A cut opens incidents: one guest moves, rooms come back, others are accepted and found again. */
export async function workOffOversell(on: Recorder): Promise<void> {
  const { service } = on;
  const agent = service.demo.admin;
  const admin = (method: string, path: string, body?: object) =>
    on.call(method, path, {
      agent,
      ...(method !== "GET" && { headers: { "idempotency-key": newKey() } }),
      ...(body && { body }),
    });
  const hotel = await createHotel(service, { units: [1, 1], rate: 12_000 });
  const [double, suite] = hotel.rooms;
  /** A booked night without a room; the incident's id. */
  const flooded = async (inDays: number) => {
    const { booking_id } = await newBooking(service, stayRequest(hotel, { inDays, nights: 1 }));
    const range = { from: dateIn(inDays), to: dateIn(inDays), capacity: 0 };
    const body = { inventory: [{ room_type_id: double!.id, ...range }] };
    const cut = await service.api("PUT", `/v1/admin/properties/${hotel.id}/ari`, { agent, body });
    const [incidentId] = cut.ok<Opened>().data.incident_ids;
    return { booking_id, path: `${PATH}/${incidentId}` };
  };
  const { booking_id, path } = await flooded(40);
  (await admin("GET", `${PATH}?state=open`)).ok();
  (await admin("GET", path)).ok();
  (await admin("POST", `${path}/acknowledge`)).ok();
  const to = { room_type_id: suite!.id, rate_plan_id: suite!.planIds[0]! };
  (await admin("POST", `${path}/resolve`, { action: "relocate", booking_id, to })).ok();
  const accepted = await flooded(50);
  const note = "The owner's flat is free.";
  (await admin("POST", `${accepted.path}/resolve`, { action: "accept", note })).ok();
  const at = { property_id: hotel.id, room_type_id: double!.id };
  (await admin("POST", PATH, { ...at, date: dateIn(50) })).ok(201);
  (await admin("POST", PATH, { ...at, date: dateIn(60) })).refused("oversell_not_detected");
  (await admin("GET", `${PATH}/osi_unknown`)).refused("oversell_incident_not_found");
}
