/** Warnings about development settings. */

import type { Config } from "../../config.ts";
import type { Log } from "../../lib/service.ts";

/** Warns when a guard that production needs is off. */
export function warnOfDevelopment({ webhooksAllowPrivate }: Config, log: Log): void {
  if (!webhooksAllowPrivate) return;
  const setting = "WEBHOOKS_ALLOW_PRIVATE";
  log("warn", "webhooks may call private addresses: for development only", { setting });
}
