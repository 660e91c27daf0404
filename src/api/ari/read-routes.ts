/** `GET /v1/admin/properties/{id}/ari`: the current values of every night. */
import { setImmediate as nextTurn } from "node:timers/promises";
import { action, permitted } from "../../actions/next-action.ts";
import type { Refusal, Success, Verbatim } from "../../http/answer.ts";
import type { Call } from "../../http/call.ts";
import { csvHeaders, wantsCsv } from "../../http/render-table.ts";
import { route } from "../../http/route.ts";
import { PROPERTY_ADMIN, PROPERTY_ID } from "../properties/parameters.ts";
import { propertyOf } from "../visible.ts";
import { HEADER, linesOf } from "./columns.ts";
import { nightsOf, type RoomNights } from "./nights.ts";
import { ARI_QUERY, askedNights, CELLS_MAX } from "./query.ts";
import { AriNights, AriTable } from "./responses.ts";

async function show(call: Call<unknown, "id">): Promise<Success | Verbatim | Refusal> {
  const property = propertyOf(call, call.params.id);
  if ("code" in property) return property;
  const asked = askedNights(call, property);
  if (!asked.ok) return asked;
  const { room_types, changes } = await nightsOf(call, property, asked);
  const { id: property_id, slug } = property.tree;
  const { from, to, forgottenBefore: forgotten_before } = asked;
  if (wantsCsv(call)) return table(call, `${slug}-${from}-${to}`, slug, room_types);
  const data = { property_id, slug, from, to, forgotten_before, changes, room_types };
  const at = action("get", "GET", `/v1/admin/properties/${property_id}`);
  return { ok: true, data, actions: permitted([at], call.may) };
}

async function table(call: Call, name: string, slug: string, rooms: readonly RoomNights[]) {
  let body = HEADER;
  for (const room of rooms) {
    body += [...linesOf(slug, room)].join("");
    await nextTurn();
  }
  return { ok: true, status: 200, headers: csvHeaders(name, call.traceId), body } as const;
}

export const ariReadRoutes = [
  route({
    ...PROPERTY_ADMIN,
    id: "admin_get_ari",
    method: "GET",
    path: "/v1/admin/properties/:id/ari",
    summary: "Read availability, rates and restrictions",
    description:
      "Every night of the range, both ends included: units, restrictions and ceilings of each " +
      "room type, amounts and restrictions of each rate plan, and the last change of the night. " +
      "A rate plan's restriction overrides its room type's, field by field. At most 366 nights " +
      `and ${CELLS_MAX} cells (nights of a room type, rate plan or ceiling). As CSV with ` +
      "`format=csv` or `Accept: text/csv`, which `POST /v1/admin/ari/import` takes back.",
    params: { id: PROPERTY_ID },
    query: ARI_QUERY,
    readsReplica: true,
    renderer: "negotiated",
    success: {
      status: 200,
      description: "The nights.",
      data: AriNights,
      alternatives: { "text/csv": AriTable },
    },
    errors: ["property_not_found", "room_type_not_found", "rate_plan_not_found"],
    handle: show,
  }),
];
