/** Ids of what this folder makes. They sort by creation. */
import { randomBytes } from "node:crypto";
import { deriveId } from "../../engine/core/ids.ts";

/** A delivery's id; `dlv_…`. */
export function newDeliveryId(nowMs: number): string {
  return deriveId("dlv", nowMs, randomBytes(16).toString("hex"));
}

/** A refill's id; `rfl_…`. */
export function newRefillId(nowMs: number): string {
  return deriveId("rfl", nowMs, randomBytes(16).toString("hex"));
}

/** A recovery's id; `rcv_…`. */
export function newRecoveryId(nowMs: number): string {
  return deriveId("rcv", nowMs, randomBytes(16).toString("hex"));
}
