/** Settles the payments of persons who did not come back from the provider's page. */
import type { PagePayment } from "../access/control/checkout-sessions.ts";
import type { Context } from "../http/context.ts";
import type { Service } from "../lib/service.ts";
import { settled } from "./page-payment.ts";
import { attemptOf } from "./visit.ts";

const SWEEP_EVERY_MS = 10_000;
/** Who pays needs this long at least, and comes back by itself. */
const YOUNGEST_MS = 20_000;

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

/** Sweeps one after the other. A stop waits for none: the next process finds what is open. */
export function paymentSweeps(context: Context): Service {
  const { checkout, paymentPages, now, log } = context;
  let isSweeping = false;
  let timer: Timer | undefined;
  const report = (error: unknown) => {
    if (timer !== undefined) log.error("cannot settle payments of checkout pages", { error });
  };
  const sweep = async () => {
    isSweeping = true;
    try {
      for (const payment of checkout.paymentsBefore(now() - YOUNGEST_MS)) {
        if (timer === undefined) return;
        await settleOne(context, payment).catch(report);
      }
    } catch (error) {
      report(error);
    } finally {
      isSweeping = false;
    }
  };
  const stop = () => {
    clearInterval(timer);
    timer = undefined;
  };
  return {
    id: "payments of checkout pages",
    start() {
      if (paymentPages === null) return;
      timer = setInterval(() => void (isSweeping || sweep()), SWEEP_EVERY_MS);
    },
    drain: stop,
    stop,
  };
}
