/**
 * Charges that changed since an instant. Intents are listed by creation only, so the list of newer
 * ones is followed by the balance transactions of later refunds and disputes.
 */
import type Stripe from "stripe";
import { idTime } from "../../../engine/core/ids.ts";
import type { Mode } from "../../../engine/core/supply.ts";
import type { ChargePage, ListedCharge } from "../provider.ts";
import { fromStripeAmount } from "./amounts.ts";
import { isDisputed, refundedOf, reportOf } from "./reports.ts";

const PAGE = 100;
/** An intent is decided at most this long after its creation. */
const OPEN_S = 24 * 3_600;
/** Reads of single intents at the same time; Stripe allows 100 a second. */
const READS_AT_ONCE = 10;

const INTENTS = "intents:";
const BALANCE = "balance:";
const EXPANDED = { expand: ["latest_charge"] };

/** A page of the charges of this service; `page` is the cursor of the page before. */
export async function changedPage(
  client: Stripe,
  sinceMs: number,
  page: string | null,
): Promise<ChargePage> {
  const cursor = page ?? INTENTS;
  const isBalance = cursor.startsWith(BALANCE);
  const after = cursor.slice((isBalance ? BALANCE : INTENTS).length);
  const starting = { limit: PAGE, ...(after !== "" && { starting_after: after }) };
  const sinceS = Math.max(0, Math.floor(sinceMs / 1_000));
  const listedFromS = Math.max(0, sinceS - OPEN_S);
  return isBalance
    ? refundedPage(client, { sinceS, listedFromS }, starting)
    : createdPage(client, listedFromS, starting);
}

interface Starting {
  readonly limit: number;
  readonly starting_after?: string;
}

async function createdPage(
  client: Stripe,
  listedFromS: number,
  starting: Starting,
): Promise<ChargePage> {
  const { data, has_more } = await client.paymentIntents.list({
    ...{ ...starting, created: { gte: listedFromS } },
    expand: ["data.latest_charge"],
  });
  const last = data.at(-1);
  const rest = has_more && last ? INTENTS + last.id : BALANCE;
  // From the beginning of time on, all intents are new ones.
  const next = listedFromS === 0 && rest === BALANCE ? null : rest;
  return { charges: data.flatMap(listedOf), next };
}

async function refundedPage(
  client: Stripe,
  { sinceS, listedFromS }: { readonly sinceS: number; readonly listedFromS: number },
  starting: Starting,
): Promise<ChargePage> {
  const { data, has_more } = await client.balanceTransactions.list({
    ...{ ...starting, created: { gte: sinceS } },
    expand: ["data.source"],
  });
  const ids = new Set(data.flatMap(({ source }) => changedIntentOf(source, sinceS)));
  const charges: ListedCharge[] = [];
  const left = [...ids];
  while (left.length > 0) {
    const some = left.splice(0, READS_AT_ONCE);
    const intents = await Promise.all(
      some.map((id) => client.paymentIntents.retrieve(id, EXPANDED)),
    );
    charges.push(...intents.filter(({ created }) => created < listedFromS).flatMap(listedOf));
  }
  const last = data.at(-1);
  return { charges, next: has_more && last ? BALANCE + last.id : null };
}

/** The intent that a refund or a dispute changed, unless it is surely new. */
function changedIntentOf(source: Stripe.BalanceTransaction["source"], sinceS: number): string[] {
  if (source === null || typeof source === "string") return [];
  if (source.object !== "refund" && source.object !== "dispute") return [];
  const { payment_intent, metadata } = source;
  if (payment_intent === null) return [];
  const isNew = idTime(metadata?.payment_id ?? "") / 1_000 >= sinceS;
  return isNew ? [] : [typeof payment_intent === "string" ? payment_intent : payment_intent.id];
}

/** Nothing for an intent of another system on the same account. */
function listedOf(intent: Stripe.PaymentIntent): ListedCharge[] {
  const { id, metadata } = intent;
  const { payment_id, tenant_id, mode, booking_key } = metadata;
  if (!payment_id || !tenant_id || !mode || !booking_key) return [];
  const currency = intent.currency.toUpperCase();
  return [
    {
      ...{ ref: id, key: payment_id },
      about: { tenant_id, mode: mode as Mode, booking_key },
      ...{ amount: fromStripeAmount(intent.amount, currency), currency },
      state: reportOf(intent).state,
      refunded: fromStripeAmount(refundedOf(intent), currency),
      ...(isDisputed(intent) && { isDisputed: true }),
    },
  ];
}
