/**
 * Computes what a property was: `bun src/api/past-main.ts '{"computes": "nights", …}'`. It folds
 * the journal up to a row in a process of its own, so that no api process waits for it, and writes
 * its answer as one line of JSON.
 */
import type { PropertyEntry, State } from "../../engine/core/state/state.ts";
import { SqliteJournalReader } from "../../engine/log/journal-reader.ts";
import { pastState } from "../../engine/log/past-state.ts";
import { openForReading } from "../../engine/log/schema.ts";
import { invalid } from "../http/answer.ts";
import { nightsData, nightsOf } from "./ari/nights.ts";
import { askedNights } from "./ari/query.ts";
import { explained } from "./availability/explained.ts";
import { askedStay } from "./availability/query.ts";
import type { PastFound, PastOrder } from "./past.ts";

/** A property as it was. */
interface Past {
  readonly property: PropertyEntry;
  readonly query: ReadonlyMap<string, string>;
  readonly state: State;
  readonly journal: SqliteJournalReader;
  /** The time then, epoch milliseconds, by the test clock of then. */
  readonly nowMs: number;
}

type Computation = (past: Past) => PastFound<object> | Promise<PastFound<object>>;

const COMPUTATIONS: Readonly<Record<PastOrder["computes"], Computation>> = {
  nights: async ({ property, query, state, journal, nowMs }) => {
    const asked = askedNights(query, property, { state, nowMs });
    if (!asked.ok) return asked;
    const past = {
      state,
      row: (each: number) => journal.row(each),
      rowsBetween: journal.rowsBetween.bind(journal),
    };
    const nights = await nightsOf(property, asked, past, new AbortController().signal);
    return { ok: true, data: nightsData(property, asked, nights) };
  },
  explanation: ({ property, query, nowMs }) => {
    const asked = askedStay(query, property);
    return asked.ok ? { ok: true, data: explained(asked, nowMs) } : asked;
  },
};

async function found(order: PastOrder): Promise<PastFound<object>> {
  const { journal_path, row, at_ms, realm, property_id } = order;
  const db = openForReading(journal_path);
  const state = pastState(db, journal_path, row, property_id);
  const property = state.property(realm, property_id);
  if (!property) {
    const expected = "an event or instant after its creation";
    return invalid([{ path: "?as_of", message: "is before the property was created", expected }]);
  }
  const query = new Map(order.query);
  const nowMs = at_ms + state.clockOffsetMs(realm);
  const journal = new SqliteJournalReader(db);
  return COMPUTATIONS[order.computes]({ property, query, state, journal, nowMs });
}

const answer = await found(JSON.parse(process.argv[2] ?? "") as PastOrder);
await Bun.write(Bun.stdout, JSON.stringify(answer));
