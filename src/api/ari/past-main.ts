/**
 * Reads past nights: `bun src/api/ari/past-main.ts '{"journal_path": …}'`. It folds the journal up
 * to a row in a process of its own, whose time and memory are nobody else's, and writes what it
 * finds as one line of JSON.
 */
import { SqliteJournalReader } from "../../../engine/log/journal-reader.ts";
import { pastState } from "../../../engine/log/past-state.ts";
import { openForReading } from "../../../engine/log/schema.ts";
import { invalid } from "../../http/answer.ts";
import { nightsData, nightsOf } from "./nights.ts";
import type { PastFound, PastOrder } from "./past-order.ts";
import { askedNights } from "./query.ts";

async function found(order: PastOrder): Promise<PastFound> {
  const { journal_path, row, at_ms, realm, property_id } = order;
  const db = openForReading(journal_path);
  const state = pastState(db, journal_path, row);
  const property = state.property(realm, property_id);
  if (!property) {
    const expected = "an event or instant after its creation";
    return invalid([{ path: "?as_of", message: "is before the property was created", expected }]);
  }
  const asked = askedNights(new Map(order.query), property, { state, nowMs: at_ms });
  if (!asked.ok) return asked;
  const journal = new SqliteJournalReader(db);
  const past = {
    state,
    row: (each: number) => journal.row(each),
    rowsBetween: journal.rowsBetween.bind(journal),
  };
  const nights = await nightsOf(property, asked, past, new AbortController().signal);
  return { ok: true, data: nightsData(property, asked, nights) };
}

const answer = await found(JSON.parse(process.argv[2] ?? "") as PastOrder);
await Bun.write(Bun.stdout, JSON.stringify(answer));
