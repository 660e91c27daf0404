/** What an operator must not overlook at the start of a process. */
import type { Log } from "../../engine/shell/service.ts";
import type { Config } from "../config.ts";

/** Says loudly that guards are off which production needs. */
export function warnOfDevelopment({ webhooksAllowPrivate }: Config, log: Log): void {
  if (!webhooksAllowPrivate) return;
  const setting = "WEBHOOKS_ALLOW_PRIVATE";
  log("warn", "tenants may have this network called: for development only", { setting });
}
