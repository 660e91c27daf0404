/** What is told of a command, in memory and as text. */
import type { Outcome } from "./outcomes.ts";

/** An outcome and its JSON, which is made once, when somebody asks for it. */
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
