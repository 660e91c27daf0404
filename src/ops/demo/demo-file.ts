/**
 * `DATA_DIR/demo.json`: credentials and properties to start with. It holds secrets, so only its
 * owner may read it.
 */
import { readFile, rename, writeFile } from "node:fs/promises";
import type { JWK } from "jose";
import type { Mode } from "../../../engine/core/supply.ts";
import { refusedStart } from "../../lib/refused-starts.ts";

export interface DemoAgent {
  readonly agent_id: string;
  readonly secret: string;
}

/** Signs delegation tokens; `private_jwk` has its `alg`. */
export interface DemoDelegation {
  readonly iss: string;
  readonly aud: string;
  readonly alg: string;
  readonly kid: string;
  readonly private_jwk: JWK;
}

export interface DemoProperty {
  readonly id: string;
  readonly slug: string;
  readonly mode: Mode;
}

/** `properties` are the first tenant's. */
export interface DemoFile {
  readonly base_url: string;
  readonly tenant_id: string;
  readonly admin: DemoAgent;
  readonly agent: DemoAgent;
  readonly test_agent: DemoAgent;
  readonly test_admin: DemoAgent;
  readonly second_tenant: {
    readonly tenant_id: string;
    readonly admin: DemoAgent;
    readonly agent: DemoAgent;
  };
  readonly delegation: DemoDelegation;
  readonly properties: readonly DemoProperty[];
}

/**
 * Reads the file of `writeDemoFile`. Throws when it is missing.
 *
 * @throws StartRefused when it is damaged.
 */
export async function readDemoFile(path: string): Promise<DemoFile> {
  const text = await readFile(path, "utf8");
  try {
    const file: unknown = JSON.parse(text);
    if (typeof file === "object" && file !== null) return file as DemoFile;
  } catch {
    // Invalid JSON is refused below, like a wrong shape.
  }
  throw refusedStart("demo_damaged", { file: path });
}

/** Replaces the file atomically (mode 0600). */
export async function writeDemoFile(path: string, file: DemoFile): Promise<void> {
  const draft = `${path}.${process.pid}.tmp`;
  await writeFile(draft, `${JSON.stringify(file, null, 2)}\n`, { mode: 0o600, flush: true });
  await rename(draft, path);
}
