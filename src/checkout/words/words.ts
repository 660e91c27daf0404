/** Texts of checkout pages in one language, beside those of all pages and of a stay. */
import type { CardId } from "../cards.ts";

export interface CheckoutWords {
  readonly bookTitle: string;
  readonly keptFor: (minutes: number, until: string) => string;
  readonly keepLonger: string;
  /** Before taxes and fees that the rate includes. */
  readonly inPrice: string;

  readonly details: string;
  /** Beside the name of a field. */
  readonly optional: string;
  readonly nameHint: string;
  readonly emailHint: string;
  readonly phoneHint: string;
  readonly payWith: string;
  readonly cards: Readonly<Record<CardId, string>>;
  readonly accept: string;
  readonly sandbox: string;
  /** The provider asks for the card. */
  readonly cardNext: string;
  readonly pay: (amount: string) => string;

  readonly nothingCharged: string;
  readonly notConfigured: string;
  readonly noAgent: string;
  readonly cardDeclined: string;
  readonly cardWithoutFunds: string;
  readonly otherCard: string;
  readonly notStarted: string;
  readonly mustApprove: string;

  readonly payingTitle: string;
  readonly paying: string;
  readonly lookAgain: string;

  readonly bookedTitle: string;
  /** Of one that is no longer just confirmed. */
  readonly bookingTitle: string;
  readonly writeDown: string;
  readonly manage: string;
  readonly manageWith: string;
  /** Before the name of a host. */
  readonly backTo: string;

  readonly endedTitle: string;
  readonly expired: string;
  readonly takenBack: string;
  readonly nothingBooked: string;
  readonly askAgent: string;
  readonly seeFree: string;

  readonly unknownTitle: string;
  readonly unknown: string;
}
