/**
 * Values of a search that are the same for many properties, computed once: thousands of hotels
 * share a few time zones, terms and taxes.
 */

import type { StayQuery } from "../availability/availability.ts";
import { isWithinHorizon } from "../availability/horizon.ts";
import { todayIn } from "../calendar.ts";
import { cancellationNow } from "../price/policy.ts";
import { type Charge, chargesOf } from "../price/taxes.ts";
import type { TermsNow } from "./found.ts";
import type { IndexedProperty, LocalTerms } from "./index/realm-index.ts";
import type { Asked } from "./query.ts";

interface LocalStay {
  readonly stay: StayQuery;
  readonly isOpen: boolean;
}

type TaxRules = IndexedProperty["taxRules"];

export class SearchMemo {
  readonly #asked: Asked;
  readonly #stays = new Map<string, LocalStay>();
  readonly #charges = new Map<TaxRules, readonly Charge[]>();
  readonly #terms = new Map<LocalTerms, TermsNow>();

  constructor(asked: Asked) {
    this.#asked = asked;
  }

  /** Whether the dates can be sold in a time zone: not past there, and within the horizon. */
  isOpen(timezone: string): boolean {
    return this.#localStay(timezone).isOpen;
  }

  /** The stay, with today in a time zone. */
  stayIn(timezone: string): StayQuery {
    return this.#localStay(timezone).stay;
  }

  #localStay(timezone: string): LocalStay {
    const known = this.#stays.get(timezone);
    if (known) return known;
    const { stay, nowMs } = this.#asked;
    const todayDay = todayIn(timezone, nowMs);
    const isOpen = isWithinHorizon(stay.checkInDay, stay.nights, todayDay);
    const local = { stay: { ...stay, todayDay }, isOpen };
    this.#stays.set(timezone, local);
    return local;
  }

  /** The taxes and fees of the stay. */
  charges(rules: TaxRules): readonly Charge[] {
    const known = this.#charges.get(rules);
    if (known) return known;
    const charges = chargesOf(rules, this.#asked.stay);
    this.#charges.set(rules, charges);
    return charges;
  }

  /** How a booking made now could be cancelled. */
  terms(local: LocalTerms): TermsNow {
    const known = this.#terms.get(local);
    if (known) return known;
    const { stay, nowMs } = this.#asked;
    const at = { checkInDay: stay.checkInDay, nowMs };
    const { refundability, free_until, isFree, text } = cancellationNow(
      local.place,
      local.terms,
      at,
    );
    const now = { shown: { refundability, free_until }, isFree, text };
    this.#terms.set(local, now);
    return now;
  }
}
