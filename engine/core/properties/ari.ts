/**
 * Rates, availability and exchange rates. All supply passes through the engine, so price and
 * availability at any past point can be recomputed.
 */
import { dateOf, dayOf, instantIso } from "../calendar.ts";
import type { SetFxRates, UpdateAri } from "../commands.ts";
import { type Context, type Decision, EventList, reject, success } from "../decision.ts";
import type { AriUpdate, DateRange, NamedAri, PropertyTree } from "../supply.ts";
import { changesNights } from "./ari-changes.ts";
import { type FieldError, withIds } from "./ari-names.ts";
import { lastKeptDay } from "./cells.ts";
import { NewScopes, SCOPES_MAX } from "./new-scopes.ts";
import { oversoldBy, oversoldCount } from "./oversold.ts";
import { propertyOf } from "./property.ts";

/** Limit of the nights of one update; each range counts its own nights. */
const ARI_NIGHTS_MAX = 100_000;

const LISTS = ["inventory", "rates", "restrictions", "ceilings"] as const;

/** Decides `PUT …/ari`: all ranges or none. An update that changes no night writes no event. */
export function updateAri(command: UpdateAri, ctx: Context): Decision {
  const property = propertyOf(command, ctx);
  if ("code" in property) return reject(command, property);
  const property_id = property.tree.id;
  const tooMany = nightsProblem(command.ari);
  if (tooMany) return reject(command, { code: "validation_failed", detail: tooMany });
  const { ari, errors: unnamed } = withIds(command.ari, property.tree);
  const errors = [
    ...dateErrors(ari, lastKeptDay(ctx.state)),
    ...unnamed,
    ...derivedErrors(ari, property.tree),
  ];
  if (errors.length > 0) {
    return reject(command, { code: "validation_failed", detail: { field_errors: errors } });
  }
  const scopes = new NewScopes(ari, property);
  if (scopes.tooMany.length > 0) {
    const field_errors = scopes.tooMany.map(scopeError);
    return reject(command, { code: "validation_failed", detail: { field_errors } });
  }
  const { inventory, rates, restrictions, ceilings } = ari;
  const applied = {
    inventory: inventory?.length ?? 0,
    rates: rates?.length ?? 0,
    restrictions: restrictions?.length ?? 0,
    ceilings: ceilings?.length ?? 0,
  };
  const events = new EventList(ctx.state, command.tenant_id, command.mode);
  const isChange = changesNights(ari, property, ctx.state);
  const usage = isChange ? scopes.usage(property, ctx) : [];
  const oversold = inventory ? oversoldBy(inventory, property, ctx.stamp) : {};
  const changed = {
    type: "ari.changed",
    data: { property_id, ari, ...oversoldCount(oversold) },
    ...(usage.length > 0 ? { secret: { usage } } : {}),
  } as const;
  const seq = isChange && !command.dry_run ? events.add(changed) : null;
  const data = { property_id, applied, changed: isChange, seq, ...oversold };
  return { events: events.list, outcome: success(command, "ari", data), phase: "sealed" };
}

/**
 * Limits the nights of all ranges together, because applying them delays the engine and every
 * replica (twenty room types with three rate plans each, set for two years, are 44,000).
 */
function nightsProblem(ari: NamedAri): { field_errors: FieldError[] } | null {
  let nights = 0;
  for (const list of LISTS) {
    for (const { from, to } of ari[list] ?? []) nights += Math.max(0, dayOf(to) - dayOf(from) + 1);
  }
  if (nights <= ARI_NIGHTS_MAX) return null;
  const message = `its ranges have ${nights} nights in total; split the update`;
  return { field_errors: [{ path: "", message, expected: `≤ ${ARI_NIGHTS_MAX} nights` }] };
}

function scopeError(i: number): FieldError {
  const message = "exceeds the limit of scopes of its room type";
  return { path: `/ceilings/${i}`, message, expected: `≤ ${SCOPES_MAX} scopes per room type` };
}

/** Errors for dates beyond the last storable day. */
function dateErrors(ari: AriUpdate, lastDay: number): FieldError[] {
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
  const asOf = instantIso(ctx.stamp);
  const events = new EventList(ctx.state, command.tenant_id, command.mode);
  const { base, rates } = command;
  const seq = events.add({ type: "fx.changed", data: { base, rates, as_of: asOf } });
  const data = { base, rates, as_of: asOf, seq };
  return { events: events.list, outcome: success(command, "fx", data), phase: "sealed" };
}
