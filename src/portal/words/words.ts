/** Texts of guests' pages in one language, beside those of all pages (`src/languages`). */
export interface PortalWords {
  readonly findTitle: string;
  readonly findIntro: string;
  readonly email: string;
  readonly code: string;
  readonly sendLink: string;
  readonly sentTitle: string;
  readonly sentIntro: string;
  readonly digits: string;
  readonly show: string;
  readonly askAgain: string;
  readonly enterIntro: string;

  readonly badLink: string;
  readonly badInput: string;
  readonly notSecure: string;
  readonly notTaken: string;
  readonly signedOut: string;
  readonly failed: string;
  readonly test: string;

  readonly title: string;
  readonly states: Readonly<
    Record<"confirmed" | "checked_in" | "completed" | "cancelled" | "no_show" | "relocated", string>
  >;
  readonly hotel: string;
  readonly room: string;
  readonly stay: string;
  readonly party: string;
  readonly childrenOf: (count: number) => string;
  readonly directions: string;

  readonly money: string;
  readonly paid: string;
  /** The fee of a cancellation or of a guest who did not come. */
  readonly kept: string;
  readonly refundStates: Readonly<Record<"pending" | "succeeded" | "failed", string>>;

  readonly terms: string;
  readonly until: (when: string) => string;
  readonly afterwards: string;
  readonly noShow: string;
  readonly free: string;
  readonly costs: (fee: string) => string;
  readonly now: string;
  readonly backNow: (refund: string, fee: string) => string;
  readonly allBackNow: (refund: string) => string;
  readonly nothingBackNow: string;
  readonly nothingToPay: string;
  readonly nothingBackFrom: (when: string) => string;

  readonly cancel: string;
  readonly cancelTitle: string;
  readonly cancelFinal: string;
  readonly cancelFor: (refund: string) => string;
  readonly cancelPlain: string;
  readonly keep: string;
  readonly amountChanged: string;
  readonly notCancellable: string;

  readonly change: string;
  readonly dateRule: (when: string) => string;
  readonly datesFixed: string;
  readonly name: string;
  readonly phone: string;
  readonly requests: string;
  readonly mailLanguage: string;
  readonly save: string;
  readonly saved: string;
  readonly otherLength: string;
  readonly otherTotal: (total: string) => string;
  readonly noRoom: string;
  readonly notChangeable: string;

  readonly receipts: string;
  readonly receiptKinds: Readonly<
    Record<"booking_confirmed" | "booking_cancelled" | "refund_issued", string>
  >;
  readonly verify: string;

  readonly resend: string;
  readonly resent: string;
  readonly tooOften: string;
  readonly notSent: string;
  readonly signOut: string;
}
