/** How a model can rehearse what may go wrong with a payment, where no real one is taken. */
import { SIMULATIONS } from "../../jobs/payments/sandbox-tokens.ts";
import type { Config } from "../config.ts";
import { bullets } from "./markdown.ts";

/** A section of Markdown; nothing where payments are real, because no token simulates there. */
export function simulationSection({ paymentProvider }: Config): readonly string[] {
  if (paymentProvider !== "sandbox") return [];
  const lines = SIMULATIONS.map(({ token, does }) => `\`${token}\`: ${does}`);
  const lead =
    "The payment provider here is a sandbox. It takes any provider_token; these simulate:";
  return [`## Rehearse failures\n\n${lead}\n\n${bullets(lines)}`];
}
