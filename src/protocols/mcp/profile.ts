/**
 * How much of each tool a host is told: all of a list of tools stands before a model on every turn,
 * so the least that a good call needs is what is told unless the address asks for more.
 */
import { Type } from "@sinclair/typebox";
import type { PublicCall } from "../../http/call.ts";
import type { QueryParameter } from "../../http/contract.ts";

const PROFILES = ["default", "full"] as const;
export type Profile = (typeof PROFILES)[number];

/** The parameter of `/mcp`. */
export const PROFILE: QueryParameter = {
  schema: Type.Unsafe<string>({ type: "string", enum: PROFILES }),
  description:
    "Detail of `tools/list`: `default` is short; `full` adds the schemas of answers and the " +
    "bounds of every argument.",
  isValid: (value) => PROFILES.some((known) => known === value),
  fault: { message: "is not a profile", expected: `one of ${PROFILES.join(", ")}` },
};

/** The profile that the address asks for. */
export function profileOf({ query }: Pick<PublicCall, "query">): Profile {
  return query.get("profile") === "full" ? "full" : "default";
}
