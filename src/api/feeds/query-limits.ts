/**
 * Limits of queries. A query is one request but up to a hundred thousand prices, so prices are
 * counted per address and per partner of a tenant, so that a stolen partner credential cannot read
 * everything. An answer is made as it is read; an answer that is not read holds a megabyte or two
 * until its connection ends, so their number is limited.
 */

import { charge, chargeAddress } from "../../http/admission.ts";
import { type Refusal, refuse } from "../../http/answer.ts";
import type { Context } from "../../http/context.ts";
import { OpenCallSlots } from "../../http/open-call-slots.ts";
import { memoizeByKey } from "../../lib/memoize.ts";
import type { AtPartner } from "./partner.ts";

/** Per address: ten of the largest answers, about five seconds of one processor. */
export const PRICES_PER_MINUTE = 1_000_000;
const TENANT_PRICES_PER_MINUTE = 3_000_000;
/** From this size, about 700 KB, an answer counts as large. */
const LARGE_PRICES = 2_000;
const LARGE_ANSWERS_MAX = 64;
const LARGE_ANSWERS_ADDRESS_MAX = 8;
const AGAIN_S = 2;

const slotsOf = memoizeByKey((_: Context) => new OpenCallSlots(LARGE_ANSWERS_MAX));

interface Slot {
  readonly ok: true;
  /** Releases the slot; idempotent. */
  readonly leave: () => void;
}

/** A slot for an answer of so many prices, charged to the address and to `asker`. */
export async function slotFor(
  call: AtPartner,
  asker: string,
  prices: number,
): Promise<Slot | Refusal> {
  const address = call.clientAddress();
  const slots = slotsOf(call.context);
  const leave = prices < LARGE_PRICES ? () => {} : slots.take([address, LARGE_ANSWERS_ADDRESS_MAX]);
  if (typeof leave === "number") {
    const detail = { policy: "feed_query_open", limit: leave };
    return refuse("rate_limited", detail, { retry_after: AGAIN_S });
  }
  const refused = (await ofAddress(call, prices)) ?? (await ofAsker(call, asker, prices));
  if (refused === null) return { ok: true, leave };
  leave();
  return refused;
}

function ofAddress(call: AtPartner, prices: number): Promise<Refusal | null> {
  const limit = { name: "feed_query_prices", perMinute: PRICES_PER_MINUTE };
  return chargeAddress(call, limit, prices);
}

function ofAsker(call: AtPartner, asker: string, prices: number): Promise<Refusal | null> {
  const limit = { name: "feed_query_tenant_prices", perMinute: TENANT_PRICES_PER_MINUTE };
  return charge(call, asker, limit, prices);
}
