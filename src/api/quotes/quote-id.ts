/**
 * Quote ids carry their creation time and a MAC, so the id of a deleted quote can still be
 * distinguished from an unknown one: authentic and old is `quote_expired`, else `quote_not_found`.
 */
import { timingSafeEqual } from "node:crypto";
import { deriveId, idTime } from "../../../engine/core/ids.ts";
import type { KeyVersions } from "../../access/privacy/key-versions.ts";
import { hmacHex } from "../../access/privacy/personal-data.ts";
import { FIRST_KIDS } from "../../access/privacy/secrets.ts";
import type { Call } from "../../http/call.ts";
import { randomHex } from "../../lib/trace.ts";

const MAC_BYTES = 5;
const QUOTE_ID = /^(qt_[0-9a-z]{28})([0-9a-f]{10})(v[0-9]{1,9})?$/;

function macOf(hmacKey: Uint8Array, tenantId: string, id: string): string {
  return hmacHex(hmacKey, `quote ${tenantId} ${id}`, MAC_BYTES);
}

/** A new quote id. Its end names the MAC key, unless it is the first one. */
export function newQuoteId(keys: KeyVersions, tenantId: string, nowMs: number): string {
  const id = deriveId("qt", nowMs, randomHex(16));
  const { kid, key } = keys.current();
  const version = kid === FIRST_KIDS.quotes ? "" : kid.slice(kid.lastIndexOf("v"));
  return id + macOf(key, tenantId, id) + version;
}

/** When an authentic quote id of this tenant was made, epoch milliseconds; null for any other. */
export function quoteIdTime(keys: KeyVersions, tenantId: string, quoteId: string): number | null {
  const [, id, given, version] = QUOTE_ID.exec(quoteId) ?? [];
  if (id === undefined || given === undefined) return null;
  const key = keys.find(version === undefined ? FIRST_KIDS.quotes : `quote-${version}`);
  if (key === null) return null;
  const mac = macOf(key, tenantId, id);
  return timingSafeEqual(Buffer.from(mac), Buffer.from(given)) ? idTime(id) : null;
}

/** An authentic id older than the lifetime of quotes has expired; any other is unknown. */
export function whyMissing({ context, principal }: Call, quoteId: string) {
  const { keys, config, timeIn } = context;
  const madeAt = quoteIdTime(keys.quotes, principal.tenant_id, quoteId);
  const isOld = madeAt !== null && timeIn(principal) >= madeAt + config.quoteTtlMs;
  return isOld ? ("quote_expired" as const) : ("quote_not_found" as const);
}
