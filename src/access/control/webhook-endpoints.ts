/**
 * Webhook endpoints of a tenant and mode. Secrets and custom header values are stored
 * encrypted, each bound to its endpoint.
 */
import { randomBytes } from "node:crypto";
import type { Mode, Realm } from "../../../engine/core/supply.ts";
import type { Endpoint } from "../../../jobs/webhooks/endpoint.ts";
import { kindsOf } from "../../../jobs/webhooks/send/ota.ts";
import { decryptByVersion, encryptByVersion } from "../privacy/encryption.ts";
import type { KeyVersions } from "../privacy/key-versions.ts";
import { type DamagedRow, selectOf, soundRow, soundRows, stamp } from "./checked-rows.ts";
import { type ControlStore, newId } from "./store.ts";

/** The tenant's settings; see `Endpoint`. */
export interface EndpointTerms
  extends Pick<Endpoint, "url" | "format" | "ota" | "kinds" | "property_ids" | "subjects">,
    Pick<Endpoint, "scopes" | "max_in_flight" | "max_per_s" | "ordering"> {
  readonly description: string | null;
}

/** Whether events are sent. `ping_pending`: a ping is under way. */
export type Standing =
  | { readonly state: "active"; readonly reason: null }
  | { readonly state: "paused"; readonly reason: "operator" | "ping_pending" | "ping_failed" }
  | { readonly state: "disabled"; readonly reason: "operator" | "gone" | "failing" | "backlog" };

/** Result of the last ping. */
export interface Ping {
  readonly ok: boolean;
  readonly reason: string | null;
  /** HTTP status, if any. */
  readonly status: number | null;
  /** RFC 3339. */
  readonly at: string;
}

interface StoredSecret {
  readonly encrypted: string;
  readonly last4: string;
  /** Epoch milliseconds, as the one below. */
  readonly created_at: number;
  /** End of its signing period; null for the newest. */
  readonly retire_at: number | null;
}

/** An endpoint as stored, with its secrets encrypted. */
export interface StoredEndpoint extends Realm, EndpointTerms {
  readonly endpoint_id: string;
  readonly state: Standing["state"];
  readonly reason: Standing["reason"];
  /** Custom headers: name → encrypted value. */
  readonly headers: Readonly<Record<string, string>>;
  /** Newest first. */
  readonly secrets: readonly StoredSecret[];
  readonly ping: Ping | null;
  /** Epoch milliseconds; null once it has accepted an event again. */
  readonly disabled_at: number | null;
  readonly after_row: number;
  readonly created_at: number;
  readonly version: number;
}

/** Missing members stay. */
export type EndpointChange = Partial<
  EndpointTerms & Pick<StoredEndpoint, "headers" | "secrets" | "ping" | "disabled_at" | "after_row">
> &
  (Standing | { readonly state?: never });

interface EndpointRow
  extends Omit<
    StoredEndpoint,
    "kinds" | "property_ids" | "subjects" | "headers" | "secrets" | "scopes" | "ping" | "ota"
  > {
  readonly kinds: string | null;
  readonly property_ids: string | null;
  readonly subjects: string | null;
  readonly headers: string;
  readonly secrets: string;
  readonly scopes: string;
  readonly ping: string | null;
  readonly ota: string | null;
}

/** 192 bits, a whole number of base64 characters (Standard Webhooks: 24 to 64 bytes). */
const SECRET_BYTES = 24;
const SECRET_PREFIX = "whsec_";

function listText(list: readonly string[] | null): string | null {
  return list === null ? null : JSON.stringify(list);
}

function endpointOf(row: EndpointRow): StoredEndpoint {
  const parsed = (text: string | null) => (text === null ? null : JSON.parse(text));
  return {
    ...row,
    ota: parsed(row.ota),
    // The kinds of a message format come from the code, not the file.
    kinds: kindsOf(row.format) ?? parsed(row.kinds),
    property_ids: parsed(row.property_ids),
    subjects: parsed(row.subjects),
    headers: parsed(row.headers),
    secrets: parsed(row.secrets),
    scopes: row.scopes.split(" ").filter((scope) => scope !== ""),
    ping: parsed(row.ping),
  };
}

function secretContext(endpointId: string): readonly string[] {
  return ["webhook-secret", endpointId];
}

function headerContext(endpointId: string, name: string): readonly string[] {
  return ["webhook-header", endpointId, name.toLowerCase()];
}

/** A new secret: in plain text, shown once, and as stored. */
export function newSecret(masters: KeyVersions, endpointId: string, nowMs: number) {
  const secret = SECRET_PREFIX + randomBytes(SECRET_BYTES).toString("base64");
  const encrypted = encryptByVersion(masters, Buffer.from(secret), secretContext(endpointId));
  const last4 = secret.slice(-4);
  const kept: StoredSecret = { encrypted, last4, created_at: nowMs, retire_at: null };
  return { secret, kept };
}

/** Encrypts each value of an endpoint's custom headers. */
export function encryptHeaders(
  masters: KeyVersions,
  endpointId: string,
  headers: Readonly<Record<string, string>>,
): Record<string, string> {
  const encrypted = Object.entries(headers).map(([name, value]) => {
    return [
      name,
      encryptByVersion(masters, Buffer.from(value), headerContext(endpointId, name)),
    ] as const;
  });
  return Object.fromEntries(encrypted);
}

/** An endpoint with decrypted secrets at `nowMs`. Throws when the master key is another one. */
export function openEndpoint(
  masters: KeyVersions,
  stored: StoredEndpoint,
  nowMs: number,
): Endpoint {
  const { endpoint_id, headers, secrets } = stored;
  const opened = (encrypted: string, context: readonly string[]) =>
    decryptByVersion(masters, encrypted, context).toString("utf8");
  const values = Object.entries(headers).map(([name, encrypted]) => {
    return [name, opened(encrypted, headerContext(endpoint_id, name))] as const;
  });
  return {
    ...unopened(stored),
    headers: Object.fromEntries(values),
    secrets: secrets
      .filter(({ retire_at }) => retire_at === null || nowMs < retire_at)
      .map(({ encrypted }) => opened(encrypted, secretContext(endpoint_id))),
  };
}

/**
 * All endpoints by id; an unchanged one is the object of `known`. A damaged one is paused without
 * secrets, so that its deliveries wait.
 */
export function allEndpoints(
  db: ControlStore["db"],
  known: (endpointId: string) => StoredEndpoint | undefined,
  onDamaged: (damaged: DamagedRow) => void,
): StoredEndpoint[] {
  const select = `${selectOf("webhook_endpoint")} ORDER BY endpoint_id`;
  return db
    .query<EndpointRow, []>(select)
    .all()
    .map((row) => {
      const [sound] = soundRows("webhook_endpoint", [row], onDamaged);
      if (!sound) return damagedEndpoint(row);
      const same = known(sound.endpoint_id);
      return same?.version === sound.version ? same : endpointOf(sound);
    });
}

function damagedEndpoint(row: EndpointRow): StoredEndpoint {
  const nothing = { ota: null, kinds: [], property_ids: [], subjects: [], scopes: [], ping: null };
  return {
    ...{ ...row, ...nothing, headers: {}, secrets: [] },
    ...{ state: "paused", reason: "operator", version: DAMAGED_VERSION },
  };
}

/** Differs from every version, so that a repaired endpoint is read again. */
const DAMAGED_VERSION = 0;

/** An endpoint whose secrets cannot be decrypted: its events wait. */
export function unreadableEndpoint(stored: StoredEndpoint): Endpoint {
  return { ...unopened(stored), state: "paused", headers: {}, secrets: [] };
}

function unopened(stored: StoredEndpoint): Omit<Endpoint, "headers" | "secrets"> {
  const { endpoint_id, tenant_id, mode, url, format, ota, kinds, property_ids, subjects } = stored;
  const { scopes, max_in_flight, max_per_s, ordering, state, after_row, version } = stored;
  return {
    ...{ endpoint_id, tenant_id, mode, url, format, ota, kinds, property_ids, subjects, scopes },
    ...{ max_in_flight, max_per_s, ordering, state, after_row, version },
  };
}

interface NewEndpoint extends EndpointTerms {
  readonly headers: Readonly<Record<string, string>>;
  readonly after_row: number;
}

/** Creates an endpoint, paused until it answers a ping; its secret is shown once. */
export function addEndpoint(
  store: ControlStore,
  masters: KeyVersions,
  { tenant_id, mode }: Realm,
  { headers, ...terms }: NewEndpoint,
  nowMs: number,
): { readonly endpoint_id: string; readonly secret: string } {
  const endpoint_id = newId("whe");
  const { secret, kept } = newSecret(masters, endpoint_id, nowMs);
  const insert = `INSERT INTO webhook_endpoint (endpoint_id, tenant_id, mode, url, format, ota,
    headers, secrets, scopes, max_in_flight, ordering, state, reason, after_row, created_at)
    VALUES (?, ?, ?, ?, ?, ?, '{}', ?, '', 1, 'none', 'paused', 'ping_pending', ?, ?)`;
  const secrets = JSON.stringify([kept]);
  store.write(() => {
    const { url, format, ota, after_row } = terms;
    const of = [endpoint_id, tenant_id, mode, url, format, ota && JSON.stringify(ota)] as const;
    store.db.query(insert).run(...of, secrets, after_row, nowMs);
    stamp(store.db, "webhook_endpoint", endpoint_id);
    const own = encryptHeaders(masters, endpoint_id, headers);
    write(store, { ...endpointById(store, endpoint_id)!, ...terms, headers: own });
  });
  return { endpoint_id, secret };
}

/** The endpoint in any realm, or null. */
export function endpointById(
  { db }: Pick<ControlStore, "db">,
  endpointId: string,
): StoredEndpoint | null {
  const row = soundRow<EndpointRow>(db, "webhook_endpoint", endpointId);
  return row && endpointOf(row);
}

/** The endpoint if it belongs to the realm, else null. */
export function findEndpoint(
  store: ControlStore,
  realm: Realm,
  endpointId: string,
): StoredEndpoint | null {
  const found = endpointById(store, endpointId);
  return found?.tenant_id === realm.tenant_id && found.mode === realm.mode ? found : null;
}

/** The realm's endpoints, newest first. */
export function listEndpoints(store: ControlStore, { tenant_id, mode }: Realm): StoredEndpoint[] {
  const select = `${selectOf("webhook_endpoint")} WHERE tenant_id = ? AND mode = ?
    ORDER BY created_at DESC, endpoint_id DESC`;
  const rows = store.db.query<EndpointRow, [string, Mode]>(select).all(tenant_id, mode);
  return soundRows("webhook_endpoint", rows).map(endpointOf);
}

/** Changes an endpoint and its version; false when unknown. */
export function changeEndpoint(
  store: ControlStore,
  endpointId: string,
  change: EndpointChange,
): boolean {
  return store.write(() => {
    const known = endpointById(store, endpointId);
    if (known === null) return false;
    write(store, { ...known, ...change, version: known.version + 1 });
    return true;
  });
}

/** Deletes an endpoint with its secrets; false when unknown. */
export function deleteEndpoint(store: ControlStore, endpointId: string): boolean {
  const remove = "DELETE FROM webhook_endpoint WHERE endpoint_id = ?";
  return store.write(() => store.db.query(remove).run(endpointId).changes === 1);
}

function write(store: ControlStore, next: StoredEndpoint): void {
  const update = `UPDATE webhook_endpoint SET url = ?, ota = ?, description = ?, kinds = ?,
    property_ids = ?, subjects = ?, headers = ?, secrets = ?, scopes = ?, max_in_flight = ?, max_per_s = ?,
    ordering = ?, state = ?, reason = ?, ping = ?, disabled_at = ?, after_row = ?, version = ?
    WHERE endpoint_id = ?`;
  store.db
    .query(update)
    .run(
      next.url,
      next.ota && JSON.stringify(next.ota),
      next.description,
      next.format === "json" ? listText(next.kinds) : null,
      listText(next.property_ids),
      listText(next.subjects),
      JSON.stringify(next.headers),
      JSON.stringify(next.secrets),
      next.scopes.join(" "),
      next.max_in_flight,
      next.max_per_s,
      next.ordering,
      next.state,
      next.reason,
      next.ping && JSON.stringify(next.ping),
      next.disabled_at,
      next.after_row,
      next.version,
      next.endpoint_id,
    );
  stamp(store.db, "webhook_endpoint", next.endpoint_id);
}
