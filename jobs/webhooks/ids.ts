/** Ids of deliveries, searches and bulk replays. They sort by creation. */
import { randomBytes } from "node:crypto";
import { deriveId } from "../../engine/core/ids.ts";

/** `dlv_…` */
export function newDeliveryId(nowMs: number): string {
  return deriveId("dlv", nowMs, randomBytes(16).toString("hex"));
}

/** `rfl_…` */
export function newMissingSearchId(nowMs: number): string {
  return deriveId("rfl", nowMs, randomBytes(16).toString("hex"));
}

/** `rcv_…` */
export function newBulkReplayId(nowMs: number): string {
  return deriveId("rcv", nowMs, randomBytes(16).toString("hex"));
}
