/** How a model can rehearse what may go wrong with a payment, where no real one is taken. */
import { SIMULATIONS } from "../../jobs/payments/sandbox-tokens.ts";
import type { Config } from "../config.ts";
import { bullets } from "./markdown.ts";

/** Paragraph and list; null where payments are real, because no token simulates there. */
export function simulations({ paymentProvider }: Config): string | null {
  if (paymentProvider !== "sandbox") return null;
  const lines = SIMULATIONS.map(({ token, does }) => `\`${token}\`: ${does}`);
  const lead =
    "To rehearse failures: the payment provider here is a sandbox. It takes any provider_token, and " +
    "these simulate:";
  return `${lead}\n\n${bullets(lines)}`;
}
