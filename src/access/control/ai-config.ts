/**
 * How the advisor of a tenant and mode answers (domain §17). The whole configuration is one
 * authenticated ciphertext, the key of the model among it: a row that was changed, or moved to
 * another tenant, does not decrypt and counts as none, so the rules answer.
 */
import type { Mode, Realm } from "../../../engine/core/supply.ts";
import { decryptByVersion, encryptByVersion } from "../privacy/encryption.ts";
import type { KeyVersions } from "../privacy/key-versions.ts";
import type { ControlStore } from "./store.ts";

export interface AiTerms {
  readonly enabled: boolean;
  readonly provider: "rules" | "http";
  readonly model: string | null;
  /** Address of a chat completions endpoint. */
  readonly endpoint: string | null;
  readonly temperature: number;
  /** Earlier questions that the model is shown. */
  readonly max_turns: number;
  /** Topics that the model may answer; empty for all. */
  readonly allowed_topics: readonly string[];
  readonly tone: string | null;
  /** Told with every answer of the model. */
  readonly disclosure: string | null;
  readonly max_calls_per_day: number;
  /** Key of the endpoint; shown to nobody. */
  readonly secret: string | null;
}

export interface AiConfig extends AiTerms {
  /** Counts its changes, from 1 for the configuration that nobody has changed. */
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

/** The realm's configuration; the default where there is none, or it is damaged. */
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

/** Puts a configuration in the place of the realm's; it has the next version. */
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

/** The setting that lacks before the model can be asked; null when it can. */
export function missingForModel({ endpoint, model, secret }: AiTerms): string | null {
  if (endpoint === null) return "endpoint";
  if (model === null) return "model";
  return secret === null ? "secret" : null;
}
