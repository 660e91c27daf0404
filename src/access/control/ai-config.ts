/**
 * AI configuration of a tenant and mode. The row is one authenticated ciphertext,
 * including the model's key: a changed or moved row does not decrypt and counts as absent, so the
 * rules answer.
 */
import type { Mode, Realm } from "../../../engine/core/supply.ts";
import { decryptByVersion, encryptByVersion } from "../privacy/encryption.ts";
import type { KeyVersions } from "../privacy/key-versions.ts";
import type { ControlStore } from "./store.ts";

export interface AiTerms {
  readonly enabled: boolean;
  readonly provider: "rules" | "http";
  readonly model: string | null;
  /** A chat completions endpoint. */
  readonly endpoint: string | null;
  readonly temperature: number;
  /** Earlier questions sent to the model. */
  readonly max_turns: number;
  /** Topics the model may answer; empty for all. */
  readonly allowed_topics: readonly string[];
  readonly tone: string | null;
  /** Sent with every answer of the model. */
  readonly disclosure: string | null;
  readonly max_calls_per_day: number;
  /** Key of the endpoint; never returned. */
  readonly secret: string | null;
}

export interface AiConfig extends AiTerms {
  /** 1 for the default. */
  readonly version: number;
}

const DEFAULT: AiConfig = {
  ...{ enabled: false, provider: "rules", model: null, endpoint: null, temperature: 0.2 },
  ...{ max_turns: 10, allowed_topics: [], tone: null, disclosure: null },
  ...{ max_calls_per_day: 1_000, secret: null, version: 1 },
};

interface Row {
  readonly version: number;
  readonly encrypted: string;
}

function contextOf({ tenant_id, mode }: Realm): readonly string[] {
  return ["ai-config", tenant_id, mode];
}

/** The realm's configuration; the default when absent or damaged. */
export function aiConfigOf(store: ControlStore, keys: KeyVersions, realm: Realm): AiConfig {
  const { tenant_id, mode } = realm;
  const select = "SELECT version, encrypted FROM ai_config WHERE tenant_id = ? AND mode = ?";
  const row = store.db.query<Row, [string, Mode]>(select).get(tenant_id, mode);
  if (row === null) return DEFAULT;
  try {
    const text = decryptByVersion(keys, row.encrypted, contextOf(realm)).toString("utf8");
    return { ...DEFAULT, ...(JSON.parse(text) as AiConfig) };
  } catch {
    return { ...DEFAULT, version: row.version };
  }
}

/** Replaces the realm's configuration under the next version. */
export function setAiConfig(
  store: ControlStore,
  keys: KeyVersions,
  realm: Realm,
  terms: AiTerms,
): AiConfig {
  return store.write(() => {
    const config = { ...terms, version: aiConfigOf(store, keys, realm).version + 1 };
    const text = Buffer.from(JSON.stringify(config));
    const encrypted = encryptByVersion(keys, text, contextOf(realm));
    const upsert = `INSERT INTO ai_config VALUES (?, ?, ?, ?)
      ON CONFLICT DO UPDATE SET version = excluded.version, encrypted = excluded.encrypted`;
    store.db.query(upsert).run(realm.tenant_id, realm.mode, config.version, encrypted);
    return config;
  });
}

/** The missing setting before the model can be asked, else null. */
export function missingForModel({ endpoint, model, secret }: AiTerms): string | null {
  if (endpoint === null) return "endpoint";
  if (model === null) return "model";
  return secret === null ? "secret" : null;
}
