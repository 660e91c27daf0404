/** What a check of the doctor comes to. */

export type Status = "ok" | "warn" | "fail";

export interface Finding {
  readonly check: string;
  readonly status: Status;
  /** What was found. */
  readonly found: string;
  /** What to do about it; null where nothing is to be done. */
  readonly remedy: string | null;
}

/** A finding: the first trouble that is so decides its status; without any it is well. */
export function judged(
  check: string,
  found: string,
  ...troubles: readonly (readonly [isSo: boolean, status: Status, remedy: string])[]
): Finding {
  const [, status = "ok", remedy = null] = troubles.find(([isSo]) => isSo) ?? [];
  return { check, status, found, remedy };
}
