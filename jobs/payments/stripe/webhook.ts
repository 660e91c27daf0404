/**
 * Stripe's events: signed messages about an intent, a refund or a dispute. An event is a hint and
 * never a fact: it may come twice, late or in any order. It only says what to read from the API.
 */
import Stripe from "stripe";
import type { PaymentWork } from "../queue.ts";

/** An older event may be one that somebody recorded. */
const TOLERANCE_S = 300;

/** The library throws on others: `v1` without a value is compared like a signature. */
const SIGNATURE = /^t=\d{1,12}(?:,\w+=\w+)+$/;

const KINDS: Readonly<Record<string, PaymentWork["kind"]>> = {
  "payment_intent.succeeded": "payment",
  "payment_intent.payment_failed": "payment",
  "payment_intent.canceled": "payment",
  "payment_intent.amount_capturable_updated": "payment",
  "payment_intent.requires_action": "payment",
  "refund.updated": "refund",
  "refund.failed": "refund",
  "charge.dispute.created": "dispute",
  "charge.dispute.updated": "dispute",
  "charge.dispute.closed": "dispute",
};

/** An event as it was received. */
export interface SignedEvent {
  /** The body, unchanged. */
  readonly text: string;
  /** The header `Stripe-Signature`. */
  readonly signature: string;
  readonly secrets: readonly string[];
  /** Epoch milliseconds. */
  readonly nowMs: number;
}

/** Work that may be due, `ignored` for other events, or `refused` without a valid signature. */
export type EventReading = PaymentWork | "ignored" | "refused";

/** Checks the signature against every secret, then reads the event. */
export async function readEvent({
  text,
  signature,
  secrets,
  nowMs,
}: SignedEvent): Promise<EventReading> {
  if (!SIGNATURE.test(signature)) return "refused";
  for (const secret of secrets) {
    const isSigned = await verifies(text, signature, secret, nowMs);
    if (isSigned) return workOf(JSON.parse(text) as Stripe.Event);
  }
  return "refused";
}

const { webhooks } = Stripe;

async function verifies(
  text: string,
  signature: string,
  secret: string,
  nowMs: number,
): Promise<boolean> {
  const crypto = Stripe.createSubtleCryptoProvider();
  const { signature: checker } = webhooks;
  try {
    return await checker!.verifyHeaderAsync(text, signature, secret, TOLERANCE_S, crypto, nowMs);
  } catch (error) {
    if (error instanceof Stripe.errors.StripeSignatureVerificationError) return false;
    throw error;
  }
}

/** A dispute is read by its own id, the others by ours, which Stripe keeps in their metadata. */
function workOf({ type, data }: Stripe.Event): EventReading {
  const kind = KINDS[type];
  const object = data.object as {
    readonly id?: string;
    readonly metadata?: Stripe.Metadata | null;
  };
  const id = kind === "dispute" ? object.id : object.metadata?.[`${kind}_id`];
  return kind && id ? { kind, id } : "ignored";
}
