/** Goal: uses reach the store without delaying a request, and a lock loses none. */
import { afterAll, expect, test } from "bun:test";
import { createAgent } from "./agents.ts";
import { issueCredential, listCredentials } from "./credentials.ts";
import { LastUsed } from "./last-used.ts";
import { openControlStore } from "./store.ts";
import { openTestControl } from "./test-control.ts";

const control = openTestControl();
const { store, tenantId } = control;
afterAll(control.close);

const agentId = createAgent(store, tenantId, { name: "a", kind: "agent", mode: "live" });
const { credential_id } = issueCredential(store, agentId);
const lastUsedMs = () => listCredentials(store, agentId, 0)[0]!.last_used_at;

test("the last use is written with the next write, and at the stop", () => {
  const lastUsed = new LastUsed(store, () => {});
  lastUsed.note(credential_id, 1_000);
  lastUsed.note(credential_id, 2_000);
  expect(lastUsedMs()).toBeNull();
  lastUsed.write();
  expect(lastUsedMs()).toBe(2_000);
  lastUsed.note(credential_id, 3_000);
  lastUsed.note("crd_unknown", 3_000);
  lastUsed.stop();
  expect(lastUsedMs()).toBe(3_000);
});

test("a last use that cannot be written under another writer's lock is written later", () => {
  const errors: unknown[] = [];
  const lastUsed = new LastUsed(store, (error) => errors.push(error));
  const other = openControlStore(store.path, "pepper");
  lastUsed.note(credential_id, 4_000);
  other.write(() => lastUsed.write());
  expect(errors).toHaveLength(1);
  expect(lastUsedMs()).toBe(3_000);
  other.close();
  lastUsed.stop();
  expect(lastUsedMs()).toBe(4_000);
});
