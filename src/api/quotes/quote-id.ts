/**
 * Quote ids carry their creation time and a MAC, so that an id whose quote is gone can still be
 * told from one that never was: authentic and old is `quote_expired`, else `quote_not_found`.
 */
import { timingSafeEqual } from "node:crypto";
import { deriveId, idTime } from "../../../engine/core/ids.ts";
import { randomHex } from "../../base/trace.ts";
import { hmacHex } from "../../privacy/personal-data.ts";

const MAC_BYTES = 5;

function macOf(hmacKey: Uint8Array, tenantId: string, id: string): string {
  return hmacHex(hmacKey, `quote ${tenantId} ${id}`, MAC_BYTES);
}

/** A new quote id. */
export function newQuoteId(hmacKey: Uint8Array, tenantId: string, nowMs: number): string {
  const id = deriveId("qt", nowMs, randomHex(16));
  return id + macOf(hmacKey, tenantId, id);
}

/** When an authentic quote id of this tenant was made, epoch milliseconds; null for any other. */
export function quoteIdTime(hmacKey: Uint8Array, tenantId: string, quoteId: string): number | null {
  const id = quoteId.slice(0, -2 * MAC_BYTES);
  if (!/^qt_[0-9a-z]{28}$/.test(id)) return null;
  const mac = Buffer.from(macOf(hmacKey, tenantId, id));
  const given = Buffer.from(quoteId.slice(id.length));
  return mac.length === given.length && timingSafeEqual(mac, given) ? idTime(id) : null;
}
