/** Whom to write to. */
import type { Config } from "../config.ts";

/** The mailbox that a service of this host is asked to have. */
export function contactEmail({ baseUrl }: Config): string {
  return `contact@${new URL(baseUrl).hostname}`;
}
