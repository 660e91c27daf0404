/**
 * Rates, availability and exchange rates. All supply passes through the engine, so price and
 * availability at any past point can be recomputed.
 */
import { dateOf, dayOf, instantIso } from "../calendar.ts";
import type { SetFxRates, UpdateAri } from "../commands.ts";
import { type Context, type Decision, EventList, reject, success } from "../decision.ts";
import type { CeilingUsage } from "../events/properties.ts";
import type { Rejection } from "../outcomes.ts";
import { addDetected } from "../oversell/detect.ts";
import { oversoldBy, oversoldCount, oversoldReport } from "../oversell/oversold.ts";
import type { PropertyEntry } from "../state/state.ts";
import type { AriUpdate, DateRange, NamedAri, PropertyTree } from "../supply.ts";
import { changesNights } from "./ari-changes.ts";
import { type FieldError, withIds } from "./ari-names.ts";
import { firstKept } from "./ari-ranges.ts";
import { lastKeptDay } from "./cells.ts";
import { changedCells } from "./changed-cells.ts";
import { NewScopes, SCOPES_MAX } from "./new-scopes.ts";
import { propertyOf } from "./property.ts";
import { rangesLeaving, scopesOf } from "./units-left.ts";

/** Limit of the nights of one update; each range counts its own nights. */
const ARI_NIGHTS_MAX = 100_000;

/** The same of units left, each of which may become a range of its own in the journal. */
const UNITS_LEFT_NIGHTS_MAX = 20_000;

const LISTS = ["inventory", "rates", "restrictions", "ceilings", "units_left"] as const;

/** Decides `PUT …/ari`: all ranges or none. An update that changes no night writes no event. */
export function updateAri(command: UpdateAri, ctx: Context): Decision {
  const property = propertyOf(command, ctx);
  if ("code" in property) return reject(command, property);
  const property_id = property.tree.id;
  const resolved = resolvedAri(command.ari, property, ctx);
  if ("errors" in resolved) {
    const detail = { field_errors: resolved.errors };
    return reject(command, { code: "validation_failed", detail });
  }
  const { ari, scopes } = resolved;
  const outdated = outdatedBy(command, ari, property, ctx);
  if (outdated) return reject(command, outdated);
  const { inventory, rates, restrictions, ceilings } = ari;
  const applied = {
    inventory: inventory?.length ?? 0,
    rates: rates?.length ?? 0,
    restrictions: restrictions?.length ?? 0,
    ceilings: ceilings?.length ?? 0,
  };
  const events = new EventList(ctx.state, command.tenant_id, command.mode);
  const isChange = changesNights(ari, property, ctx.state);
  const usage = isChange ? (resolved.usage ?? scopes.usage(property, ctx)) : [];
  const oversold = inventory ? oversoldBy(inventory, property, ctx.now) : [];
  const report = oversoldReport(oversold);
  const changed = {
    type: "ari.changed",
    data: { property_id, ari, ...oversoldCount(report) },
    ...(usage.length > 0 ? { secret: { usage } } : {}),
  } as const;
  const seq = isChange && !command.dry_run ? events.add(changed) : null;
  const found = { cause: "availability_update", oversold } as const;
  const opened = seq === null ? {} : addDetected(command, property, found, ctx, events);
  const data = { property_id, applied, changed: isChange, seq, ...report, ...opened };
  return { events: events.list, outcome: success(command, "ari", data), phase: "sealed" };
}

/** The refusal of an update of cells that were set after the event that its sender has seen. */
function outdatedBy(
  { if_unchanged_since: since, tenant_id, mode }: UpdateAri,
  ari: AriUpdate,
  property: PropertyEntry,
  { state }: Context,
): Rejection | null {
  if (since === undefined) return null;
  const seq = state.tenants.get(tenant_id)!.seq[mode];
  if (since > seq) {
    const message = "is later than the last event";
    const path = "/if_unchanged_since";
    const field_errors = [{ path, message, expected: `≤ ${seq}` }];
    return { code: "validation_failed", detail: { field_errors } };
  }
  const { cells, hasMore } = changedCells(ari, property, { since, kept: firstKept(state) });
  if (cells.length === 0) return null;
  const property_id = property.tree.id;
  const detail = { reason: "version_mismatch", property_id, seq, cells, has_more: hasMore };
  return { code: "conflict", detail };
}

/** An update as it is journaled. */
interface Resolved {
  readonly ari: AriUpdate;
  readonly scopes: NewScopes;
  /** Null until it is needed: counting reads every hold and booking. */
  readonly usage: readonly CeilingUsage[] | null;
}

/** The update with ids, and with capacities and ceilings for units left; or its errors. */
function resolvedAri(
  named: NamedAri,
  property: PropertyEntry,
  ctx: Context,
): Resolved | { readonly errors: readonly FieldError[] } {
  const tooMany = nightsProblem(named);
  if (tooMany) return { errors: [tooMany] };
  const { ari, unitsLeft, errors: unnamed } = withIds(named, property.tree);
  const errors = [
    ...dateErrors(named, lastKeptDay(ctx.state)),
    ...unnamed,
    ...derivedErrors(ari, property.tree),
  ];
  if (errors.length > 0) return { errors };
  const ofPlans = scopesOf(unitsLeft);
  const ceilings = [...(ari.ceilings ?? []), ...ofPlans];
  const scopes = new NewScopes({ ceilings }, property);
  if (scopes.tooMany.length > 0) {
    return { errors: scopes.tooMany.map((i) => scopeError(i, ari.ceilings?.length ?? 0)) };
  }
  if (unitsLeft.length === 0) return { ari, scopes, usage: null };
  const usage = scopes.usage(property, ctx);
  const leaving = rangesLeaving(unitsLeft, property, usage, ctx.state);
  return { ari: joined(ari, leaving), scopes, usage };
}

/** Lists without ranges are left out. */
function joined(
  ari: AriUpdate,
  { inventory, ceilings }: Required<Pick<AriUpdate, "inventory" | "ceilings">>,
): AriUpdate {
  const units = [...(ari.inventory ?? []), ...inventory];
  const limits = [...(ari.ceilings ?? []), ...ceilings];
  return {
    ...ari,
    ...(units.length > 0 && { inventory: units }),
    ...(limits.length > 0 && { ceilings: limits }),
  };
}

/**
 * Limits the nights of all ranges together, because applying them delays the engine and every
 * replica (twenty room types with three rate plans each, set for two years, are 44,000).
 */
function nightsProblem(ari: NamedAri): FieldError | null {
  const left = nightsIn(ari.units_left);
  const nights = LISTS.reduce((sum, list) => sum + nightsIn(ari[list]), 0);
  const isTooManyLeft = left > UNITS_LEFT_NIGHTS_MAX;
  if (nights <= ARI_NIGHTS_MAX && !isTooManyLeft) return null;
  const [found, most] = isTooManyLeft ? [left, UNITS_LEFT_NIGHTS_MAX] : [nights, ARI_NIGHTS_MAX];
  const message = `its ranges have ${found} nights in total; split the update`;
  return { path: "", message, expected: `≤ ${most} nights` };
}

function nightsIn(ranges: readonly DateRange[] = []): number {
  return ranges.reduce((sum, { from, to }) => sum + Math.max(0, dayOf(to) - dayOf(from) + 1), 0);
}

/** The scope of a ceiling, or after the ceilings of units left of a rate plan. */
function scopeError(i: number, ceilings: number): FieldError {
  const path = i < ceilings ? `/ceilings/${i}` : "/units_left";
  const message = "exceeds the limit of scopes of its room type";
  return { path, message, expected: `≤ ${SCOPES_MAX} scopes per room type` };
}

/** Errors for dates beyond the last storable day. */
function dateErrors(ari: NamedAri, lastDay: number): FieldError[] {
  const expected = `≤ ${dateOf(lastDay)}`;
  const message = "is beyond the dates that can be sold";
  return LISTS.flatMap((list) =>
    (ari[list] ?? []).flatMap(({ to }: DateRange, i: number) =>
      dayOf(to) > lastDay ? [{ path: `/${list}/${i}/to`, message, expected }] : [],
    ),
  );
}

/** Errors for amounts of derived plans, which follow those of another plan. */
function derivedErrors({ rates = [] }: AriUpdate, { room_types }: PropertyTree): FieldError[] {
  const plans = room_types.flatMap(({ rate_plans }) => rate_plans);
  const followed = new Map(plans.map(({ id, derived_from }) => [id, derived_from?.rate_plan_id]));
  return rates.flatMap(({ rate_plan_id, amount }, i) => {
    const source = followed.get(rate_plan_id);
    if (typeof amount !== "number" || source === undefined) return [];
    const code = plans.find(({ id }) => id === source)?.code;
    const message = "cannot be set: the rate plan is derived from another";
    const expected = `the amount of ${code} (${source}), which it follows`;
    return [{ path: `/rates/${i}/amount`, message, expected }];
  });
}

/** Decides `PUT /v1/admin/fx`: the tenant's display exchange rates. */
export function setFxRates(command: SetFxRates, ctx: Context): Decision {
  const asOf = instantIso(ctx.now);
  const events = new EventList(ctx.state, command.tenant_id, command.mode);
  const { base, rates } = command;
  const seq = events.add({ type: "fx.changed", data: { base, rates, as_of: asOf } });
  const data = { base, rates, as_of: asOf, seq };
  return { events: events.list, outcome: success(command, "fx", data), phase: "sealed" };
}
