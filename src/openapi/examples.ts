/**
 * Requests and answers as the service really gave them: recorded from a run, with secrets and
 * tokens replaced. Shown in the OpenAPI document and on the pages of the errors.
 */
import type { RefusalCode } from "../../engine/core/refusals.ts";
import recorded from "./examples.json" with { type: "json" };

export interface Exchange {
  /** JSON body, where the call had one. */
  readonly request?: unknown;
  readonly response: unknown;
}

/** One call that failed. */
export interface Failure extends Exchange {
  readonly method: string;
  readonly path: string;
  readonly status: number;
}

export interface Examples {
  /** By `operationId`. */
  readonly operations: Readonly<Record<string, Exchange>>;
  readonly errors: Readonly<Partial<Record<RefusalCode, Failure>>>;
}

export const EXAMPLES: Examples = recorded as unknown as Examples;
