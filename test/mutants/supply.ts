/** Bugs in supply that is edited: what depends on it, its versions, and what answers offer. */
import type { ByKiller } from "./mutant.ts";

export const IN_SUPPLY: ByKiller = {
  "engine/core/price/derived.test.ts": [
    {
      name: "a derived amount is rounded up whatever its rule",
      in: "engine/core/price/derived.ts roundedBy",
      instead: ['rounding === "up" && rest > 0', "rest > 0"],
      test: "a derived amount equals the exact one, for every rule",
    },
    {
      name: "a derived plan takes amounts that never apply",
      in: "engine/core/properties/ari.ts derivedErrors",
      always: "[]",
      test: "an amount for a derived plan is refused by name; one for extra adults is not",
    },
  ],
  "engine/core/price/discounts.test.ts": [
    {
      name: "the first discount applies, not the best",
      in: "engine/core/price/discounts.ts discountFor",
      instead: ["off <= most", "off <= 0 || best !== null"],
      test: "the discount that takes most off a stay is found, by any of its limits",
    },
    {
      name: "a frozen quote loses its discount when its time is over",
      in: "engine/core/price/price.ts priceInputOf",
      instead: ["quote.created_at", "quote.expires_at + 86_400_000"],
      test: "a frozen quote keeps its discount when its time is over",
    },
    {
      name: "the last day of a discount's bookings has none",
      in: "engine/core/price/discounts.ts isIn",
      instead: ["value <= last", "value < last"],
      test: "the discount that takes most off a stay is found, by any of its limits",
    },
  ],
  "engine/core/availability/availability.test.ts": [
    {
      name: "a stay booked exactly as early as required is refused",
      in: "engine/core/rules.ts refuses",
      instead: ["stay.daysAhead < Number(value)", "stay.daysAhead <= Number(value)"],
      test: "days ahead are counted from today at the property to the check-in",
    },
    {
      name: "a pattern refuses every stay that is longer than it",
      in: "engine/core/rules.ts isInPattern",
      instead: ["Math.min(nights, pattern.length)", "nights"],
      test: "a pattern allows lengths one by one, and its last letter every longer stay",
    },
    {
      name: "a ceiling is released a day late",
      in: "engine/core/state/room-state.ts isReleased",
      instead: ["todayDay >= releaseDay", "todayDay > releaseDay"],
      test: "from the day of its release a ceiling leaves no unit, sold ones stay",
    },
    {
      name: "a removed ceiling leaves its release behind",
      in: "engine/core/properties/ari-ranges.ts releaseIn",
      instead: ["ceiling === null || ", ""],
      test: "a release is kept by an update without one, and removed by none, null or no ceiling",
    },
  ],
  "engine/core/properties/ari.test.ts": [
    {
      name: "an update that only changes a release is taken for a repetition",
      in: "engine/core/properties/ari-changes.ts setsCeilings",
      instead: ["release !== undefined", "false"],
      test: "an update that repeats stored values makes no event; a difference in one night does",
    },
  ],
  "engine/core/properties/changed-cells.test.ts": [
    {
      name: "a later change of one field hides an earlier one of another",
      in: "engine/core/state/last-changes.ts withoutNightsOf",
      instead: ["(earlier.fields & ~later.fields) !== 0", "earlier.fields === 0"],
      test: "a cell that was set later is named, and the update is refused as a whole",
    },
    {
      name: "two changes that become one are as old as the older",
      in: "engine/core/state/last-changes.ts merged",
      instead: ["seq: b.seq", "seq: a.seq"],
      test: "of many changes the oldest become one, which is never older than they were",
    },
    {
      name: "of an update only the last range of a rate plan counts as set",
      in: "engine/core/properties/changed-cells.ts noteAri",
      instead: ["before ? union(before, nights) : nights", "nights"],
      test: "an update ordered night by plan is one change of each plan",
    },
  ],
  "engine/core/properties/tree.test.ts": [
    {
      name: "a room type that is booked can be taken out",
      in: "engine/core/properties/tree.ts replaceProperty",
      drop: "inUse",
      test: "rooms and plans of open holds and coming bookings stay; unused ones are removed at once",
    },
    {
      name: "a plan that is booked can be sold in another currency",
      in: "engine/core/properties/dependents.ts goingOf",
      instead: ["currencies.get(id) !== currency", "!currencies.has(id)"],
      test: "rooms and plans of open holds and coming bookings stay; unused ones are removed at once",
    },
    {
      name: "a change that was made from an older version overwrites the newer one",
      in: "engine/core/properties/tree.ts replaceProperty",
      drop: "base_version !== property.version",
      test: "a version the caller has not seen is a conflict; one the edge has not seen leaves no trace",
    },
    {
      name: "a large tree is journaled whole at its creation alone",
      in: "engine/core/properties/tree.ts journaledTree",
      instead: ["(before.supply_version + 1) % WHOLE_EVERY", "before.supply_version"],
      test: "a version of a large tree is journaled as its differences, and whole from time to time",
    },
  ],
  "engine/core/properties/units-left.test.ts": [
    {
      name: "units left are the capacity, whatever is sold and held",
      in: "engine/core/properties/units-left.ts unitsLeaving",
      instead: ["room.sold.get(day) + room.held.get(day) + left", "left"],
      test: "after an update exactly the units left can be taken, of the room type and of each plan",
    },
    {
      name: "a plan's units left forget what a new ceiling counts",
      in: "engine/core/properties/units-left.ts rangesLeaving",
      instead: ["counted?.get(day) ?? 0", "0"],
      test: "units left are journaled as capacities and ceilings by id, one range per run of nights",
    },
    {
      name: "overbooking is sold beyond the units left",
      in: "engine/core/properties/units-left.ts unitsLeaving",
      instead: [
        "capacity: 0, overbooking_limit: effective + room.outOfOrder.get(day)",
        "capacity: 0",
      ],
      test: "after an update exactly the units left can be taken, of the room type and of each plan",
    },
  ],
  "engine/log/tree-versions.test.ts": [
    {
      name: "a version is looked for in the row before the one that made it",
      in: "engine/core/properties/tree-fold.ts applyPropertyReplaced",
      instead: ["row: row.row", "row: row.row - 1"],
      test: "every version is read from the rows that made it; one not folded yet is unknown",
    },
  ],
  "src/api/properties/edited-tree.test.ts": [
    {
      name: "a room type that is kept loses its id, and with it its nights",
      in: "src/api/properties/edited-tree.ts withIds",
      drop: "byCode.get",
      test: "a body without ids keeps the ids of elements with the same code",
    },
  ],
  "engine/core/properties/promotion-fixes.test.ts": [
    {
      name: "the mending of a plan without policy forgets the policies that there are",
      in: "engine/core/properties/promotion-fixes.ts promotionFixesOf",
      drop: "...tree.policies",
      test: "a plan without a policy requests a policy of its kind, in addition to existing ones",
    },
  ],
  "engine/core/bookings/in-house.test.ts": [
    {
      name: "the nights that a guest has slept are priced anew",
      in: "engine/core/availability/quoting.ts withBooked",
      always: "input",
      test: "slept nights keep their booked rate and discount, later ones have today's rate",
    },
    {
      name: "the departure of a guest who is there is priced as if booked today",
      in: "engine/core/bookings/amended-quote.ts amendedQuote",
      instead: ["inHouseDay === null ? nowMs : before.created_at", "nowMs"],
      test: "slept nights keep their booked rate and discount, later ones have today's rate",
    },
    {
      name: "a guest who is there is held to the rules of the arrival",
      in: "engine/core/bookings/modify.ts spaceProblem",
      instead: ["!isKept(each)", "true"],
      test: "rules of the arrival and of kept nights are over",
    },
  ],
  "engine/core/bookings/desk.test.ts": [
    {
      name: "check-ins are undone without end",
      in: "engine/core/bookings/desk.ts undoProblem",
      instead: ["version <= CHANGES_MAX", "true"],
      test: "check-ins are undone as often as a booking may change",
    },
    {
      name: "a new ceiling counts nights that went back",
      in: "engine/core/properties/new-scopes.ts NewScopes.usage",
      instead: ["soldNights(booking).end", "dayOf(booking.quote.stay.check_out)"],
      test: "a new ceiling counts the nights that bookings take, not those returned",
    },
  ],
};
