/** Common parts of property routes. */
import { Type } from "@sinclair/typebox";
import type { QueryParameter } from "../../http/contract.ts";
import { PropertyRef } from "../../http/schema/request-parts.ts";

export const PROPERTY_ID = {
  schema: PropertyRef,
  description: "Id or slug of the property.",
} as const;

/** Of an import. */
export const DRY_RUN: QueryParameter = {
  schema: Type.Unsafe<string>({ type: "string", enum: ["true", "false"] }),
  description: "`true`: nothing is changed; each line has its expected result.",
  isValid: (value) => value === "true" || value === "false",
  fault: { message: "is malformed", expected: "true or false" },
};

/** One tree or ARI batch is one command and must fit an envelope. */
export const SUPPLY_BYTES_MAX = 512 * 1024;

/** Routes of one property. */
export const PROPERTY_ADMIN = {
  tag: "Supply administration",
  access: { kinds: ["operator"], scope: "admin:properties", touches: "properties" },
} as const;

/** Routes of properties that do not exist yet. */
export const NEW_PROPERTY_ADMIN = {
  ...PROPERTY_ADMIN,
  access: { ...PROPERTY_ADMIN.access, touches: "tenant" },
} as const;
