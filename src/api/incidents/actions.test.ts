/** Next actions of oversell incidents. */
import { expect, test } from "bun:test";
import type { OversellIncident } from "../../../engine/core/oversell-incident.ts";
import { steps } from "../../../test/support/answer.ts";
import { incidentActions } from "./actions.ts";

const INCIDENT: OversellIncident = {
  ...{ incident_id: "osi_1", tenant_id: "t", mode: "live", property_id: "h", agent_id: "agt_ops" },
  ...{ room_type_id: "r", from: "2026-12-01", until: "2026-12-03", cause: "scan" },
  ...{ detected: [], opened_by: { kind: "operator", id: "agt_ops" }, created_at: 0, updated_at: 0 },
  ...{ state: "open", acknowledged: null, actions: [], ended: null, note: null },
};
const NIGHT = { date: "2026-12-02", capacity: 0, sold: 1, held: 0, excess: 1 };

test("an oversold night is worked on, gets its rooms back or is accepted", () => {
  const at = `/v1/admin/oversell-incidents/${INCIDENT.incident_id}`;
  const actions = incidentActions(INCIDENT, [NIGHT], [], 0);
  expect(steps(actions)).toEqual([
    ...[`confirm POST ${at}/acknowledge`, `confirm POST ${at}/resolve`],
    `confirm POST ${at}/resolve`,
  ]);
  const range = { from: NIGHT.date, to: NIGHT.date, capacity: 1, out_of_order: 0 };
  const ari = { inventory: [{ room_type_id: INCIDENT.room_type_id, ...range }] };
  expect(actions[1]!.body_hint).toMatchObject({ action: "restore_capacity", ari });
});

test("an open incident whose nights have passed offers no call, as each would be refused", () => {
  expect(incidentActions(INCIDENT, [], [], 0)).toEqual([]);
  expect(incidentActions({ ...INCIDENT, state: "acknowledged" }, [], [], 0)).toEqual([]);
});
