/**
 * Errors and warnings of OpenTravel answers. Codes are of the lists EWT (types) and ERR of the
 * OpenTravel code table.
 */

/** Types of errors (EWT). */
export const ERROR_TYPES = { business: "3", authorization: "6", required: "10" } as const;

/** Codes of errors (ERR). */
export const ERROR_CODES = {
  date: "15",
  currency: "61",
  ratePlan: "249",
  value: "320",
  missing: "321",
  hotel: "392",
  roomType: "402",
  unable: "450",
} as const;

type ErrorKind = keyof typeof ERROR_CODES;

/** A fault of an item of a message, or of the message. */
export interface OtaFault {
  readonly type: string;
  readonly code: string;
  /** Position of the item, from 1; null for the message. */
  readonly record: number | null;
  /** For people; never contains the text sent. */
  readonly text: string;
}

/** A fault of an item. */
export function faultOf(kind: ErrorKind, record: number | null, text: string): OtaFault {
  const type = kind === "missing" ? ERROR_TYPES.required : ERROR_TYPES.business;
  return { type, code: ERROR_CODES[kind], record, text };
}
