/**
 * `POST /demo/visitors`: in a demo, a new agent's key and the consent of an invented traveler, to
 * try the reference and make a first booking. Visitors cannot see each other or administer
 * anything.
 */
import { Type } from "@sinclair/typebox";
import { dateOf } from "../../../engine/core/calendar.ts";
import { countAgents, createAgent } from "../../access/control/agents.ts";
import { issueCredential } from "../../access/control/credentials.ts";
import type { ControlStore } from "../../access/control/store.ts";
import { post } from "../../actions/next-action.ts";
import { type Refusal, refuse, type Success } from "../../http/answer.ts";
import type { PublicCall } from "../../http/call.ts";
import type { DemoDesk } from "../../http/context.ts";
import { announce, storeWrite } from "../../http/control-write.ts";
import { route } from "../../http/route.ts";
import { Id, Instant, named, Uuid } from "../../http/schema/answer-parts.ts";
import { unknownPath } from "../../http/unrouted.ts";
import { busiestCity, firstStay, placesOf } from "./demo-search.ts";

const DAY_MS = 86_400_000;
const VISIT_S = 86_400;
/** Bounds the agents of a public demo. */
const VISITORS_A_DAY = 500;
/** Bounds the share of one address. */
const PER_ADDRESS_A_DAY = 20;
const NAME = "Visitor";
const LIMITS = { rpm: 240, burst: 60, max_open_holds: 5, max_open_quotes: 100 } as const;

const VisitorKey = named("VisitorKey", "What a visitor of a demo needs to book.", {
  agent_key: Type.String({ description: "For `Authorization: Bearer`." }),
  agent_id: Id,
  tenant_id: Uuid,
  traveler: Type.String({ description: "The consenting traveler, an invented name." }),
  delegation_token: Type.String({ description: "Their consent, for `X-Delegated-User`." }),
  expires_at: Instant,
});

/** A search with results: the city with most hotels. */
function firstSearch({ context }: PublicCall, { tenant_id }: DemoDesk) {
  const city = busiestCity(placesOf(context.replica.state, tenant_id));
  const { fromDay, toDay } = firstStay(context.engineNow());
  return {
    destination: { type: "area", value: city },
    stay: { check_in: dateOf(fromDay), check_out: dateOf(toDay) },
    guests: { adults: 2, children: [] },
  };
}

/** The maximum of the demo's issuer, and at most a visit. */
function visitSeconds({ context }: PublicCall, { tenant_id, iss }: DemoDesk): number {
  const issuer = context.control.issuer({ tenant_id, mode: "live" }, iss);
  return Math.min(VISIT_S, issuer?.max_ttl_s ?? VISIT_S);
}

/** The new agent and its secret; null at the daily limit. */
function newVisitor(store: ControlStore, tenantId: string, nowMs: number, expiresAtMs: number) {
  const today = { name: NAME, sinceMs: nowMs - DAY_MS };
  if (countAgents(store, tenantId, today) >= VISITORS_A_DAY) return null;
  const terms = { name: NAME, kind: "agent", mode: "live", limits: LIMITS } as const;
  const agent_id = createAgent(store, tenantId, terms);
  return { agent_id, ...issueCredential(store, agent_id, expiresAtMs) };
}

async function welcome(call: PublicCall): Promise<Success | Refusal> {
  const desk = await call.context.demo();
  if (desk === null) return unknownPath(call.path);
  const { tenant_id } = desk;
  const nowMs = call.context.now();
  const seconds = visitSeconds(call, desk);
  const expiresAtMs = nowMs + seconds * 1000;
  const written = storeWrite(call, (store) => newVisitor(store, tenant_id, nowMs, expiresAtMs));
  if (!written.ok) return written;
  if (written.done === null) {
    return refuse(
      "rate_limited",
      { policy: "all_visitors", limit: VISITORS_A_DAY, window_s: VISIT_S },
      { retry_after: 3600 },
    );
  }
  await announce(call);
  const { agent_id, secret } = written.done;
  const traveler = `traveler-of-${agent_id}`;
  const data = {
    ...{ agent_key: secret, agent_id, tenant_id, traveler },
    delegation_token: await desk.consentOf(traveler, seconds),
    expires_at: new Date(expiresAtMs).toISOString(),
  };
  const actions = [post("search", "/v1/search", firstSearch(call, desk))];
  return { ok: true, status: 201, data, actions };
}

export const visitorRoutes = [
  route({
    id: "create_demo_visitor",
    tag: "Documentation",
    method: "POST",
    path: "/demo/visitors",
    summary: "A key to try the demo with",
    description:
      "Demo installations only (`DEMO=1`); elsewhere there is no such path. An agent of your own " +
      "in the demo's tenant, with every scope that is not administration, and the consent of an " +
      `invented traveler. Both end within a day. No card is charged. ${PER_ADDRESS_A_DAY} visitors a ` +
      `day may come from one address, ${VISITORS_A_DAY} from all.`,
    access: "public",
    addressLimit: { name: "visitors", perDay: PER_ADDRESS_A_DAY },
    readsReplica: true,
    success: { status: 201, description: "The key and the consent.", data: VisitorKey },
    errors: [],
    hasUnlistedIds: true,
    handle: welcome,
  }),
];
