/** How to simulate payment failures in the sandbox. */
import { SIMULATIONS } from "../../../jobs/payments/sandbox-tokens.ts";
import type { Config } from "../../config.ts";
import { bullets } from "./markdown.ts";

/** Paragraph and list; null with a real payment provider. */
export function simulations({ paymentProvider }: Config): string | null {
  if (paymentProvider !== "sandbox") return null;
  const lines = SIMULATIONS.map(({ token, does }) => `\`${token}\`: ${does}`);
  const lead =
    "To test failures: the payment provider here is a sandbox. It accepts any provider_token; " +
    "these simulate results:";
  return `${lead}\n\n${bullets(lines)}`;
}
