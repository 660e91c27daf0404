/** Texts of mails to guests in one language. A hotel's own texts are not translated. */
export interface MailWords {
  readonly hello: (name: string | null) => string;
  /** Subjects, before hotel, date and code. */
  readonly confirmed: string;
  readonly changed: string;
  readonly cancelled: string;
  readonly linkSubject: string;

  readonly confirmedOpening: string;
  readonly changedOpening: string;
  readonly cancelledOpening: string;
  readonly linkOpening: string;

  readonly code: string;
  readonly property: string;
  readonly address: string;
  readonly room: string;
  readonly arrival: string;
  readonly departure: string;
  readonly nights: string;
  readonly guests: string;
  readonly total: string;
  readonly paid: string;
  readonly dueThere: string;
  readonly cancellation: string;
  readonly cancelledOn: string;
  readonly fee: string;
  readonly paidBack: string;
  readonly digits: string;

  readonly from: (time: string) => string;
  readonly until: (time: string) => string;
  readonly adults: (count: number) => string;
  /** `ages` is a list such as `4, 7`. */
  readonly children: (count: number, ages: string) => string;

  readonly refundOnItsWay: string;
  readonly refundWithheld: string;
  readonly noRefund: string;
  readonly nothingPaid: string;
  /** Before the address of the guests' pages. */
  readonly ownPage: string;
  /** Where there is no such address. */
  readonly contact: string;
  readonly notAsked: string;
}
