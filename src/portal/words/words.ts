/** Texts of guests' pages, beside those of all pages and of a stay (`src/languages`). */
export interface PortalWords {
  readonly findTitle: string;
  readonly findIntro: string;
  readonly sendLink: string;
  readonly sentTitle: string;
  readonly sentIntro: string;
  readonly digits: string;
  readonly show: string;
  readonly askAgain: string;
  readonly enterIntro: string;

  readonly badLink: string;
  readonly notSecure: string;
  readonly signedOut: string;

  readonly title: string;

  readonly money: string;
  /** The fee of a cancellation or of a guest who did not come. */
  readonly kept: string;
  readonly refundStates: Readonly<Record<"pending" | "succeeded" | "failed", string>>;

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
  readonly mailLanguage: string;
  readonly save: string;
  readonly saved: string;
  readonly otherLength: string;
  readonly otherTotal: (total: string) => string;
  readonly noRoom: string;
  readonly notChangeable: string;

  readonly resend: string;
  readonly resent: string;
  readonly tooOften: string;
  readonly notSent: string;
  readonly signOut: string;
}
