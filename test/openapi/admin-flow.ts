/** The walk of `flow.ts` through the work of an operator: who may do what. */
import { mintDelegation } from "../../src/ops/demo/mint-delegation.ts";
import { newKey } from "../support/client.ts";
import type { Options } from "../support/service.ts";
import type { Recorder } from "./recorder.ts";
import { administerWebhooks } from "./webhook-flow.ts";

/** Agents and their credentials, people, issuers, and what an operator reads. */
export async function administer(on: Recorder): Promise<void> {
  const { admin: agent } = on.service.demo;
  const as = (body?: unknown) => ({ agent, ...(body === undefined ? {} : { body }) });
  (await on.call("GET", "/v1/admin/audit/anchor", as())).ok();
  (await on.call("POST", "/v1/admin/console-links", as())).ok(201);
  (await on.call("GET", "/v1/admin/ai-config", as())).ok();
  const ai = { enabled: true, provider: "rules", disclosure: "Answered by software." };
  (await on.call("PUT", "/v1/admin/ai-config", as(ai))).ok();
  (await on.call("GET", "/v1/admin/events/kinds", as())).ok();
  (await on.call("GET", "/v1/admin/events?kinds=booking.cancelled", as())).ok();
  const agents = "/v1/admin/agents";
  type Created = { agent_id: string; credential: { credential_id: string } };
  const made = { name: "Trip planner", kind: "agent", contact: "ops@example.com" };
  const created = (await on.call("POST", agents, as(made))).ok<Created>(201).data;
  const path = `${agents}/${created.agent_id}`;
  (await on.call("GET", agents, as())).ok();
  (await on.call("GET", path, as())).ok();
  (await on.call("PATCH", path, as({ limits: { rpm: 600 } }))).ok();
  const issued = (await on.call("POST", `${path}/credentials`, as())).ok<Created>(201);
  const first = `${path}/credentials/${created.credential.credential_id}`;
  (await on.call("POST", `${first}/rotate`, as({ overlap_s: 3600 }))).ok(201);
  const second = `${path}/credentials/${issued.data.credential.credential_id}`;
  (await on.call("DELETE", second, as())).ok();
  const unknown = `${path}/credentials/crd_unknown`;
  (await on.call("DELETE", unknown, as())).refused("credential_not_found");
  (await on.call("DELETE", path, as())).ok();
  (await on.call("GET", `${agents}/agt_unknown`, as())).refused("agent_not_found");
  await administerPeople(on, as);
  await administerIssuers(on, as);
  await administerWebhooks(on, as);
}

async function administerPeople(on: Recorder, as: (body?: unknown) => Options): Promise<void> {
  const people = "/v1/admin/people";
  const scopes = ["bookings:read", "bookings:cancel", "admin:bookings", "admin:ari"];
  const made = { name: "Eva Lindgren", email: "eva@hotel.example.com", scopes };
  const created = await on.call("POST", people, as(made));
  const path = `${people}/${created.ok<{ person_id: string }>(201).data.person_id}`;
  (await on.call("GET", people, as())).ok();
  (await on.call("GET", path, as())).ok();
  (await on.call("POST", `${path}/links`, as())).ok(201);
  (await on.call("PATCH", path, as({ state: "suspended" }))).ok();
}

async function administerIssuers(on: Recorder, as: (body?: unknown) => Options): Promise<void> {
  const issuers = "/v1/admin/delegation-issuers";
  const { private_jwk, kid } = on.service.demo.delegation;
  const { d: _private, ...jwk } = private_jwk;
  const made = {
    iss: `https://id.example.com/${newKey()}`,
    name: "Example identity",
    jwks: { keys: [{ ...jwk, kid }] },
  };
  const created = (await on.call("POST", issuers, as(made))).ok<{ issuer_id: string }>(201);
  const path = `${issuers}/${created.data.issuer_id}`;
  (await on.call("GET", issuers, as())).ok();
  (await on.call("GET", path, as())).ok();
  (await on.call("PATCH", path, as({ max_ttl_s: 300 }))).ok();
  const claims = { sub: "traveler-1", ttlS: 120 };
  const token = await mintDelegation({ ...on.service.demo.delegation, iss: made.iss }, claims);
  (await on.call("POST", `${path}/test`, as({ token }))).ok();
  for (const step of ["suspend", "activate", "revoke"]) {
    (await on.call("POST", `${path}/${step}`, as())).ok();
  }
  (await on.call("DELETE", path, as())).ok();
  const unknown = `${issuers}/iss_unknown`;
  (await on.call("GET", unknown, as())).refused("delegation_issuer_not_found");
}
