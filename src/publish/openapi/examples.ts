/**
 * Recorded requests and answers, with secrets and tokens replaced, for the OpenAPI document and
 * error pages.
 */
import type { RefusalCode } from "../../../engine/core/refusals.ts";
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

const SHORT = 3;

/** An example for the document: lists longer than three are cut to two. */
export function lean(example: unknown): unknown {
  if (Array.isArray(example)) {
    return (example.length > SHORT ? example.slice(0, 2) : example).map(lean);
  }
  if (typeof example !== "object" || example === null) return example;
  return Object.fromEntries(Object.entries(example).map(([name, each]) => [name, lean(each)]));
}

export const EXAMPLES: Examples = recorded as unknown as Examples;
