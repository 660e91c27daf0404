/** A control store in its own directory, with one tenant, for unit tests. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Realm } from "../../../engine/core/supply.ts";
import { type ControlStore, openControlStore } from "./store.ts";
import { createTenant } from "./tenants.ts";
import { ControlView } from "./view.ts";

export interface TestControl {
  readonly store: ControlStore;
  readonly view: ControlView;
  readonly tenantId: string;
  /** The tenant in mode live. */
  readonly realm: Realm;
  readonly close: () => void;
}

/** Opens store and view on a fresh file, with JWKS over loopback http; `close` removes them. */
export function openTestControl(): TestControl {
  const directory = mkdtempSync(join(tmpdir(), "innkeep-control-"));
  const store = openControlStore(join(directory, "control.db"), "pepper");
  const tenantId = createTenant(store, "Test hotels");
  const realm = { tenant_id: tenantId, mode: "live" } as const;
  const view = new ControlView(store, { allowPrivate: true });
  const close = () => {
    view.stop();
    store.close();
    rmSync(directory, { recursive: true });
  };
  return { store, view, tenantId, realm, close };
}
