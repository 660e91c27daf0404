/** Goal: a hotel's page sells by the present rights of a marked agent, or not at all. */
import { expect, test } from "bun:test";
import type { PropertyEntry } from "../../../engine/core/state/state.ts";
import type { CredentialEntry } from "../../access/control/entries.ts";
import type { Principal } from "../../access/control/principal.ts";
import type { Context } from "../../http/context.ts";
import { sellerOf } from "./seller.ts";

const HOTEL = { tenant_id: "t1", tree: { id: "h1" } } as PropertyEntry;
const SCOPES = ["quotes", "holds", "bookings:write"];
const SCOPE_OF: Readonly<Record<string, string>> = {
  ...{ quote: "quotes", hold: "holds", create_checkout_session: "holds", book: "bookings:write" },
};

interface Terms {
  readonly scopes?: readonly string[];
  readonly property_ids?: readonly string[];
  readonly entry?: Partial<CredentialEntry>;
}

function entryOf({ scopes = SCOPES, property_ids, entry }: Terms): CredentialEntry {
  const principal = {
    ...{ agent_id: "agt_1", tenant_id: "t1", kind: "agent", credential_id: "crd_1" },
    ...{ scopes: new Set(scopes), property_ids: property_ids ? new Set(property_ids) : null },
  } as unknown as Principal;
  return {
    ...{ authenticated: { ok: true, principal }, state: "active", agent_state: "active" },
    ...{ sells_directly: true, valid_until: Infinity },
    ...entry,
  };
}

function soldBy(...terms: readonly Terms[]): Principal | null {
  const routeOf = (id: string) => {
    const access = { kinds: ["agent"], scope: SCOPE_OF[id], touches: "properties" };
    return { id, access };
  };
  const context = {
    control: { directSellers: () => terms.map(entryOf) },
    routes: { byId: routeOf },
    now: () => 1_000,
  };
  return sellerOf(context as unknown as Context, HOTEL);
}

test("only an agent that may quote, hold and book the hotel sells on its page", () => {
  expect(soldBy({})).not.toBeNull();
  expect(soldBy({ property_ids: ["h1", "h2"] })).not.toBeNull();
  expect(soldBy()).toBeNull();
  expect(soldBy({ property_ids: ["h2"] })).toBeNull();
  for (const missing of SCOPES) {
    expect(soldBy({ scopes: SCOPES.filter((scope) => scope !== missing) })).toBeNull();
  }
  for (const entry of [
    { agent_state: "suspended" },
    ...[{ state: "revoked" }, { agent_state: "revoked" }, { valid_until: 999 }],
  ] as const) {
    expect(soldBy({ entry })).toBeNull();
    expect(soldBy({ entry }, {})).not.toBeNull();
  }
});
