/** What the API answers when it refuses, as far as pages read it. */

/** An error of the catalogue, as far as pages show it. */
export interface ApiError {
  readonly code: string;
  readonly message: string;
  readonly remediation: string;
  readonly detail: Readonly<Record<string, unknown>>;
  readonly retry_after: number | null;
  readonly trace_id: string;
  /** Ways on from it. */
  readonly next_actions: readonly OfferedCall[];
}

export interface OfferedCall {
  readonly rel: string;
  readonly method: string;
  readonly href: string;
  readonly body_hint?: Readonly<Record<string, unknown>>;
}
