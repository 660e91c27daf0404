/** Bugs in supply that is edited: what depends on it, its versions, and what answers offer. */
import type { Mutant } from "./mutant.ts";

const TREE = "engine/core/properties/tree.test.ts";
const EDITED = "src/api/properties/edited-tree.test.ts";
const VERSIONS = "engine/log/tree-versions.test.ts";
const MENDING = "engine/core/properties/promotion-fixes.test.ts";

export const IN_SUPPLY: readonly Mutant[] = [
  {
    name: "a room type that is booked can be taken out",
    file: "engine/core/properties/tree.ts",
    find: " ?? inUse(property, after, ctx);",
    replace: ";",
    killer: TREE,
    test: "rooms and plans of open holds and coming bookings stay; unused ones are removed at once",
  },
  {
    name: "a plan that is booked can be sold in another currency",
    file: "engine/core/properties/dependents.ts",
    find: "currencies.get(id) !== currency",
    replace: "!currencies.has(id)",
    killer: TREE,
    test: "rooms and plans of open holds and coming bookings stay; unused ones are removed at once",
  },
  {
    name: "a change that was made from an older version overwrites the newer one",
    file: "engine/core/properties/tree.ts",
    find: "base_version !== property.version || tree === null",
    replace: "tree === null",
    killer: TREE,
    test: "a version the caller has not seen is a conflict; one the edge has not seen leaves no trace",
  },
  {
    name: "a version is looked for in the row before the one that made it",
    file: "engine/core/properties/tree-fold.ts",
    find: "property.versions.push({ row: row.row,",
    replace: "property.versions.push({ row: row.row - 1,",
    killer: VERSIONS,
    test: "every version is read from the rows that made it; one not folded yet is unknown",
  },
  {
    name: "a large tree is journaled whole at its creation alone",
    file: "engine/core/properties/tree.ts",
    find: "(before.supply_version + 1) % WHOLE_EVERY === 0",
    replace: "before.supply_version === 0",
    killer: TREE,
    test: "a version of a large tree is journaled as its differences, and whole from time to time",
  },
  {
    name: "a room type that is kept loses its id, and with it its nights",
    file: "src/api/properties/edited-tree.ts",
    find: "item.id ?? byCode.get(item.code)",
    replace: "item.id",
    killer: EDITED,
    test: "a body without ids keeps the ids of elements with the same code",
  },
  {
    name: "the mending of a plan without policy forgets the policies that there are",
    file: "engine/core/properties/promotion-fixes.ts",
    find: "[...tree.policies, ...kinds.map(policyTerms)]",
    replace: "kinds.map(policyTerms)",
    killer: MENDING,
    test: "a plan without a policy requests a policy of its kind, in addition to existing ones",
  },
  {
    name: "a new ceiling counts nights that went back",
    file: "engine/core/properties/new-scopes.ts",
    find: "count(booking, soldNights(booking).end);",
    replace: "count(booking, dayOf(booking.quote.stay.check_out));",
    killer: "engine/core/bookings/desk.test.ts",
    test: "a new ceiling counts the nights that bookings take, not those returned",
  },
];
