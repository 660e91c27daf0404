/** What holds and supply commands come to. */
import { instantIso } from "../../engine/core/calendar.ts";
import type {
  CommandMeta,
  ExtendHold,
  PlaceHold,
  ReleaseHold,
} from "../../engine/core/commands.ts";
import type { Outcome } from "../../engine/core/outcomes.ts";
import type { QuoteRequest } from "../../engine/core/price/quote.ts";
import { check, same } from "./check.ts";
import {
  dataOf,
  type Expected,
  isForeign,
  type ModelHold,
  type ModelLedger,
  refused,
  succeeded,
} from "./model-ledger.ts";

/** `POST /v1/holds`. */
export function expectPlaceHold(command: PlaceHold, stamp: number, ledger: ModelLedger): Expected {
  const { quote, limits, actor } = command;
  if (!quote || isForeign(command, quote)) {
    return refused(command, command.missing ?? "quote_not_found", { quote_id: command.quote_id });
  }
  // A quote of a time that was taken back is over, too.
  if (stamp >= quote.expires_at || quote.created_at > stamp + 60_000) {
    return refused(command, "quote_expired", { expired_at: instantIso(quote.expires_at) });
  }
  const isLive = (hold: ModelHold) => hold.state === "confirming" || stamp < hold.expiresAt;
  const own = [...ledger.open].filter(
    (hold) => hold.tenant_id === command.tenant_id && hold.agent_id === actor.id && isLive(hold),
  );
  if (limits.max_open_holds !== null && own.length >= limits.max_open_holds) {
    return refused(command, "rate_limited", { policy: "max_open_holds", open: own.length });
  }
  const gone = ledger.supply.goneOf(quote);
  if (gone) return refused(command, gone);
  const [claims, by] = [ledger.claims(stamp), { agent: actor.id, stamp }];
  const refusal = ledger.supply.refusal(quote, by, claims);
  if (refusal) {
    const has = refusal.reason ? { reason: refusal.reason } : {};
    return refused(command, refusal.code, has, (outcome) => {
      const detail = detailOf(outcome);
      const blocking = detail.blocking as { date: string; reason: string }[];
      const named = new Set(blocking.map(({ date, reason }) => `${date} ${reason}`));
      same([...named].sort(), refusal.blocking, "blocking nights");
      for (const each of detail.alternatives as { sellable: number; quote: QuoteRequest }[]) {
        const other = { ...each.quote, property_id: each.quote.hotel_id };
        const isOpen = ledger.supply.refusal(other, by, claims) === null;
        check(isOpen, () => `alternative ${JSON.stringify(each.quote)} cannot be held`);
        // On other nights than those asked for, a due hold may count until the tick.
        const most = ledger.supply.left(other, by, claims);
        const least = ledger.supply.left(other, by, ledger.claims(Number.NEGATIVE_INFINITY));
        const isRight = each.sellable >= Math.max(1, least) && each.sellable <= most;
        check(isRight, () => `alternative's units: ${each.sellable}, not ${least} to ${most}`);
      }
    });
  }
  const siblings = own.filter((hold) => hold.quote.quote_id === quote.quote_id);
  return succeeded(command, "hold", {
    events: ["hold.created"],
    has: { quote_id: quote.quote_id, expires_at: instantIso(stamp + command.ttl_ms) },
    inspect: (outcome) => {
      const listed = dataIn(outcome).other_live_holds as string[];
      for (const { id } of siblings) check(listed.includes(id), `hold ${id} is not listed`);
      for (const id of listed) {
        const hold = ledger.holds.get(id);
        const isOwn = hold?.quote.quote_id === quote.quote_id && hold.agent_id === actor.id;
        check(isOwn && ledger.open.has(hold), `hold ${id} is listed as an open one`);
      }
    },
    apply: (row) => {
      const { hold_id, expires_at } = dataOf(row, "hold.created");
      check(!ledger.holds.has(hold_id), `hold id ${hold_id} was given twice`);
      const { tenant_id, mode } = command;
      const hold: ModelHold = {
        ...{ id: hold_id, tenant_id, mode, agent_id: actor.id, quote },
        state: "held",
        expiresAt: Date.parse(expires_at),
        extensions: 0,
        endedAt: 0,
        payment: null,
        booking: null,
      };
      ledger.holds.set(hold_id, hold);
      ledger.open.add(hold);
    },
  });
}

/** The hold a command names, or the refusal that stops every use of it. */
export function usable(
  command: CommandMeta & { readonly hold_id: string },
  stamp: number,
  ledger: ModelLedger,
): ModelHold | Expected {
  const hold = ledger.holds.get(command.hold_id);
  const ids = { hold_id: command.hold_id };
  if (!hold || isForeign(command, hold)) return refused(command, "hold_not_found", ids);
  if (hold.state === "expired" || (hold.state === "held" && stamp >= hold.expiresAt)) {
    return refused(command, "hold_expired", ids);
  }
  if (hold.state === "held") return hold;
  const booked = hold.booking ? { booking_id: hold.booking.id } : {};
  return refused(command, "hold_not_active", { ...ids, state: hold.state, ...booked });
}

export function isRefusal(found: ModelHold | Expected): found is Expected {
  return "events" in found;
}

/** `POST /v1/holds/{id}/extend`: twice at most, from the old expiry. */
export function expectExtend(command: ExtendHold, stamp: number, ledger: ModelLedger): Expected {
  const hold = usable(command, stamp, ledger);
  if (isRefusal(hold)) return hold;
  if (hold.extensions === 2) {
    return refused(command, "conflict", { reason: "max_extensions", extensions: 2 });
  }
  const expiresAt = hold.expiresAt + command.ttl_ms;
  return succeeded(command, "hold_extended", {
    events: ["hold.extended"],
    has: { expires_at: instantIso(expiresAt), extensions: hold.extensions + 1 },
    apply: () => {
      hold.expiresAt = expiresAt;
      hold.extensions += 1;
    },
  });
}

/** `POST /v1/holds/{id}/release`: the second one answers like the first and changes nothing. */
export function expectRelease(command: ReleaseHold, stamp: number, ledger: ModelLedger): Expected {
  const known = ledger.holds.get(command.hold_id);
  if (known?.state === "released" && !isForeign(command, known)) {
    const has = { state: "released", released_at: instantIso(known.endedAt) };
    return succeeded(command, "hold_released", { events: [], has });
  }
  const hold = usable(command, stamp, ledger);
  if (isRefusal(hold)) return hold;
  return succeeded(command, "hold_released", {
    events: ["hold.released"],
    has: { state: "released", released_at: instantIso(stamp) },
    apply: () => ledger.end(hold, "released", stamp),
  });
}

function detailOf(outcome: Outcome): Readonly<Record<string, unknown>> {
  check(!outcome.ok, "a refusal was expected");
  return outcome.detail;
}

function dataIn(outcome: Outcome): Readonly<Record<string, unknown>> {
  check(outcome.ok, "a success was expected");
  return outcome.data;
}
