/** Shows what staged changes will do, then makes them. */
import type { Static } from "@sinclair/typebox";
import { decimalOf } from "../../../feeds/amounts.ts";
import type { AriApplied } from "../../api/ari/responses.ts";
import { type ApiError, ask } from "../frame/api.ts";
import { nameOfActor } from "../frame/by.tsx";
import { form, LARGE_FORM_BYTES_MAX } from "../frame/console-route.ts";
import { type Form, jsonIn, keyHeader } from "../frame/form.ts";
import { hotelsOf, placeNames } from "../frame/hotels.ts";
import { ActionForm, Problem, plural } from "../frame/parts.tsx";
import type { Gone, Shown } from "../frame/shown.ts";
import type { Visit } from "../frame/visit.ts";
import {
  type Change,
  changesOf,
  FIELDS,
  type Ranges,
  type Run,
  runsOf,
  updateOf,
  type Value,
} from "./changes.ts";
import { currentOf, type Nights, readNights, roomPageOf, roomsAsked } from "./nights.ts";
import { PATH } from "./page.tsx";
import { bulkChanges, bulkOf, cellChanges, datesOf, foundIn, type Staged } from "./staged.ts";

type Applied = Static<typeof AriApplied>;

/** Of a page: all are saved. */
const RUNS_MAX = 200;
/** Cells of others that a page lists. */
const OTHERS_MAX = 20;

/** Fields that lead back to the calendar that a form came from. */
type Origin = Readonly<Record<string, string>>;

const ORIGIN = ["property_id", "shown_from", "nights", "rooms", "page", "whole"] as const;

function originOf(sent: Form): Origin {
  return Object.fromEntries(
    ORIGIN.flatMap((name) => (sent.has(name) ? [[name, sent.get(name)!]] : [])),
  );
}

function back({ shown_from, whole: _whole, property_id = "", ...rest }: Origin): string {
  const from = shown_from === undefined ? {} : { from: shown_from };
  return `${PATH}?${new URLSearchParams({ property_id, ...from, ...rest })}`;
}

async function checkCells(visit: Visit, sent: Form): Promise<Shown | Gone> {
  const property_id = sent.get("property_id") ?? "";
  const shown = originOf(sent);
  const dates = datesOf(sent);
  if (dates === null) return { goTo: back(shown) };
  const asked = { ...dates, ...roomsAsked(roomPageOf(sent)) };
  const found = await readNights(visit, property_id, asked);
  if (!found.ok) return problem(visit, shown, <Problem error={found.error} />);
  const staged = cellChanges(sent, found.data);
  const others = changedSince(visit, found.data, staged, Number(sent.get("seen")));
  return preview(visit, shown, found.data, { ...staged, others });
}

async function checkMany(visit: Visit, sent: Form): Promise<Shown | Gone> {
  const property_id = sent.get("property_id") ?? "";
  const shown = originOf(sent);
  const bulk = bulkOf(sent);
  if (typeof bulk === "string") return problem(visit, shown, <p>{bulk}</p>);
  const { from, to, target } = bulk;
  const [room_type = ""] = target.split(":");
  const asked = { from, to, ...(room_type !== "" && { room_type }) };
  const found = await readNights(visit, property_id, asked);
  if (!found.ok) return problem(visit, shown, <Problem error={found.error} />);
  const origin = room_type === "" ? { ...shown, whole: "yes" } : shown;
  return preview(visit, origin, found.data, { ...bulkChanges(bulk, found.data), others: [] });
}

function problem({ root }: Visit, shown: Origin, what: Shown["main"]): Shown {
  const main = (
    <>
      <h1>Nothing was changed</h1>
      <div class="problem" role="alert">
        {what}
      </div>
      <p>
        <a href={root + back(shown)} data-goes-back>
          Back to the calendar
        </a>
      </p>
    </>
  );
  return { title: "Nothing was changed", place: "calendar", main, status: 409 };
}

interface StagedSince extends Staged {
  /** Cells that others set since they were shown, in words. */
  readonly others: readonly string[];
}

async function preview(
  visit: Visit,
  shown: Origin,
  nights: Nights,
  staged: StagedSince,
): Promise<Shown | Gone> {
  const { property_id } = nights;
  const { changes, problems, others } = staged;
  if (problems.length > 0) {
    return problem(
      visit,
      shown,
      <ul>
        {problems.slice(0, 20).map((text) => (
          <li>{text}</li>
        ))}
      </ul>,
    );
  }
  if (changes.length === 0) return { goTo: back(shown) };
  const update = updateOf(changes);
  const dry = await ask<Applied>(visit, {
    ...{ id: "admin_update_ari", params: { id: property_id } },
    body: { ...update, dry_run: true },
  });
  if (!dry.ok) return problem(visit, shown, <Problem error={dry.error} />);
  const hotels = await hotelsOf(visit, [property_id]);
  const main = (
    <>
      <h1>{plural(changes.length, "change")}, not saved yet</h1>
      <p class="lead">
        <bdi>{placeNames(hotels, { property_id }).hotel}</bdi>
      </p>
      <Others cells={others} />
      <Oversold applied={dry.data} nights={nights} />
      <RunList runs={runsOf(changes)} nights={nights} />
      <ActionForm visit={visit} to={`${PATH}/save`}>
        {Object.entries({ ...shown, property_id }).map(([name, value]) => (
          <input type="hidden" name={name} value={value} />
        ))}
        <input type="hidden" name="seen" value={visit.headSeq} />
        <input type="hidden" name="update" value={JSON.stringify(update)} />
        <button type="submit">Save</button>{" "}
        <a class="button" href={visit.root + back(shown)}>
          Discard
        </a>
      </ActionForm>
    </>
  );
  return { title: "Changes", place: "calendar", main };
}

function Others({ cells }: { readonly cells: readonly string[] }) {
  if (cells.length === 0) return null;
  return (
    <div class="problem" role="alert">
      <p>
        <b>Others have changed these nights since they were shown to you.</b> The values before are
        those of now. Save to replace them, or discard.
      </p>
      <ul>
        {cells.slice(0, OTHERS_MAX).map((cell) => (
          <li>
            <bdi>{cell}</bdi>
          </li>
        ))}
      </ul>
      {cells.length > OTHERS_MAX && <p>… and more.</p>}
    </div>
  );
}

/** A cell that was set: its place, night and field, and by whom. */
function cellText(visit: Visit, nights: Nights, cell: Cell): string {
  const { room_type_id, date, field } = cell;
  const found = foundIn(nights, cell);
  const name = (FIELDS as Readonly<Record<string, { name: string }>>)[field]?.name ?? field;
  const changed = (found?.plan ?? found?.night)?.changed;
  const by = changed ? `, by ${nameOfActor(visit, changed.actor)}` : "";
  const place = [found?.room.name ?? room_type_id, found?.plan?.code, date];
  return `${place.filter(Boolean).join(", ")}: ${name}${by}`;
}

type Cell = Pick<Change, "room_type_id" | "rate_plan_id" | "date"> & { readonly field: string };

/** Staged cells whose night has a later change of their field than the form. */
function changedSince(visit: Visit, nights: Nights, { changes }: Staged, seen: number): string[] {
  const later = changes.filter((change) => {
    const found = foundIn(nights, change);
    const changed = (found?.plan ?? found?.night)?.changed;
    const isOfField =
      changed?.fields.includes(change.field) || changed?.fields.includes("property");
    return isOfField && (changed?.seq ?? 0) > seen;
  });
  return later.map((change) => cellText(visit, nights, change));
}

function Oversold({ applied, nights }: { readonly applied: Applied; readonly nights: Nights }) {
  const { oversold = [], oversold_nights = 0 } = applied;
  if (oversold_nights === 0) return null;
  const nameOf = (id: string) => nights.room_types.find((room) => room.room_type_id === id)?.name;
  return (
    <div class="problem" role="alert">
      <p>
        <b>This leaves {plural(oversold_nights, "night")} oversold:</b> more rooms are sold or held
        than there are.
      </p>
      <ul>
        {oversold.map(({ room_type_id, date, sold, held, effective }) => (
          <li>
            <bdi>{nameOf(room_type_id)}</bdi>, {date}: {sold} sold and {held} held of {effective}
          </li>
        ))}
      </ul>
    </div>
  );
}

function RunList({ runs, nights }: { readonly runs: readonly Run[]; readonly nights: Nights }) {
  return (
    <>
      <ul>
        {runs.slice(0, RUNS_MAX).map((run) => (
          <li>
            <RunText run={run} nights={nights} />
          </li>
        ))}
      </ul>
      {runs.length > RUNS_MAX && <p>… and {runs.length - RUNS_MAX} more.</p>}
    </>
  );
}

function RunText({ run, nights }: { readonly run: Run; readonly nights: Nights }) {
  const { room_type_id, rate_plan_id, field, from, to, before, after } = run;
  const room = nights.room_types.find((each) => each.room_type_id === room_type_id);
  const plan = room?.nights[0]?.rate_plans.find((each) => each.rate_plan_id === rate_plan_id);
  const text = (value: Value) => {
    if (value === null) return "the hotel's own";
    if (typeof value === "boolean") return value ? "yes" : "no";
    return field === "amount"
      ? `${decimalOf(value, plan!.currency)} ${plan!.currency}`
      : String(value);
  };
  const olds = [...new Set(before)];
  return (
    <>
      <bdi>{room?.name}</bdi>
      {plan && (
        <>
          , <bdi>{plan.code}</bdi>
        </>
      )}
      , {from === to ? from : `${from} to ${to}`}: {FIELDS[field].name}{" "}
      <s>{olds.length === 1 ? text(olds[0]!) : "several values"}</s> → <b>{text(after)}</b>
    </>
  );
}

async function save(visit: Visit, sent: Form): Promise<Shown | Gone> {
  const property_id = sent.get("property_id") ?? "";
  const shown = originOf(sent);
  const update = jsonIn(sent, "update") as Ranges | null;
  const seen = Number(sent.get("seen"));
  const saved = await ask<Applied>(visit, {
    ...{ id: "admin_update_ari", params: { id: property_id } },
    body: update && { ...update, if_unchanged_since: seen },
    headers: keyHeader(sent),
  });
  if (saved.ok) return { goTo: back(shown) };
  const again = await askAgain(visit, shown, update, saved.error);
  return again ?? problem(visit, shown, <Problem error={saved.error} />);
}

/** Shows the changes again with what others have set meanwhile; null for another refusal. */
async function askAgain(
  visit: Visit,
  shown: Origin,
  update: Ranges | null,
  { detail }: ApiError,
): Promise<Shown | Gone | null> {
  if (update === null || !Array.isArray(detail.cells)) return null;
  const { property_id = "" } = shown;
  const ranges = [
    ...(update.rates ?? []),
    ...(update.inventory ?? []),
    ...(update.restrictions ?? []),
  ];
  const from = ranges.map((range) => range.from).sort()[0]!;
  const to = ranges
    .map((range) => range.to)
    .sort()
    .at(-1)!;
  const [room_type = "", ...otherRooms] = new Set(ranges.map((range) => range.room_type_id ?? ""));
  const page =
    shown.whole === undefined ? roomsAsked(roomPageOf(new Map(Object.entries(shown)))) : {};
  const rooms = otherRooms.length === 0 ? { room_type } : page;
  const found = await readNights(visit, property_id, { from, to, ...rooms });
  if (!found.ok) return null;
  const changes = changesOf(update, (cell) => {
    const at = foundIn(found.data, cell);
    return at && currentOf(at.night, at.plan, cell.field);
  });
  const others = (detail.cells as Cell[]).map((cell) => cellText(visit, found.data, cell));
  const seenNow = { ...visit, headSeq: Math.max(visit.headSeq, Number(detail.seq)) };
  const asked = await preview(seenNow, shown, found.data, { changes, problems: [], others });
  return "goTo" in asked ? asked : { ...asked, status: 409 };
}

const LARGE = { bytesMax: LARGE_FORM_BYTES_MAX } as const;

export const calendarCheckRoutes = [
  form(
    {
      ...LARGE,
      id: "console_check_nights",
      path: `${PATH}/check`,
      summary: "Check changes of nights",
    },
    checkCells,
  ),
  form(
    { id: "console_check_many", path: `${PATH}/check-many`, summary: "Check a change of many" },
    checkMany,
  ),
  form(
    { ...LARGE, id: "console_save_nights", path: `${PATH}/save`, summary: "Save changes" },
    save,
  ),
];
