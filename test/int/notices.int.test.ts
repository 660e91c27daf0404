/**
 * Goal: what operators change about credentials and issuers stands in the tenant's journal, once,
 * whatever dies in between. Method: two api processes, whose outboxes both send; the engine is away
 * while changes are made; the journal is read row by row.
 */
import { expect, test } from "bun:test";
import { join } from "node:path";
import type { Row } from "../../engine/core/events/event.ts";
import { Replica } from "../../engine/log/replica.ts";
import { pendingNotices } from "../../src/access/control/notices.ts";
import { until } from "../support/service.ts";
import { serviceOfFile } from "../support/service-of-file.ts";

const ISSUERS = "/v1/admin/delegation-issuers";
const KINDS = ["credential.rotated", "delegation_issuer.status_changed"];

const service = await serviceOfFile({ API_PROCESSES: "2" });

async function admin<Data>(method: string, path: string, body?: object, status = 200) {
  const options = { agent: service.demo.admin, ...(body ? { body } : {}) };
  const { data, trace_id } = (await service.api(method, path, options)).ok<Data>(status);
  return { ...data, trace_id };
}

/** Rows of the journal that tell of the control plane. */
function noticed(): Row[] {
  const replica = new Replica(join(service.dataDir, "engine", "0.db"));
  const rows = Array.from({ length: replica.head.row }, (_, i) => replica.row(i + 1)!);
  replica.close();
  return rows.filter(({ events }) => KINDS.includes(events[0]?.type ?? ""));
}

async function untilSent(): Promise<void> {
  await until("the outbox is empty", () => service.control(pendingNotices).length === 0);
}

interface NewAgent {
  readonly agent_id: string;
  readonly credential: { readonly credential_id: string };
}

async function rotate() {
  const agent = { name: "Rotated", kind: "agent" };
  const made = await admin<NewAgent>("POST", "/v1/admin/agents", agent, 201);
  const { agent_id, credential } = made;
  const at = `/v1/admin/agents/${agent_id}/credentials/${credential.credential_id}/rotate`;
  return {
    previous_credential_id: credential.credential_id,
    ...(await admin<NewAgent>("POST", at, { overlap_s: 60 }, 201)),
  };
}

test("a rotation and a change of status are events of the tenant, by whom they were made", async () => {
  const { agent_id, credential, previous_credential_id, trace_id } = await rotate();
  const jwks_url = "https://keys.example.com/jwks";
  const issuer = { iss: "https://noticed.example", name: "Noticed", jwks_url };
  const { issuer_id } = await admin<{ issuer_id: string }>("POST", ISSUERS, issuer, 201);
  for (const verb of ["suspend", "suspend", "revoke"]) {
    await admin("POST", `${ISSUERS}/${issuer_id}/${verb}`);
  }
  await untilSent();
  const rows = noticed();
  const { tenant_id, admin: operator } = service.demo;
  for (const row of rows) {
    expect(row).toMatchObject({ tenant_id, mode: "live" });
    expect(row.actor).toEqual({ kind: "operator", id: operator.agent_id });
  }
  expect(rows[0]).toMatchObject({ trace_id });
  const { credential_id } = credential;
  const { iss } = issuer;
  const changed = (status: string, previous_status: string) => {
    return { issuer_id, iss, status, previous_status };
  };
  expect(rows.map(({ events }) => events[0]!.data) as unknown[]).toEqual([
    { agent_id, credential_id, previous_credential_id, retire_at: expect.any(String) },
    changed("suspended", "active"),
    changed("revoked", "suspended"),
  ]);
});

test("a change of an issuer is an event of the mode that the issuer belongs to", async () => {
  const before = noticed().length;
  const { tenant_id, test_admin: agent } = service.demo;
  const body = { iss: "https://of-tests.example", name: "T", jwks_url: "https://k.example.com/" };
  const made = await service.api("POST", ISSUERS, { agent, body });
  const { issuer_id } = made.ok<{ issuer_id: string }>(201).data;
  (await service.api("POST", `${ISSUERS}/${issuer_id}/suspend`, { agent })).ok();
  await untilSent();
  const rows = noticed().slice(before);
  expect(rows).toMatchObject([{ tenant_id, mode: "test", actor: { id: agent.agent_id } }]);
  expect(rows[0]!.events[0]!.data).toMatchObject({ issuer_id, status: "suspended" });
});

test("changes are made while the engine is down and reported once it is back", async () => {
  const before = noticed().length;
  const { supervisor, engine } = service.pids;
  process.kill(supervisor!, "SIGSTOP");
  process.kill(engine!, "SIGKILL");
  const agents: string[] = [];
  for (let i = 0; i < 3; i += 1) agents.push((await rotate()).agent_id);
  expect(service.control(pendingNotices)).toHaveLength(3);
  process.kill(supervisor!, "SIGCONT");
  await untilSent();
  const told = noticed().slice(before);
  const subjects = told.map(({ events }) => (events[0]!.data as { agent_id: string }).agent_id);
  expect(subjects).toEqual(agents);
});
