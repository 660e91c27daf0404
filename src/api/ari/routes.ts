/** `PUT /v1/admin/properties/{id}/ari` (domain §13): rates, availability and restrictions. */
import { invalid, type Refusal, type Success } from "../../http/answer.ts";
import { type Call, commandMeta } from "../../http/call.ts";
import { execute } from "../../http/execute.ts";
import { route } from "../../http/route.ts";
import { json } from "../../http/validate.ts";
import { PROPERTY_ADMIN, PROPERTY_ID, SUPPLY_BYTES_MAX } from "../properties/parameters.ts";
import { applied } from "./render.ts";
import { AriBody, type AriRequest, ariOf, ariProblems } from "./requests.ts";
import { AriApplied } from "./responses.ts";

async function update(call: Call<AriRequest, "id">): Promise<Success | Refusal> {
  const ari = ariOf(call.body);
  const errors = ariProblems(ari);
  if (errors.length > 0) return invalid(errors);
  const { id: property_id } = call.params;
  return execute(call, { ...commandMeta(call), type: "UpdateAri", property_id, ari }, applied);
}

export const ariRoutes = [
  route({
    ...PROPERTY_ADMIN,
    id: "admin_update_ari",
    method: "PUT",
    path: "/v1/admin/properties/:id/ari",
    summary: "Update availability, rates and restrictions",
    description:
      "Ranges of stay dates, both ends included; all are applied or none. An omitted field keeps " +
      "its value, null clears it. An update that changes no night writes nothing and returns " +
      "`changed: false`. An update that leaves nights oversold is applied and lists them.",
    params: { id: PROPERTY_ID },
    key: "accepted",
    body: json(AriBody),
    bodyBytesMax: SUPPLY_BYTES_MAX,
    success: { status: 200, description: "What was applied.", data: AriApplied },
    errors: ["property_not_found"],
    handle: update,
  }),
];
