/**
 * Goal: the cost of a page depends on the rows near its first event, not on the journal's size.
 * Method: a real journal of two tenants, one quiet between thousands of rows of the other; the
 * rows that a page reads are counted.
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { MARKED_ROWS } from "../../../engine/core/state/event-rows.ts";
import { Replica } from "../../../engine/log/replica.ts";
import { commandMeta, OTHER_TENANT, REALM, TENANT } from "../../../test/support/builders.ts";
import { LoneEngine } from "../../../test/support/lone-engine.ts";
import { type EventsAsked, readEvents } from "./reader.ts";

const QUIET = { ...REALM, tenant_id: OTHER_TENANT };
/** Of the busy tenant between two of the quiet one. */
const BETWEEN = 4_000;
const EVENTS = 5 * BETWEEN;
/** Of a page, and what is near its first event. */
const ROWS_MAX = 16_384 + MARKED_ROWS;
const EACH = { limit: 100, filter: { kinds: null, subject: null, property_ids: null } };

let lone: LoneEngine;
let replica: Replica;

const happens = (tenant_id: string, nth: number) => ({
  ...commandMeta({ tenant_id }),
  ...({ type: "SetFxRates", base: "EUR", rates: { USD: `1.${nth}` } } as const),
});

beforeAll(() => {
  lone = new LoneEngine();
  for (let nth = 1; nth <= 5; nth += 1) {
    lone.decide([happens(OTHER_TENANT, nth)]);
    lone.decide(Array.from({ length: BETWEEN }, (_, i) => happens(TENANT, i)));
  }
  replica = new Replica(lone.journalPath);
  while (!replica.catchUp(1_000));
});
afterAll(() => {
  replica.close();
  lone.close();
});

/** A page, and how many rows it had looked at. */
async function counted(asked: Pick<EventsAsked, "realm" | "afterSeq"> & Partial<EventsAsked>) {
  let rows = 0;
  const counting = new Proxy(replica, {
    get(of, name) {
      if (name === "rowsBetween") {
        return (...[first, last, words]: Parameters<Replica["rowsBetween"]>) => {
          rows += last - first + 1;
          return of.rowsBetween(first, last, words);
        };
      }
      return Reflect.get(of, name, of);
    },
  });
  const { items, lastSeq } = await readEvents(counting, { ...EACH, ...asked });
  return { seqs: items.map(({ seq }) => seq), lastSeq, rows };
}

test("a page from any position reads few rows, however many there are", async () => {
  for (const afterSeq of [0, 1, 255, 256, 7_000, EVENTS - 1]) {
    const { seqs, rows } = await counted({ realm: REALM, afterSeq });
    const left = Math.min(EACH.limit, EVENTS - afterSeq);
    expect(seqs).toEqual(Array.from({ length: left }, (_, i) => afterSeq + 1 + i));
    expect(rows).toBeLessThan(1_000);
  }
});

test("a quiet tenant's next event is found without reading rows of other tenants", async () => {
  for (const afterSeq of [0, 1, 2, 3, 4]) {
    const { seqs, rows } = await counted({ realm: QUIET, afterSeq, limit: 1 });
    expect(seqs).toEqual([afterSeq + 1]);
    expect(rows).toBeLessThanOrEqual(MARKED_ROWS);
  }
  expect((await counted({ realm: QUIET, afterSeq: 5 })).rows).toBe(0);
});

test("a page that finds nothing ends at its bound and reports its position", async () => {
  const filter = { ...EACH.filter, kinds: new Set(["booking.confirmed"]) };
  const first = await counted({ realm: REALM, afterSeq: 0, filter });
  expect(first.seqs).toEqual([]);
  expect(first.rows).toBeLessThan(ROWS_MAX);
  expect(first.lastSeq).toBeGreaterThan(16_000);
  expect(first.lastSeq).toBeLessThan(EVENTS);
  const second = await counted({ realm: REALM, afterSeq: first.lastSeq, filter });
  expect([second.seqs, second.lastSeq]).toEqual([[], EVENTS]);
  expect(first.rows + second.rows).toBeLessThan(EVENTS + 1_000);
});
