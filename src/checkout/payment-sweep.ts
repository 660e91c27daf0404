/** Settles the payments of persons who did not come back from the provider's page. */
import type { PagePayment } from "../access/control/checkout-sessions.ts";
import type { Context } from "../http/context.ts";
import type { Service } from "../lib/service.ts";
import { settled } from "./page-payment.ts";
import { attemptOf } from "./visit.ts";

const SWEEP_EVERY_MS = 10_000;
/** Who pays needs this long at least, and comes back by itself. */
const YOUNGEST_MS = 20_000;

/** One sweep; the payments that stay open are those of people who are still paying. */
export async function settlePayments(context: Context): Promise<void> {
  const { checkout, paymentPages, now } = context;
  if (paymentPages === null) return;
  for (const payment of checkout.paymentsBefore(now() - YOUNGEST_MS)) {
    await settleOne(context, payment);
  }
}

async function settleOne(context: Context, payment: PagePayment): Promise<void> {
  const { checkout, paymentPages } = context;
  const session = checkout.byId(payment.session_id);
  const attempt = session && attemptOf(context, session);
  if (attempt) {
    const call = { context, clientAddress: () => "checkout", again: undefined };
    await settled({ call, ...attempt }, payment);
  } else if ((await paymentPages!.end(payment.page_ref)).ok) {
    checkout.endPayment(payment);
  }
}

/** Sweeps one after the other, until the stop. */
export function paymentSweeps(context: Context): Service {
  let sweep = Promise.resolve();
  let isSweeping = false;
  let timer: Timer | undefined;
  const run = () => {
    if (isSweeping) return;
    isSweeping = true;
    sweep = settlePayments(context)
      .catch((error) => context.log.error("cannot settle payments of checkout pages", { error }))
      .finally(() => {
        isSweeping = false;
      });
  };
  const stop = () => {
    clearInterval(timer);
    return sweep;
  };
  return {
    id: "payments of checkout pages",
    start() {
      timer = setInterval(run, SWEEP_EVERY_MS);
    },
    drain: stop,
    stop,
  };
}
