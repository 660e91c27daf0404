/** Tenants, and flags of the installation. */
import { selectOf, soundRows, stamp } from "./checked-rows.ts";
import type { ControlStore } from "./store.ts";

/** Creates a tenant and returns its id, a UUID. */
export function createTenant(store: ControlStore, name: string): string {
  const tenantId = Bun.randomUUIDv7();
  store.write(() => {
    store.db
      .query("INSERT INTO tenant (tenant_id, name, created_at) VALUES (?, ?, ?)")
      .run(tenantId, name, Date.now());
    stamp(store.db, "tenant", tenantId);
  });
  return tenantId;
}

export interface Tenant {
  readonly tenant_id: string;
  readonly name: string;
  /** Epoch milliseconds. */
  readonly created_at: number;
}

/** All tenants, newest first. */
export function listTenants(store: ControlStore): Tenant[] {
  const select = `${selectOf("tenant")} ORDER BY created_at DESC, tenant_id DESC`;
  return soundRows("tenant", store.db.query<Tenant, []>(select).all());
}

/** True when at least one tenant exists. */
export function hasTenants(store: ControlStore): boolean {
  return store.db.query("SELECT 1 FROM tenant LIMIT 1").get() !== null;
}

/** Sets a flag of the installation, e.g. `demo_seeded`. */
export function setFlag(store: ControlStore, name: string): void {
  store.write(() =>
    store.db.query("INSERT OR REPLACE INTO meta (name, value) VALUES (?, 'true')").run(name),
  );
}

/** True when the flag was set. */
export function hasFlag(store: ControlStore, name: string): boolean {
  return store.db.query("SELECT 1 FROM meta WHERE name = ?").get(name) !== null;
}
