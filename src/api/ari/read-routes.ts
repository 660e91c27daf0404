/** `GET /v1/admin/properties/{id}/ari`: every night as it stands, to read and to change. */
import { setImmediate as nextTurn } from "node:timers/promises";
import { dateOf } from "../../../engine/core/calendar.ts";
import type { PropertyEntry } from "../../../engine/core/state.ts";
import { action, permitted } from "../../actions/next-action.ts";
import type { Refusal, Success, Verbatim } from "../../http/answer.ts";
import type { Call } from "../../http/call.ts";
import { route } from "../../http/route.ts";
import { PROPERTY_ADMIN, PROPERTY_ID } from "../properties/parameters.ts";
import { propertyOf } from "../visible.ts";
import { AriNights, AriTable } from "./answers.ts";
import { ARI_QUERY, type AskedNights, askedNights, CELLS_MAX } from "./asked.ts";
import { HEADER, linesOf } from "./columns.ts";
import { nightsOf, type RoomNights } from "./nights.ts";

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
  return { ok: true, data, actions: changing(call, property, asked) };
}

/** What is said in the query goes before what a browser or library accepts. */
function wantsCsv({ query, request }: Call): boolean {
  const format = query.get("format");
  if (format !== undefined) return format === "csv";
  return /(^|,)\s*text\/csv\b/i.test(request.headers.get("accept") ?? "");
}

async function table(call: Call, name: string, slug: string, rooms: readonly RoomNights[]) {
  let body = HEADER;
  for (const room of rooms) {
    body += [...linesOf(slug, room)].join("");
    await nextTurn();
  }
  const headers = {
    "content-type": "text/csv; charset=utf-8; header=present",
    "content-disposition": `attachment; filename="${name}.csv"`,
    "cache-control": "no-store",
    "x-trace-id": call.traceId,
  };
  return { ok: true, status: 200, headers, body } as const;
}

/** Room types and rate plans that a ready body names at most. */
const NAMED_MAX = 20;

/** The update of what was asked for: who sends it says what the nights become. */
function changing(call: Call, { tree }: PropertyEntry, asked: AskedNights) {
  const { rooms, firstDay, nights, to } = asked;
  if (nights === 0) return [];
  const range = { from: dateOf(firstDay), to };
  const inventory = rooms.slice(0, NAMED_MAX).map(({ id: room_type_id }) => {
    return { room_type_id, ...range, capacity: "<units that can be sold>" };
  });
  const rates = rooms.flatMap(({ rate_plans }) =>
    rate_plans.map(({ id: rate_plan_id, currency }) => {
      return { rate_plan_id, ...range, amount: `<minor units of ${currency}>` };
    }),
  );
  const body_hint = { inventory, rates: rates.slice(0, NAMED_MAX) };
  const href = `/v1/admin/properties/${tree.id}/ari`;
  return permitted([action("retry", "PUT", href, { body_hint })], call.may);
}

export const ariReadRoutes = [
  route({
    ...PROPERTY_ADMIN,
    id: "admin_get_ari",
    method: "GET",
    path: "/v1/admin/properties/:id/ari",
    summary: "Read availability, rates and restrictions",
    description:
      "Every night of the range, both ends included: units, restrictions and ceilings of each room " +
      "type, amounts and restrictions of each rate plan, and who changed the night last. A rate " +
      "plan's own restriction goes before its room type's, field by field. At most 366 nights and " +
      `${CELLS_MAX} cells, a night of a room type, rate plan or ceiling being one. As a table with ` +
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
