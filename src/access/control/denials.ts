/**
 * Ends that could not be stored are denied in memory: in this process and, by a control signal, in
 * the others. A denial holds until a change of the row is stored or the process ends. Signals pass
 * through Redis, so each carries a MAC: write access there cannot end credentials.
 */
import { timingSafeEqual } from "node:crypto";
import { hmacHex } from "../privacy/personal-data.ts";

const KINDS = [
  ...(["agent", "credential", "person", "issuer", "webhook_endpoint", "access_token"] as const),
] as const;

/** A row to be revoked, suspended, paused or deleted, or the `jti` of an access token. */
export interface Denial {
  readonly kind: (typeof KINDS)[number];
  readonly id: string;
}

const MAC_BYTES = 16;

function macOf(hmac: Uint8Array, { kind, id }: Denial): string {
  return hmacHex(hmac, JSON.stringify(["control-denial", kind, id]), MAC_BYTES);
}

/** The denial as a control signal. */
export function denialSignal(hmac: Uint8Array, denial: Denial): string {
  return `${denial.kind} ${denial.id} ${macOf(hmac, denial)}`;
}

/** The denial of a control signal; null for other signals and a wrong MAC. */
export function denialIn(hmac: Uint8Array, signal: string): Denial | null {
  const [name, id = "", mac = ""] = signal.split(" ");
  const kind = KINDS.find((each) => each === name);
  if (kind === undefined) return null;
  const wanted = Buffer.from(macOf(hmac, { kind, id }));
  const given = Buffer.from(mac);
  return given.length === wanted.length && timingSafeEqual(given, wanted) ? { kind, id } : null;
}
