/** Text view of the differences between two documents. */
import type { Compared } from "../../../feeds/compare/compare.ts";
import type { EntriesCompared, EntryChange } from "../../../feeds/compare/entries.ts";
import type { PricesCompared } from "../../../feeds/compare/prices.ts";
import { counted, line } from "./feed-views.ts";
import { printable, table } from "./terminal.ts";

const NOTHING = "-";

/** E.g. `10 → 11 (2 added, 1 removed)`. */
function fromTo(old: number, now: number, added: number, removed: number): string {
  return `${counted(old)} → ${counted(now)} (${counted(added)} added, ${counted(removed)} removed)`;
}

function changeLines({ change, id, name, fields }: EntryChange): string {
  const head = `  ${change.padEnd(8)}${printable(id)}  ${printable(name)}`.trimEnd();
  const lines = fields.map(({ field, old, new: now }) => {
    return `          ${printable(`${field}: ${old ?? NOTHING} → ${now ?? NOTHING}`)}\n`;
  });
  return `${head}\n${lines.join("")}`;
}

function entriesText(kind: string, found: EntriesCompared): string {
  const { old_entries, new_entries, added, removed, changed, changes } = found;
  const what = kind === "hotel-list" ? "listings" : "points of sale";
  return [
    line(what, fromTo(old_entries, new_entries, added, removed)),
    line("changed", counted(changed)),
    changes.length === 0 ? "" : "\n",
    ...changes.map(changeLines),
    more(added + removed + changed, changes.length),
  ].join("");
}

const CHANGES = ["dearer", "cheaper", "sold_out", "available", "offers", "vanished"] as const;

const CHANGE_WORDS: Readonly<Record<(typeof CHANGES)[number], string>> = {
  dearer: "",
  cheaper: "",
  sold_out: "",
  available: "available again",
  offers: "same price, but other rooms, rate plans or price components",
  vanished: "missing from the new document although it has their day: partners keep the old price",
};

function pricesText(found: PricesCompared): string {
  const { old_properties, new_properties, properties_added, properties_removed } = found;
  const { properties_changed, old_stays, new_stays, compared, changes } = found;
  const total = CHANGES.reduce((sum, change) => sum + found[change], 0);
  const rows = changes.map((each) => [
    ...[each.property, each.check_in, String(each.nights), each.change],
    ...[each.old ?? NOTHING, each.new ?? NOTHING],
  ]);
  const headings = ["PROPERTY", "CHECK-IN", "NIGHTS", "CHANGE", "OLD", "NEW"];
  return [
    line(
      "properties",
      fromTo(old_properties, new_properties, properties_added, properties_removed),
    ),
    line("descriptions", `${counted(properties_changed)} changed`),
    line("stays", `${counted(old_stays)} → ${counted(new_stays)}, ${counted(compared)} in both`),
    line("unchanged", counted(compared - total + found.vanished)),
    ...CHANGES.filter((change) => found[change] > 0).map((change) => {
      const words = CHANGE_WORDS[change];
      return line(change, counted(found[change]) + (words && `  ${words}`));
    }),
    rows.length === 0 ? "" : `\n${table(headings, rows)}`,
    more(total, changes.length),
  ].join("");
}

function more(total: number, shown: number): string {
  return total > shown ? `and ${counted(total - shown)} more (use --first)\n` : "";
}

/** The documents, their differences, and a warning about a shrunken one. */
export function comparedText(names: readonly string[], compared: Compared): string {
  const ends = [compared.old, compared.new].map((position, i) => {
    const of = position === null ? "" : `  event ${position.seq} of ${position.at}`;
    return line(i === 0 ? "old" : "new", `${names[i]}${of}`);
  });
  const { kind, shrunken } = compared;
  const warning =
    "WARNING: more than 10 % fewer entries. It would not be published, and partners reject it.\n";
  const text =
    "prices" in compared ? pricesText(compared.prices) : entriesText(kind, compared.entries);
  return [`${kind}\n`, ...ends, text, shrunken ? warning : ""].join("");
}
