/** The result of a check of the doctor. */

export type Status = "ok" | "warn" | "fail";

export interface Finding {
  readonly check: string;
  readonly status: Status;
  readonly found: string;
  /** Null when nothing is to be done. */
  readonly remedy: string | null;
}

/** A finding with the status and remedy of the first trouble that applies, else `ok`. */
export function judged(
  check: string,
  found: string,
  ...troubles: readonly (readonly [applies: boolean, status: Status, remedy: string])[]
): Finding {
  const [, status = "ok", remedy = null] = troubles.find(([applies]) => applies) ?? [];
  return { check, status, found, remedy };
}
