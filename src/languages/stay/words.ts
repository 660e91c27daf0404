/** Texts about one stay of a guest, on the pages that book it and on those that show it. */
export interface StayWords {
  readonly email: string;
  readonly code: string;

  readonly badInput: string;
  readonly notTaken: string;
  readonly failed: string;
  readonly test: string;

  readonly states: Readonly<
    Record<"confirmed" | "checked_in" | "completed" | "cancelled" | "no_show" | "relocated", string>
  >;
  readonly hotel: string;
  readonly room: string;
  readonly stay: string;
  readonly party: string;
  readonly childrenOf: (count: number) => string;
  readonly directions: string;

  readonly paid: string;

  readonly terms: string;
  readonly until: (when: string) => string;
  readonly noShow: string;
  readonly free: string;
  readonly costs: (fee: string) => string;
  readonly now: string;

  readonly name: string;
  readonly phone: string;
  readonly requests: string;

  readonly receipts: string;
  readonly receiptKinds: Readonly<
    Record<"booking_confirmed" | "booking_cancelled" | "refund_issued", string>
  >;
  readonly verify: string;
}
