/**
 * The record of a refusal: status, texts, recovery, and the fields of its detail. The core defines
 * the codes and which are sealed (`engine/core/refusals.ts`). Answers, catalogue, pages and the
 * OpenAPI document are generated from these records.
 */
import type { RecoveryStep } from "../actions/steps.ts";
import type { Terms } from "./terms.ts";

type Fields = Readonly<Record<string, unknown>>;

/**
 * A field of `detail`: name, type, meaning. A name that ends in `?` is there only where the meaning
 * says when. Fields can be added, so a reader ignores those it does not know.
 */
export type DetailField = readonly [name: string, type: string, meaning: string];

export interface RefusalRecord {
  /** HTTP status. */
  readonly status: number;
  readonly message: string;
  /** Imperative instruction, in the reader's terms and for the case of `detail`. */
  readonly remediation: string | ((terms: Terms, detail: Fields) => string);
  /** Seconds, where the code fixes them; otherwise the refusal brings them or there are none. */
  readonly retry_after?: number;
  /** When to retry, in words, if the refusal has the seconds. */
  readonly wait?: string;
  /** Effect of a retry with the same key, if it differs from sealing. */
  readonly retrying?: string;
  /** Recovery calls, most useful first (rules §9). */
  readonly recovery: readonly RecoveryStep[];
  readonly detail: readonly DetailField[];
}
