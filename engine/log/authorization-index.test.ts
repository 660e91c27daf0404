/**
 * Goal: searches of authorizations by an index find what a filter over all of them finds.
 * Method: records of all agents, states and instants; each query is compared with the filter.
 */
import { expect, test } from "bun:test";
import type { Authorization } from "../core/authorization.ts";
import { stateAt } from "../core/authorization.ts";
import type { AuthorizationStateAt } from "../core/authorization-terms.ts";
import { type AuthorizationQuery, findAuthorizations, isLive } from "./authorization-index.ts";
import { BesideWriter } from "./beside-writer.ts";
import { RecordStore } from "./record-store.ts";
import { openForWriting } from "./schema.ts";

const AT = 1_000_000;
const STATES = ["pending", "approved", "consumed", "revoked"] as const;
const TENANTS = ["t1", "t2"] as const;
const MODES = ["live", "test"] as const;
const AGENTS = ["agt_ann", "agt_bob"] as const;
const PROPERTIES = ["p1", "p2"] as const;
/** Before, at and after the instant of the queries. */
const EXPIRIES = [AT - 1, AT, AT + 1] as const;

function everyCase(): Authorization[] {
  const found: Authorization[] = [];
  for (const tenant_id of TENANTS)
    for (const mode of MODES)
      for (const agent_id of AGENTS)
        for (const property_id of PROPERTIES)
          for (const expires_at of EXPIRIES)
            for (const state of STATES)
              found.push({
                ...{ tenant_id, mode, agent_id, property_id, expires_at, state },
                authorization_id: `aut_${String(found.length).padStart(4, "0")}`,
                ...{ room_type_id: "r", rate_plan_id: "f", guests: { adults: 2, children: [] } },
                stay: { check_in: "2027-01-01", check_out: "2027-01-02" },
                ...{ traveler_hash: null, asked: null, max_amount: 1, currency: "EUR" },
                requested_by: { kind: "agent", id: agent_id },
                ...{ created_at: 0, updated_at: 0 },
                ...{ approved: null, revoked: null, note: null, used: null },
              });
  return found;
}

const ALL = everyCase();
const idOf = ({ authorization_id }: Authorization) => authorization_id;

function opened() {
  const db = openForWriting(":memory:");
  const store = new RecordStore(db, () => null);
  for (const each of ALL) store.putAuthorization({ ...each });
  new BesideWriter(db).write(store.changes());
  store.clear();
  return { db, store };
}

test("operators find by state, agent, property and creation what a filter finds", () => {
  const { db } = opened();
  const realm = { tenant_id: "t1", mode: "live", atMs: AT, property_ids: null } as const;
  const whole = ["aut_", "aut_~"] as const;
  const states: readonly (AuthorizationStateAt | undefined)[] = [undefined, ...STATES, "expired"];
  const queries: AuthorizationQuery[] = states.flatMap((state) => {
    const by = { ...realm, ids: whole, ...(state && { state }) };
    return [
      by,
      { ...by, agent_id: "agt_bob" },
      { ...by, property_ids: ["p2"] },
      { ...by, property_ids: [] },
      { ...by, mode: "test" },
      { ...by, ids: ["aut_0010", "aut_0030"] },
    ];
  });
  for (const query of queries) {
    const { state, agent_id, property_ids, ids } = query;
    const expected = ALL.filter((each) => {
      return (
        each.tenant_id === query.tenant_id &&
        each.mode === query.mode &&
        (state === undefined || stateAt(each, AT) === state) &&
        (agent_id === undefined || each.agent_id === agent_id) &&
        (property_ids === null || property_ids.includes(each.property_id)) &&
        each.authorization_id >= ids[0] &&
        each.authorization_id < ids[1]
      );
    });
    const wanted = expected.map(idOf).reverse();
    expect(findAuthorizations(db, query, 1_000)).toEqual(wanted);
    expect(findAuthorizations(db, query, 3)).toHaveLength(Math.min(3, wanted.length));
  }
});

test("decisions find an agent's live ones, with the changes of the group", () => {
  const { store } = opened();
  const of = { tenant_id: "t1", mode: "live", agent_id: "agt_ann", atMs: AT } as const;
  const live = ALL.filter((each) => isLive(each, of));
  expect(live.length).toBeGreaterThan(0);
  expect(store.liveAuthorizations(of).map(idOf).sort()).toEqual(live.map(idOf).sort());
  const [first, ...others] = live;
  const another = { ...first!, authorization_id: "aut_9999" };
  store.putAuthorization({ ...first!, state: "consumed" });
  store.putAuthorization(another);
  const now = [...others, another].map(idOf).sort();
  expect(store.liveAuthorizations(of).map(idOf).sort()).toEqual(now);
  const everywhere = ALL.filter((each) => isLive(each, { ...each, atMs: AT }));
  const ids = everywhere.map(idOf).filter((id) => id !== first!.authorization_id);
  expect([...store.liveAuthorizationIds(AT)].sort()).toEqual([...ids, "aut_9999"].sort());
});

test("both searches go through an index", () => {
  const { db } = opened();
  const plan = (sql: string) =>
    db
      .query<{ detail: string }, []>(`EXPLAIN QUERY PLAN ${sql}`)
      .all()
      .map(({ detail }) => detail)
      .join();
  const live = `SELECT id FROM authorizations WHERE tenant_id = 't1' AND mode = 'live'
    AND agent_id = 'a' AND state IN ('pending', 'approved') AND expires_at > 1`;
  expect(plan(live)).toContain("authorizations_live");
  const byState = `SELECT id FROM authorizations INDEXED BY authorizations_state
    WHERE tenant_id = 't1' AND mode = 'live' AND state = 'pending' AND id >= 'a'`;
  expect(plan(byState)).toContain("authorizations_state");
});
