/** Shows what staged changes will do, then makes them. */
import type { Static } from "@sinclair/typebox";
import { decimalOf } from "../../../feeds/amounts.ts";
import type { AriApplied } from "../../api/ari/responses.ts";
import { ask } from "../frame/api.ts";
import { form, LARGE_FORM_BYTES_MAX } from "../frame/console-route.ts";
import { type Form, jsonIn, keyHeader } from "../frame/form.ts";
import { hotelsOf, placeNames } from "../frame/hotels.ts";
import { ActionForm, Fault, Problem, plural } from "../frame/parts.tsx";
import type { Gone, Shown } from "../frame/shown.ts";
import type { Visit } from "../frame/visit.ts";
import { FIELDS, type Run, runsOf, updateOf, type Value } from "./changes.ts";
import { type Nights, readNights } from "./nights.ts";
import { PATH } from "./page.tsx";
import { bulkChanges, bulkOf, cellChanges, datesOf, type Staged } from "./staged.ts";

type Applied = Static<typeof AriApplied>;

/** Of a page: all are saved. */
const RUNS_MAX = 200;

/** The calendar that a form came from. */
interface Origin {
  readonly property_id: string;
  /** Its first night. */
  readonly from: string | undefined;
}

function back({ property_id, from }: Origin): string {
  return `${PATH}?${new URLSearchParams({ property_id, ...(from !== undefined && { from }) })}`;
}

async function checkCells(visit: Visit, sent: Form): Promise<Shown | Gone> {
  const property_id = sent.get("property_id") ?? "";
  const shown = { property_id, from: sent.get("shown_from") };
  const dates = datesOf(sent);
  if (dates === null) return { goTo: back(shown) };
  const found = await readNights(visit, property_id, dates);
  if (!found.ok) return problem(visit, shown, <Problem error={found.error} />);
  const seen = Number(sent.get("seen"));
  return preview(visit, shown, found.data, { ...cellChanges(sent, found.data), seen });
}

async function checkMany(visit: Visit, sent: Form): Promise<Shown | Gone> {
  const property_id = sent.get("property_id") ?? "";
  const shown = { property_id, from: sent.get("shown_from") };
  const bulk = bulkOf(sent);
  if (typeof bulk === "string") return problem(visit, shown, <p>{bulk}</p>);
  const { from, to } = bulk;
  const found = await readNights(visit, property_id, { from, to });
  if (!found.ok) return problem(visit, shown, <Problem error={found.error} />);
  return preview(visit, shown, found.data, { ...bulkChanges(bulk, found.data), seen: null });
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
  /** Number of the last event when the values were shown; null where none were. */
  readonly seen: number | null;
}

async function preview(
  visit: Visit,
  shown: Origin,
  nights: Nights,
  staged: StagedSince,
): Promise<Shown | Gone> {
  const { property_id, from } = shown;
  const { changes, problems, seen } = staged;
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
  const others = seen === null ? [] : changedSince(nights, staged, seen);
  const main = (
    <>
      <h1>{plural(changes.length, "change")}, not saved yet</h1>
      <p class="lead">
        <bdi>{placeNames(hotels, { property_id }).hotel}</bdi>
      </p>
      {others.length > 0 && (
        <Fault>
          Others have changed these nights since you opened the calendar: {others.join(", ")}. The
          values before are those of now.
        </Fault>
      )}
      <Oversold applied={dry.data} nights={nights} />
      <RunList runs={runsOf(changes)} nights={nights} />
      <ActionForm visit={visit} to={`${PATH}/save`}>
        <input type="hidden" name="property_id" value={property_id} />
        {from !== undefined && <input type="hidden" name="from" value={from} />}
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

/** Dates of staged nights that have a later change than the form. */
function changedSince(nights: Nights, { changes }: Staged, seen: number): string[] {
  const dates = changes.filter(({ room_type_id, rate_plan_id, date }) => {
    const room = nights.room_types.find((each) => each.room_type_id === room_type_id);
    const night = room?.nights.find((each) => each.date === date);
    const plan = night?.rate_plans.find((each) => each.rate_plan_id === rate_plan_id);
    return ((plan ?? night)?.changed?.seq ?? 0) > seen;
  });
  return [...new Set(dates.map(({ date }) => date))].sort();
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
  const body = jsonIn(sent, "update");
  const saved = await ask<Applied>(visit, {
    ...{ id: "admin_update_ari", params: { id: property_id }, body },
    headers: keyHeader(sent),
  });
  const shown = { property_id, from: sent.get("from") };
  return saved.ok ? { goTo: back(shown) } : problem(visit, shown, <Problem error={saved.error} />);
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
