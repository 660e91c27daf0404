/** An outcome of a command with its JSON. */
import type { Outcome } from "./outcomes.ts";

/** The JSON is made once, on demand. */
export class RenderedOutcome {
  readonly outcome: Outcome;
  #json: string | null = null;

  constructor(outcome: Outcome) {
    this.outcome = outcome;
  }

  get json(): string {
    this.#json ??= JSON.stringify(this.outcome);
    return this.#json;
  }
}
