/** `PUT /v1/admin/properties/{id}/ari`: rates, availability and restrictions. */
import { setImmediate as nextTurn } from "node:timers/promises";
import { action, permitted } from "../../actions/next-action.ts";
import { invalid, type Refusal, type Success, type Verbatim } from "../../http/answer.ts";
import { type Call, commandMeta } from "../../http/call.ts";
import { execute, type Rendering } from "../../http/execute.ts";
import { csvHeaders, wantsCsv } from "../../http/render-table.ts";
import { route } from "../../http/route.ts";
import { json } from "../../http/validate.ts";
import { inHouse, openedActions } from "../oversold.ts";
import { answerPast, PastFolding } from "../past.ts";
import { PROPERTY_ADMIN, PROPERTY_ID, SUPPLY_BYTES_MAX } from "../properties/parameters.ts";
import { propertyOf } from "../visible.ts";
import { HEADER, linesOf } from "./columns.ts";
import { type NightsData, nightsData, nightsOf, type RoomNights } from "./nights.ts";
import { ARI_QUERY, askedNights, CELLS_MAX } from "./query.ts";
import { AriBody, type AriRequest, ariOf, ariProblems } from "./requests.ts";
import { AriApplied, AriNights, AriTable } from "./responses.ts";

async function update(call: Call<AriRequest, "id">): Promise<Success | Refusal> {
  const ari = ariOf(call.body);
  const errors = ariProblems(ari);
  if (errors.length > 0) return invalid(errors);
  const { id: property_id } = call.params;
  const { dry_run = false, if_unchanged_since } = call.body;
  const command = {
    ...commandMeta(call),
    ...({ type: "UpdateAri", property_id, ari } as const),
    ...(if_unchanged_since !== undefined && { if_unchanged_since }),
    ...(dry_run && { dry_run }),
  };
  return execute(call, command, applied);
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
      "`changed: false`. An update that leaves nights oversold is applied and lists them. With " +
      "`dry_run` nothing is written and `seq` is null: the answer says what would be. With " +
      "`if_unchanged_since` it is refused with `conflict` (`version_mismatch`), and " +
      "`detail.cells` lists them, if a cell that it sets was set after that event.",
    params: { id: PROPERTY_ID },
    key: "accepted",
    body: json(AriBody),
    bodyBytesMax: SUPPLY_BYTES_MAX,
    success: { status: 200, description: "What was applied.", data: AriApplied },
    errors: ["property_not_found", "conflict"],
    handle: update,
  }),
];

const applied: Rendering<"ari"> = {
  kind: "ari",
  answer: ({ may }, { data, trace_id }) => {
    const actions = [
      ...openedActions(data, may),
      ...permitted(inHouse(data.property_id, data), may),
    ];
    return { data, trace_id, ...(actions.length > 0 && { actions }) };
  },
};

async function show(call: Call<unknown, "id">): Promise<Success | Verbatim | Refusal> {
  const property = propertyOf(call, call.params.id);
  if ("code" in property) return property;
  const { query, context, principal, request } = call;
  const as_of = query.get("as_of");
  if (as_of !== undefined) {
    const of = { computes: "nights", property_id: property.tree.id, as_of } as const;
    return answerPast(call, of, ({ property_id, slug, ...nights }: NightsData, moment) => {
      return shown(call, { property_id, slug, as_of: moment, ...nights });
    });
  }
  const { replica } = context;
  const { state } = replica;
  const asked = askedNights(query, property, { state, nowMs: context.timeIn(principal) });
  if (!asked.ok) return asked;
  const found = await nightsOf(property, asked, replica, request.signal);
  return shown(call, nightsData(property, asked, found));
}

/** In the envelope, or as CSV. */
function shown(call: Call, data: NightsData & { readonly as_of?: object }) {
  const { property_id, slug, from, to, room_types } = data;
  if (wantsCsv(call)) return table(call, `${slug}-${from}-${to}`, slug, room_types);
  const at = action("get", "GET", `/v1/admin/properties/${property_id}`);
  return { ok: true, data, actions: permitted([at], call.may) } as const;
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
      "`format=csv` or `Accept: text/csv`, which `POST /v1/admin/ari/import` takes back. " +
      "`as_of` gives the nights as they were, by the property's tree of that time; 202 with " +
      "`retry` while the journal is read again.",
    params: { id: PROPERTY_ID },
    query: ARI_QUERY,
    readsReplica: true,
    renderer: "negotiated",
    success: {
      status: 200,
      description: "The nights.",
      data: AriNights,
      alternatives: { "text/csv": AriTable },
      later: PastFolding,
    },
    errors: ["property_not_found", "room_type_not_found", "rate_plan_not_found"],
    handle: show,
  }),
];
