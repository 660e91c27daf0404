/** `POST /webhooks/stripe`: events of Stripe, as hints for the worker. */
import { Type } from "@sinclair/typebox";
import { readStripeEvent } from "../../../jobs/payments/stripe/entry.ts";
import { invalid, type Refusal, refuse, type Success } from "../../http/answer.ts";
import { readText } from "../../http/body.ts";
import type { PublicCall } from "../../http/call.ts";
import { route } from "../../http/route.ts";
import { documented } from "../../http/schema/annotations.ts";
import { named } from "../../http/schema/answer-parts.ts";

const EVENT_BYTES_MAX = 262_144;

const ReceivedEvent = named("ReceivedEvent", "An event of the payment provider.", {
  is_taken: documented(
    Type.Boolean(),
    "Whether it is about a payment, refund or dispute: its state is then read from the provider.",
  ),
});

async function receive({ context, request }: PublicCall): Promise<Success | Refusal> {
  const { stripeWebhookSecrets: secrets } = context.config;
  if (secrets.length === 0) {
    return refuse("service_not_configured", { missing: "STRIPE_WEBHOOK_SECRET" });
  }
  const received = await readText(request, EVENT_BYTES_MAX);
  if (!received.ok) return invalid([received.fault]);
  const { text } = received;
  const signature = request.headers.get("stripe-signature") ?? "";
  const reading = await readStripeEvent({ text, signature, secrets, nowMs: context.now() });
  if (reading === "refused") {
    context.metrics.providerEvent("refused");
    const expected = "a signature of this body, made within five minutes";
    return invalid([{ path: "Stripe-Signature", message: "does not verify", expected }]);
  }
  if (reading !== "ignored") {
    try {
      await context.payments.hint(reading);
    } catch {
      return refuse("upstream_unavailable", { upstream: "redis" });
    }
  }
  context.metrics.providerEvent(reading === "ignored" ? "ignored" : "taken");
  return { ok: true, data: { is_taken: reading !== "ignored" } };
}

export const paymentProviderRoutes = [
  route({
    id: "receive_stripe_event",
    tag: "Payment provider",
    method: "POST",
    path: "/webhooks/stripe",
    summary: "Receive an event of Stripe",
    description:
      "Called by Stripe, signed in `Stripe-Signature` with a secret of `STRIPE_WEBHOOK_SECRET`. " +
      "An event is a hint: the state of its payment, refund or dispute is read from Stripe's API. " +
      "So events that come twice, in another order or about unknown ids are answered 200 and " +
      `change nothing. At most ${EVENT_BYTES_MAX / 1024} KiB.`,
    access: "public",
    addressLimit: { name: "stripe_events", perMinute: 3_000 },
    reads: "stream",
    bodyBytesMax: EVENT_BYTES_MAX,
    accepts: { "application/json": Type.Object({}, { description: "Stripe's event object." }) },
    success: { status: 200, description: "The event was read.", data: ReceivedEvent },
    errors: ["validation_failed", "service_not_configured", "upstream_unavailable"],
    handle: receive,
  }),
];
