/** `GET /v1/admin/properties/{id}/ari`: every night as it stands, to read and to change. */
import { setImmediate as nextTurn } from "node:timers/promises";
import type { PropertyEntry } from "../../../engine/core/state.ts";
import { action, permitted } from "../../actions/next-action.ts";
import type { Refusal, Success, Verbatim } from "../../http/answer.ts";
import type { Call } from "../../http/call.ts";
import { csvHeaders, wantsCsv } from "../../http/render-table.ts";
import { route } from "../../http/route.ts";
import { PROPERTY_ADMIN, PROPERTY_ID } from "../properties/parameters.ts";
import { propertyOf } from "../visible.ts";
import { AriNights, AriTable } from "./answers.ts";
import { ARI_QUERY, askedNights, CELLS_MAX } from "./asked.ts";
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
  return { ok: true, data, actions: changing(call, property, room_types) };
}

async function table(call: Call, name: string, slug: string, rooms: readonly RoomNights[]) {
  let body = HEADER;
  for (const room of rooms) {
    body += [...linesOf(slug, room)].join("");
    await nextTurn();
  }
  return { ok: true, status: 200, headers: csvHeaders(name, call.traceId), body } as const;
}

/** Ranges of each list that a ready body has at most. */
const RANGES_MAX = 20;

/** The update that sets what stands: sent as it is it keeps every number, else it changes some. */
function changing(call: Call, { tree }: PropertyEntry, rooms: readonly RoomNights[]) {
  const inventory = rooms.flatMap(({ room_type_id, nights }) =>
    rangesOf(nights.map(({ date, capacity }) => ({ date, value: capacity }))).map((range) => {
      const { from, to, value: capacity } = range;
      return { room_type_id, from, to, capacity };
    }),
  );
  const rates = rooms.flatMap(({ nights }) =>
    (nights[0]?.rate_plans ?? []).flatMap(({ rate_plan_id }, i) =>
      rangesOf(nights.map(({ date, rate_plans }) => ({ date, value: rate_plans[i]!.amount }))).map(
        ({ from, to, value: amount }) => ({ rate_plan_id, from, to, amount }),
      ),
    ),
  );
  if (inventory.length === 0) return [];
  const body_hint = {
    inventory: inventory.slice(0, RANGES_MAX),
    ...(rates.length > 0 && { rates: rates.slice(0, RANGES_MAX) }),
  };
  const href = `/v1/admin/properties/${tree.id}/ari`;
  return permitted([action("retry", "PUT", href, { body_hint })], call.may);
}

interface Range {
  readonly from: string;
  to: string;
  readonly value: number;
}

/** Nights that follow each other with one value are one range. */
function rangesOf(nights: readonly { readonly date: string; readonly value: number }[]): Range[] {
  const ranges: Range[] = [];
  for (const { date, value } of nights) {
    const last = ranges.at(-1);
    if (last?.value === value) last.to = date;
    else ranges.push({ from: date, to: date, value });
  }
  return ranges;
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
